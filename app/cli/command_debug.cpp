// SPDX-License-Identifier: GPL-3.0-or-later
// debug: the console of a debugger, typed or from a script.
#include "app/cli/commands.h"
#include "core/base/error.h"
#include "core/base/unicode.h"
#include "core/console/console.h"
#include "core/session/worker_client.h"

#include <condition_variable>
#include <deque>
#include <fstream>
#include <iostream>
#include <mutex>
#include <unistd.h>

namespace fx {

namespace {

/// A model that runs, and its console on this thread: events wait in a queue until the console takes them.
class Terminal : public DebugControl {
public:
    Terminal(OpenedModel opened, RunRequest request, bool isApart, std::ostream& out)
        : m_opened(std::make_shared<const OpenedModel>(std::move(opened))), m_request(std::move(request)), m_out(out),
          m_console(*this, [this](const std::string& text, ConsoleStyle) { m_out << shownLines(text) << '\n'; }) {
        const auto listen = [this](int run, const DebugEvent& event) {
            const std::lock_guard lock(m_mutex);
            if (run == m_run)
                m_events.push_back(event);
            m_wake.notify_one();
        };
        if (isApart)
            m_debuggee = std::make_unique<WorkerDebuggee>(WorkerOptions(), listen);
        else
            m_debuggee = std::make_unique<LocalDebuggee>(listen);
        m_debuggee->setModel(m_opened);
    }

    const Model& model() const override { return m_opened->model; }
    void send(DebugCommand command) override { m_debuggee->send(std::move(command)); }
    std::vector<Breakpoint> breakpoints() const override { return m_request.breakpoints; }
    void setBreakpoints(std::vector<Breakpoint> breakpoints) override {
        m_request.breakpoints = std::move(breakpoints);
        send(SetBreakpoints{m_request.breakpoints});
    }
    void restart() override {
        {
            const std::lock_guard lock(m_mutex);
            ++m_run;
            m_events.clear();
        }
        m_debuggee->start(m_run, m_request);
    }
    void quit() override { m_hasQuit = true; }

    /// Reads lines until they end or one of them quits. True if the last run did not fail.
    bool serve(std::istream& in, bool echoes, bool prompts) {
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
    /// Hands events to the console until the last line is answered.
    void settle() {
        while (!m_console.isIdle()) {
            DebugEvent event;
            {
                std::unique_lock lock(m_mutex);
                m_wake.wait(lock, [&] { return !m_events.empty(); });
                event = std::move(m_events.front());
                m_events.pop_front();
            }
            if (const auto* changed = std::get_if<BreakpointsChanged>(&event))
                m_request.breakpoints = changed->breakpoints;
            if (std::get_if<Failed>(&event))
                m_hasFailed = true;
            else if (std::get_if<Finished>(&event))
                m_hasFailed = false;
            m_console.handle(event);
        }
    }

    const std::shared_ptr<const OpenedModel> m_opened;
    RunRequest m_request;
    std::ostream& m_out;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<DebugEvent> m_events;
    int m_run = 0;
    bool m_hasQuit = false, m_hasFailed = false;
    Console m_console;
    std::unique_ptr<Debuggee> m_debuggee; ///< last, so that its thread ends before what it writes to
};

struct DebugCommandLine {
    ModelOptions model;
    RunOptions run;
    std::string script;
    double budgetGigabytes = 2;
    bool isApart = false;

    void operator()() const {
        RunRequest request = run.request();
        request.valueBudgetBytes = static_cast<uint64_t>(budgetGigabytes * 1e9);
        request.libraries = model.libraries;
        Terminal terminal(model.open(), std::move(request), isApart, std::cout);
        bool hasSucceeded = false;
        if (!script.empty()) {
            std::ifstream in(script);
            if (!in)
                throw Error(script, "cannot be read");
            hasSucceeded = terminal.serve(in, true, false);
        } else {
            const bool isTyped = ::isatty(STDIN_FILENO) != 0;
            hasSucceeded = terminal.serve(std::cin, !isTyped, isTyped);
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
    command->run.addTo(*parser);
    parser->add_option("--commands", command->script,
                       "a file with one command a line, instead of the terminal");
    parser->add_option("--budget", command->budgetGigabytes, "gigabytes of values to keep for looking at");
    parser->add_flag("--worker", command->isApart,
                     "run the model in a process of its own, as the window does: when that dies, the run has failed at "
                     "its node, and can be started anew");
    parser->footer("Examples:\n"
                   "  fxscope debug resnet50.pt2\n"
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

} // namespace fx
