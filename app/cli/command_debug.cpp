// SPDX-License-Identifier: GPL-3.0-or-later
// debug: the console of a debugger, typed or from a script.
#include "app/cli/commands.h"
#include "core/base/error.h"
#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/base/unicode.h"
#include "core/console/console.h"
#include "core/run/event_queue.h"
#include "core/session/pass_job.h"
#include "core/session/remote_client.h"
#include "core/session/remote_opening.h"
#include "core/session/service_host.h"
#include "core/session/worker_client.h"
#include "core/userpasses/statement_pass.h"

#include <fstream>
#include <iostream>
#include <unistd.h>

namespace fx::cli {

namespace {

using MakeDebuggee = std::function<std::unique_ptr<Debuggee>(Debuggee::Listener)>;

/// A model that runs, and its console on this thread: events wait in a queue until the console takes them.
class Terminal : public DebugControl {
public:
    /// `run`: the number of one that is under way already; 0: none is. `runsHere`: this process is confined.
    Terminal(OpenedModel opened, RunRequest request, const MakeDebuggee& make, int run, bool runsHere,
             std::ostream& out)
        : m_runsHere(runsHere), m_opened(std::make_shared<const OpenedModel>(std::move(opened))),
          m_request(std::move(request)), m_out(out),
          m_console(*this,
                    [this](const std::string& text, ConsoleStyle) { m_out << shownLines(text) << '\n'; }) {
        m_run.setDebuggee(make(m_events.listener()), run);
        m_run.debuggee().setModel(m_opened);
    }

    const Model& model() const override { return m_opened->model; }
    RunController& run() override { return m_run; }
    void setBreakpoints(std::vector<Breakpoint> breakpoints) override {
        m_run.setBreakpoints(std::move(breakpoints));
    }
    void resume(const Resume& how) override {
        m_run.resume(how, [this] { return m_request; });
    }
    void restartFrom(NodeRef node) override { m_run.restartFrom(node, m_request); }
    void restart() override { m_run.start(m_request); }
    void quit() override { m_hasQuit = true; }
    void runProgram(const GraphProgram& program) override {
        Progress progress;
        PassRequest request{std::string(kStatementPass),
                            {{"code", program.line},
                             {"definitions", join(program.definitions, "\n")},
                             {"selection", nameOf(program.at)}},
                            program.at.module,
                            m_request};
        const PassAnswer answer = m_runsHere ? applyToCopy(*m_opened, request, progress)
                                             : askApart(kPassService, {*m_opened}, request, progress);
        const bool hasChanged = !answer.update.changes.empty();
        if (hasChanged) {
            m_opened = followed(*m_opened, answer.update);
            const bool wasLive = m_run.state().isLive();
            m_run.follow(answer.update);
            if (wasLive && !m_run.state().isLive())
                m_console.forgetRun();
        }
        m_console.take({answer.output, join(answer.lines, "\n"), hasChanged});
        if (hasChanged)
            m_out << "the graph has changed: " << answer.text
                  << (m_run.state().isOver() ? "; 'continue' and 'next' go on with it, 'run' starts it anew"
                                             : "")
                  << '\n';
    }

    /// Reads lines until they end or one of them quits. True if the last run did not fail.
    bool serve(std::istream& in, bool echoes, bool prompts) {
        if (m_run.state().phase == RunState::Phase::Idle)
            m_console.execute("run");
        settle();
        std::string line;
        while (!m_hasQuit) {
            if (prompts)
                m_out << "(fx) " << std::flush;
            if (!std::getline(in, line))
                break;
            if (echoes)
                m_out << "(fx) " << line << '\n';
            m_console.execute(line);
            settle();
        }
        m_out.flush();
        return !m_hasFailed;
    }

private:
    std::string nameOf(NodeRef node) const {
        return node.node ? model().graph(node.module).node(node.node).name : std::string();
    }

    /// Passes events to the console until the last line is answered, and the run is paused or over.
    void settle() {
        while (!m_console.isIdle()) {
            const auto [run, event] = m_events.take();
            if (!m_run.take(run, event))
                continue;
            if (std::get_if<Failed>(&event))
                m_hasFailed = true;
            else if (std::get_if<Finished>(&event))
                m_hasFailed = false;
            m_console.handle(event);
        }
    }

    const bool m_runsHere;
    std::shared_ptr<const OpenedModel> m_opened;
    RunRequest m_request;
    std::ostream& m_out;
    EventQueue m_events;
    bool m_hasQuit = false, m_hasFailed = false;
    Console m_console;
    RunController m_run{
        [this]() -> const Model& { return model(); }}; ///< last, as its debuggee reports from a thread
};

/// A model on another machine.
struct RemoteCommandLine {
    std::string address, tokenFile, session;
    bool isUploaded = false;

    RemoteRequest request(const ModelOptions& model) const {
        const std::optional<std::string> token = givenToken(tokenFile);
        if (!token)
            throw Error("--connect", "needs the token of the host")
                .hint("--token-file FILE, or FXSCOPE_TOKEN in the environment");
        return {address, *token, session, {model.path, model.openOptions(), model.libraries}, isUploaded};
    }
};

struct DebugCommandLine {
    ModelOptions model;
    RunOptions run;
    LossOption gradients;
    RemoteCommandLine remote;
    std::string script;
    double budgetGigabytes = 2;
    bool isApart = false;

