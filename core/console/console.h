// SPDX-License-Identifier: GPL-3.0-or-later
// A debugger's console with pdb's words. It turns lines into commands for a session and events into text, and
// waits for nothing: the command line and the window feed it the same way.
#pragma once

#include "core/interpret/debug_types.h"
#include "core/module/model.h"
#include "core/run/run_controller.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fx {

/// A line of Python about a graph.
struct GraphProgram {
    std::string line;
    std::vector<std::string> definitions; ///< earlier lines whose names it may use
    NodeRef at;                           ///< where the run stands; no node if it does not
};

struct GraphProgramResult {
    std::string output, fault; ///< where something has changed, the fault is a note about it
    bool hasChanged = false;
    bool isGivenUp = false; ///< for something else: lines that wait for it are given up, too
};

/// Owner of the run that a console steers.
class DebugControl {
public:
    virtual ~DebugControl() = default;
    /// The model that runs or, before a run, would run.
    virtual const Model& model() const = 0;
    /// Advanced by each event before the console handles the event.
    virtual RunController& run() = 0;
    virtual void setBreakpoints(std::vector<Breakpoint> breakpoints) = 0;
    virtual void resume(const Resume& how) = 0;
    virtual void restartFrom(NodeRef node) = 0;
    /// Starts a run of all nodes that pauses at the first one.
    virtual void restart() = 0;
    virtual void quit() = 0;
    /// Runs a line over the model; Console::take() gets what came of it. Throws where it cannot.
    virtual void runProgram(const GraphProgram& program);
};

enum class ConsoleStyle { Plain, Prompt, Result, Fault, Dim };

class Console {
public:
    using Write = std::function<void(const std::string& text, ConsoleStyle style)>;

    Console(DebugControl& control, Write write) : m_control(control), m_write(std::move(write)) {}

    /// Takes one line that a user typed. An empty one repeats the last.
    void execute(const std::string& line);
    /// Takes what the session tells.
    void handle(const DebugEvent& event);
    void take(const GraphProgramResult& result);
    /// Goes back in the innermost graph: by one node, or to the last breakpoint, to where something displayed
    /// changes, or to the first node. Does nothing unless the run is paused.
    void goBack(bool isToStop);
    /// Goes to a node of the innermost graph, which is next then. Throws an Error unless the run is paused in
    /// it.
    void jumpTo(NodeRef node);
    /// The graph has changed: what ran is another one now.
    void forgetRun();
    /// "relu_1, relu_1.max() > 3" as "break" takes it; no number yet. Throws where it fits nothing of the
    /// model.
    Breakpoint parseBreakpoint(const std::string& text) const;
    /// The line with each thing that its last word can become, sorted.
    std::vector<std::string> completions(const std::string& line) const;
    /// The expressions that are shown at every stop where they have changed.
    std::vector<std::string> displays() const;
    void setDisplays(const std::vector<std::string>& displays);
    /// Somebody else shows them at every stop, and hears when words have changed the list. The console then
    /// says them only once, when they are asked for.
    void shareDisplays(std::function<void()> changed) { m_displaysChanged = std::move(changed); }
    /// Whether the last line has been answered, so that a script may go on.
    bool isIdle() const {
        return !m_control.run().isAsking() && !state().isBusy() && !m_isProgramRunning && m_waiting.empty();
    }

    struct Word {
        std::string_view names; ///< all names, the first is the one shown: "next n"
        std::string_view arguments;
        std::string_view help;
        void (Console::*run)(const std::string& arguments);
    };
    static const std::vector<Word>& words();

private:
    void step(const std::string&);
    void next(const std::string&);
    void scope(const std::string&);
    void out(const std::string&);
    void resume(const std::string&);
    void until(const std::string&);
    void jump(const std::string&);
    void reverseStep(const std::string&);
    void reverseContinue(const std::string&);
    /// Says where the run stands, and what is displayed there.
    void tellStop();
    /// Throws an Error unless the run is paused.
    const Paused& requireStop() const;
    /// Frames of the paused or failed run; empty if there is none.
    const std::vector<DebugFrame>& frames() const { return state().stop.frames; }
    bool hasValues() const { return state().isPaused() || state().isOver(); }
    const RunState& state() const { return m_control.run().state(); }
    void run(const std::string&);
    void rerun(const std::string&);
    void where(const std::string&);
    void up(const std::string&);
    void down(const std::string&);
    void list(const std::string&);
    void longList(const std::string&);
    void args(const std::string&);
    void whatIs(const std::string&);
    void details(const std::string&);
    void print(const std::string&);
    void why(const std::string&);
    void display(const std::string&);
    void undisplay(const std::string&);
    void breakAt(const std::string&);
    void breakOnce(const std::string&);
    void condition(const std::string&);
    void ignore(const std::string&);
    void clear(const std::string&);
    void enable(const std::string&);
    void disable(const std::string&);
    void help(const std::string&);
    void quit(const std::string&);

    struct Display {
        std::string expression;
        std::optional<ModuleId> graph = {};   ///< whose stops show it; none: all
        std::optional<std::string> text = {}; ///< what was shown last
        uint64_t content = 0;                 ///< Answer::content of that
    };
    /// One step of "up": a graph that is running, counted from the innermost, and a module that its node is
    /// called in, counted likewise.
    struct Level {
        size_t graph, module;
    };
    std::vector<Level> levels() const;
    size_t selectedLevel() const; ///< of the graphs
    const DebugFrame& selectedFrame() const;

    void resumeWith(Resume resume);
    void evaluate(const std::string& expression);
    void ask(Display& display);
    void take(const Answer& answer);
    void takeDisplay(const std::string& expression, const Answer& answer);
    void evaluateOrAssign(const std::string& text);
    void requireRun() const;
    /// Whether a line is about the graph, and not about the values of a run.
    bool isProgram(const std::string& text) const;
    void runProgram(const std::string& text);
    void addBreakpoint(const std::string& text, bool isTemporary);

    void setEnabled(const std::string& text, bool isEnabled);
    void moveLevel(int by);
    void listAround(NodeId center, int before, int after);
    void say(const std::string& text, ConsoleStyle style = ConsoleStyle::Plain);
    /// Says what went wrong in short; "details" says all of it.
    void sayFault(const std::string& fault);

    /// The graph that "up" and "down" have chosen, and the node where it stands; the root and no node if
    /// nothing runs.
    NodeRef here() const;
    /// A node of that graph, of the innermost or of the root, by name. Throws if there is none.
    NodeRef nodeNamed(const std::string& name) const;

    DebugControl& m_control;
    Write m_write;
    size_t m_level = 0; ///< index into levels()
    std::vector<Display> m_displays;
    std::function<void()> m_displaysChanged; ///< set where somebody else shows them
    std::string m_lastLine;
    std::string m_lastFault; ///< whole
    bool m_isProgramRunning = false;
    std::deque<std::string> m_waiting;      ///< lines that were typed while it runs
    std::string m_program;                  ///< the line that runs over the graph
    std::vector<std::string> m_definitions; ///< lines that have given names, and changed nothing
    NodeRef m_listed;                       ///< where the next "list" goes on
};

/// What there is of gradients, and which are of no use, in a line.
std::string gradientsText(const std::vector<GradientRecord>& records, const Model& model);
/// Throws an Error for what is no expression; empty: the breakpoint stops always.
void setCondition(Breakpoint& breakpoint, const std::string& condition);

} // namespace fx
