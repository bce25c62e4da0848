// SPDX-License-Identifier: GPL-3.0-or-later
// What is said and answered, and the words for values. Those for running are in console_running.cpp, those
// for looking around in console_looking.cpp, those for breakpoints in console_breakpoints.cpp.
#include "core/console/console.h"

#include "core/base/error.h"
#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/console/source_frames.h"

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
        {"reverse-step rs", "", "go back by one node of this graph", &Console::reverseStep},
        {"reverse-continue rc", "",
         "go back to the last breakpoint before, to where something displayed changes, or to the first node",
         &Console::reverseContinue},
        {"run restart", "", "start the run anew", &Console::run},
        {"rerun", "NODE", "run a node and all that depends on it again; the run pauses before the node",
         &Console::rerun},
        {"where w bt", "", "show the graphs, modules and source lines that lead here", &Console::where},
        {"up u", "[COUNT]", "look at the module or graph that called this one; names are then of that graph",
         &Console::up},
        {"down d", "[COUNT]", "look at the module or graph further in", &Console::down},
        {"list l", "[NODE]", "show the code around this node, or further on", &Console::list},
        {"longlist ll", "", "show the code of the whole graph", &Console::longList},
        {"args a", "", "show the arguments of the node that runs next", &Console::args},
        {"whatis", "[NODE]", "show the type of a node's value, of this run or as recorded", &Console::whatIs},
        {"details", "", "show all of the last error", &Console::details},
        {"p", "EXPRESSION", "print the value of an expression: p x.mean()", &Console::print},
        {"pp", "EXPRESSION", "the same", &Console::print},
        {"why", "NODE [nan | inf | zero | > LIMIT | @FILE]",
         "find the node that first gave such a value, or another one than the run that a file has, of those "
         "that the node's value comes from",
         &Console::why},
        {"display", "[EXPRESSION]",
         "print an expression at every stop where it has changed; without one, list them", &Console::display},
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
    if (m_isProgramRunning) {
        m_waiting.push_back(line);
        return;
    }
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
    if (word && arguments.starts_with('=') && !arguments.starts_with("=="))
        word = nullptr; // n = nodes['relu']
    if (!word || word->run != &Console::list)
        m_listed = {}; // a list that follows another goes on where that ended
    try {
        if (word)
            (this->*word->run)(arguments);
        else
            evaluateOrAssign(text.starts_with('!') ? text.substr(1) : text);
    } catch (const Error& error) {
        sayFault("*** " + wholeText(error));
    }
}

void Console::say(const std::string& text, ConsoleStyle style) {
    m_write(shownPart(text, kOutputLimits), style);
}

void Console::sayFault(const std::string& fault) {
    m_lastFault = fault;
    const std::string brief = shownPart(briefFault(fault), kErrorLimits);
    say(brief, ConsoleStyle::Fault);
    if (brief != fault)
        say("'details' shows all of it", ConsoleStyle::Dim);
}

void Console::details(const std::string&) {
    say(m_lastFault.empty() ? "nothing has failed" : m_lastFault);
}

NodeRef Console::here() const {
    if (!frames().empty())
        return selectedFrame().node;
    return {m_control.model().root(), NodeId()};
}

