// SPDX-License-Identifier: GPL-3.0-or-later
// Words for running and looking. Those for breakpoints are in console_breakpoints.cpp.
#include "core/console/console.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/codegen/python_code.h"
#include "core/console/source_frames.h"
#include "core/ir/argument_text.h"
#include "core/ir/graph_text.h"
#include "core/module/scopes.h"
#include "core/torch/operators.h"

#include <algorithm>
#include <cctype>

namespace fx {

const std::vector<Console::Word>& Console::words() {
    static const std::vector<Word> kWords = {
        {"step s", "", "run one node, into nested graphs; inputs and weights are read on the way",
         &Console::step},
        {"next n", "", "run one node of this graph", &Console::next},
        {"scope ns", "", "run until another module scope begins", &Console::scope},
        {"return r out", "", "run until this nested graph or module scope is left", &Console::out},
        {"continue c cont", "", "run to the next breakpoint", &Console::resume},
        {"until unt", "NODE", "run to a node", &Console::until},
        {"jump j", "NODE", "make a node of this graph the next to run", &Console::jump},
        {"run restart", "", "start the run anew", &Console::run},
        {"where w bt", "", "show the graphs, modules and source lines that lead here", &Console::where},
        {"up u", "[COUNT]", "look at the module that called this one", &Console::up},
        {"down d", "[COUNT]", "look at the module further in", &Console::down},
        {"list l", "[NODE]", "show the code around this node, or further on", &Console::list},
        {"longlist ll", "", "show the code of the whole graph", &Console::longList},
        {"args a", "", "show the arguments of the node that runs next", &Console::args},
        {"p", "EXPRESSION", "print the value of an expression: p x.mean()", &Console::print},
        {"pp", "EXPRESSION", "the same", &Console::print},
        {"display", "[EXPRESSION]", "print an expression at every stop; without one, list them",
         &Console::display},
        {"undisplay", "[EXPRESSION]", "stop displaying it, or all", &Console::undisplay},
        {"break b", "[NODE | scope=PATH | op=OPCODE | target=NAME | nan][, CONDITION]",
         "stop there; without arguments, list the breakpoints", &Console::breakAt},
        {"tbreak", "...", "the same, for one stop", &Console::breakOnce},
        {"condition", "NUMBER [EXPRESSION]", "stop only if it is true; without one, always",
         &Console::condition},
        {"ignore", "NUMBER [COUNT]", "let the next COUNT hits pass", &Console::ignore},
        {"clear cl", "[NUMBER | NODE]", "remove a breakpoint, or all", &Console::clear},
        {"enable", "NUMBER", "let a breakpoint stop again", &Console::enable},
        {"disable", "NUMBER", "keep a breakpoint, but do not stop at it", &Console::disable},
        {"help h ?", "[WORD]", "show the words", &Console::help},
        {"quit q exit", "", "end the session", &Console::quit},
    };
    return kWords;
}

namespace {

const Console::Word* findWord(std::string_view name) {
    for (const Console::Word& word : Console::words()) {
        const std::vector<std::string_view> names = split(word.names, ' ');
        if (std::find(names.begin(), names.end(), name) != names.end())
            return &word;
    }
    return nullptr;
}

} // namespace

void Console::execute(const std::string& line) {
    std::string text(trim(line));
    if (text.empty())
        text = m_lastLine;
    if (text.empty() || text.starts_with('#'))
        return;
    m_lastLine = text;
    const size_t blank = text.find_first_of(" \t");
    const std::string name = text.substr(0, blank);
    const std::string arguments(blank == std::string::npos ? std::string_view()
                                                           : trim(std::string_view(text).substr(blank)));
    const Word* word = findWord(name);
    if (!word || word->run != &Console::list)
        m_listed = NodeId(); // a list that follows another goes on where that ended
    try {
        if (word)
            (this->*word->run)(arguments);
        else
            evaluateOrAssign(text.starts_with('!') ? text.substr(1) : text);
    } catch (const Error& error) {
        say("*** " + std::string(error.what()), ConsoleStyle::Fault);
    }
}

NodeRef Console::here() const {
    if (m_stop && !m_stop->frames.empty())
        return m_stop->frames.back().node;
    return {m_control.model().root(), NodeId()};
}

NodeRef Console::nodeNamed(const std::string& name) const {
    const Model& model = m_control.model();
    for (const ModuleId module : {here().module, model.root()})
        if (const NodeId node = model.graph(module).find(name))
            return {module, node};
    // "true_graph_0.sin" is the node sin of a nested graph.
    if (const size_t dot = name.rfind('.'); dot != std::string::npos) {
        const ModuleId module = model.resolve(model.root(), name.substr(0, dot)).module;
        if (module && model.module(module).graph)
            if (const NodeId node = model.graph(module).find(name.substr(dot + 1)))
                return {module, node};
    }
    throw Error("", "there is no node named '" + name + "' here");
}

// --- Running

void Console::resumeWith(Resume resume) {
    if (!m_stop)
        throw Error("", m_isOver ? "the run is over; 'run' starts it anew" : "nothing is running");
    ++m_pending;
    m_control.send(resume);
}

void Console::step(const std::string&) {
    resumeWith({Resume::Mode::Step, {}});
}

void Console::next(const std::string&) {
    resumeWith({Resume::Mode::Next, {}});
}

void Console::scope(const std::string&) {
    resumeWith({Resume::Mode::NextScope, {}});
}

void Console::out(const std::string&) {
    resumeWith({Resume::Mode::Out, {}});
}

void Console::resume(const std::string&) {
    resumeWith({Resume::Mode::Continue, {}});
}

void Console::until(const std::string& arguments) {
    resumeWith({Resume::Mode::Until, nodeNamed(arguments)});
}

void Console::jump(const std::string& arguments) {
    const NodeRef node = nodeNamed(arguments);
    if (!m_stop || node.module != here().module)
        throw Error("", "a jump needs a paused run and a node of its innermost graph");
    m_pending += 2; // the answer, and the stop before the node
    m_control.send(Jump{m_nextRequest++, node.node});
}

void Console::run(const std::string&) {
    ++m_pending;
    m_isOver = false;
    m_stop.reset();
    m_control.restart();
}

void Console::quit(const std::string&) {
    m_control.quit();
}

void Console::handle(const DebugEvent& event) {
    const auto settle = [this] { m_pending = std::max(0, m_pending - 1); };
    if (const auto* stop = std::get_if<Paused>(&event)) {
        m_stop = *stop;
        m_level = 0;
        m_listed = NodeId();
        const NodeRef at = here();
        const Node& node = m_control.model().graph(at.module).node(at.node);
        std::string text;
        switch (stop->reason) {
        case Paused::Reason::Entry:
            text = "paused at the first node: ";
            break;
        case Paused::Reason::Step:
            text = "> ";
            break;
        case Paused::Reason::Breakpoint:
            text = "stopped at breakpoint " + std::to_string(stop->breakpoint) + ": ";
            break;
        case Paused::Reason::NonFinite:
            text = "stopped, because the value before holds NaN or Inf; next: ";
            break;
        }
        const std::string source = sourceText(node);
        const std::string path = stop->frames.back().graphPath;
        say(text + (path.empty() ? "" : path + '.') + node.name +
            (source.empty() ? "" : "  (" + source + ')'));
        if (const std::optional<SourceFrame> frame = sourceOf(node); frame && !frame->code.empty())
            say("    " + frame->code, ConsoleStyle::Dim);
        if (!stop->note.empty())
            say(stop->note, ConsoleStyle::Fault);
        settle();
        if (!m_displaysChanged)
            for (const std::string& expression : m_displays)
                evaluate(expression, "display " + expression + ": ");
    } else if (const auto* answer = std::get_if<Answer>(&event)) {
        const auto label = m_labels.find(answer->request);
        const std::string prefix = label == m_labels.end() ? std::string() : label->second;
        if (label != m_labels.end())
            m_labels.erase(label);
        // What is displayed at every stop fails in one line.
        if (answer->isError)
            say(prefix + "*** " +
                    (prefix.empty() ? answer->text : answer->text.substr(0, answer->text.find('\n'))),
                ConsoleStyle::Fault);
        else if (!answer->text.empty())
            say(prefix + answer->text, ConsoleStyle::Result);
        settle();
    } else if (const auto* finished = std::get_if<Finished>(&event)) {
        m_stop.reset();
        m_isOver = true;
        say("finished: " + finished->result, ConsoleStyle::Result);
        m_pending = 0;
    } else if (const auto* failed = std::get_if<Failed>(&event)) {
        m_stop.reset();
        m_isOver = true;
        say("error: " + (failed->place.empty() ? "" : failed->place + ": ") + failed->message,
            ConsoleStyle::Fault);
        m_pending = 0;
    } else if (std::get_if<Stopped>(&event)) {
        m_stop.reset();
        m_isOver = true;
        say("stopped");
        m_pending = 0;
    } else if (std::get_if<Resumed>(&event)) {
        m_stop.reset();
    } else if (const auto* executed = std::get_if<Executed>(&event)) {
        for (const NodeRecord& record : executed->records)
            m_values[record.node] = record.value;
    }
}

// --- Looking

void Console::requireRun() const {
    if (!m_stop && !m_isOver)
        throw Error("", "nothing is running, so there are no values; 'run' starts");
}

void Console::evaluate(const std::string& expression, const std::string& label) {
    if (trim(expression).empty())
        throw Error("", "an expression is expected");
    requireRun();
    const int request = m_nextRequest++;
    m_labels[request] = label;
    ++m_pending;
    m_control.send(Evaluate{request, expression});
}

/// "relu = relu * 0" puts another value in place of the node's; "relu == y" is an expression.
void Console::evaluateOrAssign(const std::string& text) {
    const size_t equals = text.find('=');
    const std::string name(trim(std::string_view(text).substr(0, equals)));
    const bool isName = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
        return std::isalnum(c) || c == '_' || c == '.';
    });
    if (equals == std::string::npos || !isName || text.substr(equals).starts_with("==")) {
        evaluate(text);
        return;
    }
    const std::string expression(trim(std::string_view(text).substr(equals + 1)));
    requireRun();
    const NodeRef node = nodeNamed(name);
    ++m_pending;
    m_control.send(SetValue{m_nextRequest++, node, expression});
}

