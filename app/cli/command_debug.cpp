// SPDX-License-Identifier: GPL-3.0-or-later
// debug: the console of a debugger, typed or from a script.
#include "app/cli/commands.h"
#include "core/base/error.h"
#include "core/base/unicode.h"
#include "core/console/console.h"
#include "core/interpret/debug_session.h"
#include "core/io/tensor_files.h"

#include <condition_variable>
#include <deque>
#include <fstream>
#include <iostream>
#include <mutex>
#include <unistd.h>

namespace fx {

namespace {

/// One session and its console, on this thread: events wait in a queue until the console takes them.
class Terminal : public DebugControl {
public:
    Terminal(OpenedModel opened, InputSpecs specs, DebugOptions options, std::ostream& out)
        : m_opened(std::move(opened)), m_specs(std::move(specs)), m_options(std::move(options)), m_out(out),
          m_console(*this, [this](const std::string& text, ConsoleStyle) { m_out << shownLines(text) << '\n'; }) {}

    const Model& model() const override { return m_opened.model; }
    void send(DebugCommand command) override {
        if (m_session)
            m_session->send(std::move(command));
    }
    std::vector<Breakpoint> breakpoints() const override { return m_breakpoints; }
    void setBreakpoints(std::vector<Breakpoint> breakpoints) override {
        m_breakpoints = std::move(breakpoints);
        send(SetBreakpoints{m_breakpoints});
    }
    void restart() override {
        m_session.reset();
        {
            std::lock_guard lock(m_mutex);
            m_events.clear();
        }
        m_session = std::make_unique<DebugSession>(
            m_opened.model, [this](const Model&) { return makeInputs(m_opened, m_specs); }, m_options,
            m_breakpoints,
            [this](const DebugEvent& event) {
                std::lock_guard lock(m_mutex);
                m_events.push_back(event);
                m_wake.notify_one();
            });
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
                m_breakpoints = changed->breakpoints;
            if (std::get_if<Failed>(&event))
                m_hasFailed = true;
            else if (std::get_if<Finished>(&event))
                m_hasFailed = false;
            m_console.handle(event);
        }
    }

    OpenedModel m_opened;
    InputSpecs m_specs;
    DebugOptions m_options;
    std::ostream& m_out;
    std::vector<Breakpoint> m_breakpoints;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<DebugEvent> m_events;
    bool m_hasQuit = false, m_hasFailed = false;
    Console m_console;
    std::unique_ptr<DebugSession> m_session; ///< last, so that its thread ends before what it writes to
};

struct DebugCommandLine {
    ModelOptions model;
    RunOptions run;
    std::string script;
    double budgetGigabytes = 2;

    void operator()() const {
        DebugOptions options;
        options.run = run.settings();
        options.valueBudgetBytes = static_cast<uint64_t>(budgetGigabytes * 1e9);
        options.saveTensor = [](const at::Tensor& tensor, const std::string& path) {
            writeNpy(path, tensor);
        };
        Terminal terminal(model.open(), run.specs(), options, std::cout);
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