NodeRef Console::nodeNamed(const std::string& name) const {
    const Model& model = m_control.model();
    const ModuleId innermost = !frames().empty() ? frames().back().node.module : model.root();
    for (const ModuleId module : {here().module, innermost, model.root()})
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

void Console::handle(const DebugEvent& event) {
    if (std::get_if<Paused>(&event)) {
        m_level = 0;
        m_listed = {};
        tellStop();
    } else if (const auto* finished = std::get_if<Finished>(&event)) {
        say("finished: " + finished->result, ConsoleStyle::Result);
        for (const std::string& note : finished->notes)
            say("warning: " + note, ConsoleStyle::Fault);
        if (const auto& wrong = m_control.run().nonFinite())
            say("the result holds " + wrong->text(m_control.model()) + "; 'why " +
                    m_control.model().graph(wrong->first.module).node(wrong->first.node).name +
                    "' shows the element and its inputs",
                ConsoleStyle::Fault);
    } else if (const auto* failed = std::get_if<Failed>(&event)) {
        m_level = 0; // of the frames where the run failed, which can be inspected
        m_listed = {};
        sayFault("error: " + (failed->place.empty() ? "" : failed->place + ": ") + failed->message);
    } else if (std::get_if<Stopped>(&event)) {
        if (!state().isCut) // else the edit was reported
            say("stopped");
    } else if (const auto* done = std::get_if<Differentiated>(&event)) {
        say("loss: " + done->loss, ConsoleStyle::Result);
        say(gradientsText(done->records, m_control.model()), ConsoleStyle::Dim);
    } else if (const auto* gone = std::get_if<ValuesGone>(&event)) {
        const Failed* failed = state().failure();
        say("the values of the run are lost" +
                (failed && failed->message == gone->why ? std::string() : ": " + gone->why),
            ConsoleStyle::Dim);
    } else if (const auto* begun = std::get_if<GoesOn>(&event)) {
        say(begun->whyAll.empty()
                ? std::to_string(begun->kept) + " of " + plural(m_control.model().graph().size(), "node") +
                      " keep their values"
                : "all nodes run again: " + begun->whyAll,
            ConsoleStyle::Dim);
    }
}

void Console::tellStop() {
    const NodeRef at = here();
    const Node& node = m_control.model().graph(at.module).node(at.node);
    std::string text;
    const Paused& stop = state().stop;
    switch (stop.reason) {
    case Paused::Reason::Changed:
        say(stop.changed + " changes here:");
        [[fallthrough]];
    case Paused::Reason::Step:
        text = "> ";
        break;
    case Paused::Reason::Entry:
        text = "paused at the first node: ";
        break;
    case Paused::Reason::Breakpoint:
        text = "stopped at breakpoint " + std::to_string(stop.breakpoint) + ": ";
        break;
    case Paused::Reason::NonFinite:
        text = "stopped, because the value before holds NaN or Inf; next: ";
        break;
    }
    const std::string source = sourceText(node);
    const std::string path = frames().back().graphPath;
    say(shownPart(text + (path.empty() ? "" : path + '.') + node.name +
                  (source.empty() ? "" : "  (" + source + ')')));
    if (const std::optional<SourceFrame> frame = sourceOf(node); frame && !frame->code.empty())
        say(shownPart("    " + frame->code), ConsoleStyle::Dim);
    if (!stop.note.empty())
        say(stop.note, ConsoleStyle::Fault);
    for (Display& display : m_displays)
        if (!m_displaysChanged && (!display.graph || display.graph == at.module))
            ask(display);
}

// --- Looking

void Console::requireRun() const {
    if (!hasValues())
        throw Error("", "nothing is running, so there are no values; 'run' starts");
}

void Console::evaluate(const std::string& expression) {
    if (trim(expression).empty())
        throw Error("", "an expression is expected");
    if (isProgram(expression)) {
        runProgram(expression);
        return;
    }
    requireRun();
    m_control.run().ask(Evaluate{0, expression, selectedLevel()},
                        [this](const Answer& answer) { take(answer); });
}

void Console::take(const Answer& answer) {
    if (answer.isError)
        sayFault("*** " + answer.text);
    else if (!answer.text.empty())
        say(answer.text, ConsoleStyle::Result);
}

void Console::takeDisplay(const std::string& expression, const Answer& answer) {
    const auto style = answer.isError ? ConsoleStyle::Fault : ConsoleStyle::Result;
    const auto display = std::ranges::find(m_displays, expression, &Display::expression);
    if (display == m_displays.end())
        return;
    // What is displayed at every stop fails in one line.
    const std::string text =
        answer.isError ? "*** " + answer.text.substr(0, answer.text.find('\n')) : answer.text;
    const std::optional<std::string> old = std::exchange(display->text, text);
    const bool isSame = old == text && display->content == answer.content;
    display->content = answer.content;
    if (!old || !isSame)
        say("display " + display->expression + ": " + text + (old ? "  [old: " + *old + ']' : ""), style);
}

/// "relu = relu * 0" puts another value in place of the node's; "relu == y" is an expression.
void Console::evaluateOrAssign(const std::string& text) {
    if (isProgram(text)) {
        runProgram(text);
        return;
    }
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
    m_control.run().ask(SetValue{0, node, expression}, [this](const Answer& answer) { take(answer); });
}

void Console::print(const std::string& arguments) {
    evaluate(arguments);
}

void Console::why(const std::string& arguments) {
    requireRun();
    const size_t blank = arguments.find_first_of(" \t>");
    const NodeRef node = nodeNamed(arguments.substr(0, blank));
    const std::string what(blank == std::string::npos ? std::string_view()
                                                      : trim(std::string_view(arguments).substr(blank)));
    const bool isFile = what.starts_with('@');
    m_control.run().ask(FindOrigin{0, node, isFile ? "" : what, isFile ? what.substr(1) : ""},
                        [this](const Answer& answer) { take(answer); });
}

void Console::ask(Display& display) {
    m_control.run().ask(
        Evaluate{0, display.expression, selectedLevel(), true},
        [this, expression = display.expression](const Answer& answer) { takeDisplay(expression, answer); });
}

void Console::display(const std::string& arguments) {
    if (arguments.empty()) {
        say(m_displays.empty() ? "nothing is displayed" : "displayed:");
        for (const Display& each : m_displays)
            say(each.expression + (each.text ? ": " + *each.text : ""));
        return;
    }
    auto known = std::ranges::find(m_displays, arguments, &Display::expression);
    if (known == m_displays.end())
        known = m_displays.insert(known, {arguments});
    known->graph = here().module;
    known->text.reset();
    if (m_displaysChanged)
        m_displaysChanged();
    if (hasValues())
        ask(*known);
}

void Console::undisplay(const std::string& arguments) {
    if (arguments.empty())
        m_displays.clear();
    else if (std::erase_if(m_displays, [&](const Display& each) { return each.expression == arguments; }) ==
             0)
        throw Error("", "'" + arguments + "' is not displayed");
    if (m_displaysChanged)
        m_displaysChanged();
}

std::vector<std::string> Console::displays() const {
    std::vector<std::string> out;
    for (const Display& display : m_displays)
        out.push_back(display.expression);
    return out;
}

void Console::setDisplays(const std::vector<std::string>& displays) {
    m_displays.clear();
    for (const std::string& expression : displays)
        m_displays.push_back({expression});
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
    say("After a run with gradients, grad('NAME') is that of a node, or of a parameter by its path.");
    say("gm, graph, nodes['NAME'] and selection are torch.fx's objects: lines that name them, and statements "
        "such as "
        "for, edit the graph, each as one step of undo.");
    say("NODE = EXPRESSION, or !NODE = EXPRESSION where NODE is a word of these, puts another value in place "
        "of "
        "the node's.");
}

} // namespace fx