void Console::print(const std::string& arguments) {
    evaluate(arguments);
}

void Console::display(const std::string& arguments) {
    if (arguments.empty()) {
        say(m_displays.empty() ? "nothing is displayed" : "displayed: " + join(m_displays, ", "));
        return;
    }
    if (std::find(m_displays.begin(), m_displays.end(), arguments) == m_displays.end())
        m_displays.push_back(arguments);
    if (m_displaysChanged)
        m_displaysChanged();
    if (m_stop || m_isOver)
        evaluate(arguments, "display " + arguments + ": ");
}

void Console::undisplay(const std::string& arguments) {
    if (arguments.empty())
        m_displays.clear();
    else if (std::erase(m_displays, arguments) == 0)
        throw Error("", "'" + arguments + "' is not displayed");
    if (m_displaysChanged)
        m_displaysChanged();
}

void Console::where(const std::string&) {
    if (!m_stop)
        throw Error("", "nothing is running");
    const Model& model = m_control.model();
    for (const DebugFrame& frame : m_stop->frames) {
        const Node& node = model.graph(frame.node.module).node(frame.node.node);
        if (m_stop->frames.size() > 1)
            say("graph " + (frame.graphPath.empty() ? "of the model" : frame.graphPath));
        const std::vector<ModuleFrame> modules = moduleFrames(node);
        for (size_t i = 0; i < modules.size(); ++i) {
            const bool isLooked =
                &frame == &m_stop->frames.back() && static_cast<int>(modules.size() - 1 - i) == m_level;
            say((isLooked ? "> " : "  ") + (modules[i].path.empty() ? "(root)" : modules[i].path) + "  " +
                shortTypeName(modules[i].type));
        }
        for (const SourceFrame& source : sourceFrames(node)) {
            say("  " + source.file + '(' + std::to_string(source.line) + ')' + source.function + "()");
            if (!source.code.empty())
                say("    -> " + source.code, ConsoleStyle::Dim);
        }
        say("  " + formatNode(model.graph(frame.node.module), node.id));
    }
}