    std::unique_ptr<Terminal> terminalHere(RunRequest request) const {
        const auto make = [this](Debuggee::Listener listen) -> std::unique_ptr<Debuggee> {
            if (isApart)
                return std::make_unique<WorkerDebuggee>(WorkerOptions(), std::move(listen));
            return std::make_unique<LocalDebuggee>(std::move(listen));
        };
        ModelOptions opened = model;
        opened.runsHere = !isApart;
        return std::make_unique<Terminal>(opened.open(), std::move(request), make, 0, !isApart, std::cout);
    }

    std::unique_ptr<Terminal> terminalThere(RunRequest request) const {
        Progress progress;
        RemoteModel there = openThere(remote.request(model), progress);
        const std::shared_ptr<RemoteHost> host = there.host;
        OpenedModel opened = withGraph(std::move(there.opened), model.path);
        if (remote.session.empty())
            std::cerr << "note: session " << host->session() << " on " << shownLine(host->name()) << '\n';
        RemoteOptions options;
        options.patience = kReconnecting;
        options.connection = [host = host.get()](const std::string& fault) {
            // Whoever comes back later needs the run that it leaves.
            host->keepSession(!fault.empty());
            std::cerr << "note: " << (fault.empty() ? "connected again" : shownLine(fault)) << '\n';
        };
        const auto make = [&](Debuggee::Listener listen) {
            return std::make_unique<RemoteDebuggee>(host, options, std::move(listen));
        };
        return std::make_unique<Terminal>(std::move(opened), std::move(request), make, host->run(), false,
                                          std::cout);
    }

    void operator()() const {
        if (model.path.empty() && remote.session.empty())
            throw CLI::RequiredError("MODEL");
        RunRequest request = run.request();
        if (remote.address.empty())
            run.settings(); // throws where there is no such device
        request.valueBudgetBytes = static_cast<uint64_t>(budgetGigabytes * 1e9);
        request.libraries = model.libraries;
        request.loss = gradients.loss;
        const std::unique_ptr<Terminal> terminal =
            remote.address.empty() ? terminalHere(std::move(request)) : terminalThere(std::move(request));
        bool hasSucceeded = false;
        if (!script.empty()) {
            std::ifstream in(script);
            if (!in)
                throw Error(script, "cannot be read");
            hasSucceeded = terminal->serve(in, true, false);
        } else {
            const bool isTyped = ::isatty(STDIN_FILENO) != 0;
            hasSucceeded = terminal->serve(std::cin, !isTyped, isTyped);
        }
        if (!hasSucceeded)
            throw CLI::RuntimeError(1);
    }
};

} // namespace

void addDebug(CLI::App& app) {
    auto command = std::make_shared<DebugCommandLine>();
    CLI::App* parser = app.add_subcommand("debug", "step through the graph with pdb's words");
    command->model.addTo(*parser);
    command->run.addTo(*parser, command->model);
    command->gradients.addTo(*parser);
    parser->add_option("--commands", command->script,
                       "a file with one command a line, instead of the terminal");
    parser->add_option("--budget", command->budgetGigabytes, "gigabytes of values to keep for looking at");
    parser->add_flag(
        "--worker", command->isApart,
        "run the model in a process of its own, as the window does: when that dies, the run has failed at "
        "its node, and can be started anew");
    parser->get_option("MODEL")->required(false); // of a session that is come back to
    CLI::Option* connect = parser->add_option(
        "--connect", command->remote.address,
        "run the model on another machine, where `fxscope serve` listens: MODEL and all other "
        "files are there");
    connect->type_name("HOST:PORT")->excludes("--worker");
    parser
        ->add_option("--token-file", command->remote.tokenFile,
                     "with --connect: a file with its token, instead of FXSCOPE_TOKEN")
        ->type_name("FILE")
        ->needs(connect);
    CLI::Option* upload =
        parser
            ->add_flag("--upload", command->remote.isUploaded,
                       "with --connect: MODEL, --state and --source are files here, and sent there")
            ->needs(connect);
    parser
        ->add_option("--session", command->remote.session,
                     "with --connect: come back to a session, and find its run where it is")
        ->needs(connect)
        ->excludes("MODEL")
        ->excludes(upload);
    parser->footer("Examples:\n"
                   "  fxscope debug resnet50.pt2\n"
                   "  fxscope debug /data/resnet50.pt2 --connect 127.0.0.1:9000 --token-file token\n"
                   "  fxscope debug resnet50.pt2 --commands script.txt\n\n"
                   "A script:\n"
                   "  b relu_3, relu_3.max() > 10\n"
                   "  b nan\n"
                   "  c\n"
                   "  p conv2d.shape, conv2d.mean()\n"
                   "  s\n"
                   "  q");
    parser->callback([command] { (*command)(); });
}

} // namespace fx::cli