void Console::moveLevel(int by) {
    if (!m_stop)
        throw Error("", "nothing is running");
    const NodeRef at = here();
    const std::vector<ModuleFrame> modules = moduleFrames(m_control.model().graph(at.module).node(at.node));
    const int most = std::max(0, static_cast<int>(modules.size()) - 1);
    if (by > 0 && m_level == most)
        throw Error("", "this is the outermost module");
    if (by < 0 && m_level == 0)
        throw Error("", "this is the innermost module");
    m_level = std::clamp(m_level + by, 0, most);
    if (modules.empty())
        return;
    const ModuleFrame& frame = modules[modules.size() - 1 - static_cast<size_t>(m_level)];
    say("> " + (frame.path.empty() ? "(root)" : frame.path) + "  " + shortTypeName(frame.type));
    // The user's frames run in step with the modules, as far as both are known.
    const std::vector<SourceFrame> sources = sourceFrames(m_control.model().graph(at.module).node(at.node));
    if (static_cast<size_t>(m_level) < sources.size()) {
        const SourceFrame& source = sources[sources.size() - 1 - static_cast<size_t>(m_level)];
        say("    " + source.file + '(' + std::to_string(source.line) + ")  " + source.code,
            ConsoleStyle::Dim);
    }
}

void Console::up(const std::string& arguments) {
    moveLevel(std::max(1, std::atoi(arguments.c_str())));
}

void Console::down(const std::string& arguments) {
    moveLevel(-std::max(1, std::atoi(arguments.c_str())));
}

void Console::listAround(NodeId center, int before, int after) {
    const NodeRef at = here();
    const Model& model = m_control.model();
    const PythonCode code(model, at.module);
    const std::string& source = code.text();
    const std::vector<std::string_view> lines = split(source, '\n');
    int middle = center ? code.lineOf(center) : 0;
    const bool isWithoutLine = middle < 0;
    if (isWithoutLine)
        middle = 3;
    const int last = std::min(static_cast<int>(lines.size()) - 1, middle + after);
    const std::vector<Breakpoint> breakpoints = m_control.breakpoints();
    for (int line = std::max(3, middle - before); line <= last; ++line) {
        const NodeId node = code.nodeAtLine(line);
        const bool isCurrent = node && m_stop && node == at.node;
        const bool hasBreakpoint =
            std::any_of(breakpoints.begin(), breakpoints.end(), [&](const Breakpoint& b) {
                return b.kind == Breakpoint::Kind::Node && b.node == NodeRef{at.module, node};
            });
        std::string number = std::to_string(line - 2);
        number.insert(0, 4 - std::min<size_t>(4, number.size()), ' ');
        say(number + (hasBreakpoint ? " B" : "  ") + (isCurrent ? "-> " : "   ") +
                std::string(lines[static_cast<size_t>(line)]),
            isCurrent ? ConsoleStyle::Plain : ConsoleStyle::Dim);
        if (node)
            m_listed = node;
    }
}

void Console::list(const std::string& arguments) {
    if (!arguments.empty()) {
        const NodeRef node = nodeNamed(arguments);
        if (node.module != here().module)
            throw Error("", "'" + arguments + "' is in another graph");
        listAround(node.node, 5, 5);
    } else if (m_listed && m_control.model().graph(here().module).node(m_listed).next) {
        listAround(m_control.model().graph(here().module).node(m_listed).next, 0, 10);
    } else {
        listAround(here().node, 5, 5);
    }
}

void Console::longList(const std::string&) {
    listAround(NodeId(), 0, 1 << 30);
}

void Console::args(const std::string&) {
    if (!m_stop)
        throw Error("", "nothing is running");
    const NodeRef at = here();
    const Graph& graph = m_control.model().graph(at.module);
    const Node& node = graph.node(at.node);
    say(formatNode(graph, node.id), ConsoleStyle::Dim);
    const TorchOperator* op = node.opcode == Opcode::CallFunction ? findOperator(node.target) : nullptr;
    const auto show = [&](const std::string& name, const Argument& argument) {
        std::string line =
            name + " = " + formatText(argument, [&](NodeId id) { return graph.node(id).name; });
        forEachNode(argument, [&](NodeId input) {
            if (const auto known = m_values.find({at.module, input}); known != m_values.end())
                line += "   " + valueMetaText(known->second);
        });
        say(replaceAll(line, "%", ""));
    };
    for (size_t i = 0; i < node.args.size(); ++i) {
        const bool isNamed = op && i < op->schema->arguments().size();
        show(isNamed ? op->schema->arguments()[i].name() : "argument " + std::to_string(i), node.args[i]);
    }
    for (const auto& [key, argument] : node.kwargs)
        show(key, argument);
    if (node.args.empty() && node.kwargs.empty())
        say("it has no arguments");
}

void Console::help(const std::string& arguments) {
    if (!arguments.empty()) {
        const Word* word = findWord(arguments);
        if (!word)
            throw Error("", "there is no word '" + arguments + "'; 'help' lists them");
        say(replaceAll(std::string(word->names), " ", ", ") + "  " + std::string(word->arguments));
        say("    " + std::string(word->help));
        return;
    }
    for (const Word& word : words()) {
        std::string left = replaceAll(std::string(word.names), " ", ", ");
        left += std::string(left.size() < 20 ? 20 - left.size() : 1, ' ');
        say(left + std::string(word.help));
    }
    say("Anything else is an expression over the values so far, with node names as variables.");
    say("NODE = EXPRESSION, or !NODE = EXPRESSION where NODE is a word of these, puts another value in place "
        "of "
        "the node's.");
}

} // namespace fx
