// SPDX-License-Identifier: GPL-3.0-or-later
// The console's words for looking around: the graphs and modules that lead here, the code, the arguments.
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/codegen/python_code.h"
#include "core/console/console.h"
#include "core/console/source_frames.h"
#include "core/ir/argument_text.h"
#include "core/ir/graph_text.h"
#include "core/module/scopes.h"
#include "core/torch/bind/operators.h"

#include <algorithm>

namespace fx {

std::vector<Console::Level> Console::levels() const {
    std::vector<Level> out;
    for (size_t graph = 0; graph < frames().size(); ++graph) {
        const NodeRef at = frames()[frames().size() - 1 - graph].node;
        const size_t modules = moduleFrames(m_control.model().graph(at.module).node(at.node)).size();
        for (size_t module = 0; module < std::max<size_t>(1, modules); ++module)
            out.push_back({graph, module});
    }
    return out;
}

size_t Console::selectedLevel() const {
    return !frames().empty() ? levels()[m_level].graph : 0;
}

const DebugFrame& Console::selectedFrame() const {
    return frames()[frames().size() - 1 - selectedLevel()];
}

namespace {

std::string moduleText(const ModuleFrame& module) {
    return (module.path.empty() ? "(root)" : module.path) + "  " + shortTypeName(module.type);
}

std::string graphText(const DebugFrame& frame) {
    return "graph " + (frame.graphPath.empty() ? "of the model" : frame.graphPath);
}

} // namespace

std::string gradientsText(const std::vector<GradientRecord>& records, const Model& model) {
    size_t values = 0, parameters = 0;
    std::vector<std::string> zero, unhealthy;
    for (const GradientRecord& record : records) {
        if (!record.absence.empty())
            continue;
        ++(record.node.node ? values : parameters);
        if (!record.node.node || (!record.health.isZero() && record.health.isFinite()))
            continue;
        (record.health.isZero() ? zero : unhealthy)
            .push_back(model.graph(record.node.module).node(record.node.node).name);
    }
    std::string out = "gradients of " + plural(values, "value") + " and " + plural(parameters, "parameter");
    const auto add = [&](const char* what, std::vector<std::string>& names) {
        constexpr size_t kMostShown = 8;
        const size_t left = names.size() - std::min(names.size(), kMostShown);
        names.resize(names.size() - left);
        if (!names.empty())
            out += std::string("; ") + what + ": " + join(names, ", ") +
                   (left ? " and " + std::to_string(left) + " more" : "");
    };
    add("all zero", zero);
    add("NaN or Inf", unhealthy);
    return out;
}

void Console::where(const std::string&) {
    if (frames().empty())
        throw Error("", "nothing is running");
    const Model& model = m_control.model();
    const Level selected = levels()[m_level];
    for (size_t i = 0; i < frames().size(); ++i) {
        const DebugFrame& frame = frames()[i];
        const Node& node = model.graph(frame.node.module).node(frame.node.node);
        const auto modules = moduleFrames(node);
        const bool isSelected = selected.graph == frames().size() - 1 - i;
        if (frames().size() > 1)
            say((isSelected && modules.empty() ? "> " : "") + graphText(frame));
        for (size_t m = 0; m < modules.size(); ++m)
            say((isSelected && selected.module == modules.size() - 1 - m ? "> " : "  ") +
                moduleText(modules[m]));
        for (const SourceFrame& source : sourceFrames(node)) {
            say("  " + source.file + '(' + std::to_string(source.line) + ')' + source.function + "()");
            if (!source.code.empty())
                say("    -> " + source.code, ConsoleStyle::Dim);
        }
        say("  " + formatNode(model.graph(frame.node.module), node.id));
    }
}

void Console::moveLevel(int by) {
    if (frames().empty())
        throw Error("", "nothing is running");
    const std::vector<Level> all = levels();
    const auto last = static_cast<int>(all.size()) - 1, now = static_cast<int>(m_level);
    if (by > 0 && now == last)
        throw Error("", "this is the outermost module");
    if (by < 0 && now == 0)
        throw Error("", "this is the innermost module");
    m_level = static_cast<size_t>(std::clamp(now + by, 0, last));
    m_listed = {};
    const DebugFrame& frame = selectedFrame();
    const Node& node = m_control.model().graph(frame.node.module).node(frame.node.node);
    const auto modules = moduleFrames(node);
    const size_t module = all[m_level].module;
    std::string text = frames().size() > 1 ? graphText(frame) + ", at " + node.name : "";
    if (!modules.empty())
        text += (text.empty() ? "" : ": ") + moduleText(modules[modules.size() - 1 - module]);
    say("> " + text);
    // The user's frames run in step with the modules, as far as both are known.
    const std::vector<SourceFrame> sources = sourceFrames(node);
    if (module < sources.size()) {
        const SourceFrame& source = sources[sources.size() - 1 - module];
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
    const std::vector<Breakpoint> breakpoints = m_control.run().breakpoints();
    for (int line = std::max(3, middle - before); line <= last; ++line) {
        const NodeId node = code.nodeAtLine(line);
        const bool isCurrent = node && !frames().empty() && node == at.node;
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
            m_listed = {at.module, node};
    }
}

void Console::list(const std::string& arguments) {
    if (!arguments.empty()) {
        const NodeRef node = nodeNamed(arguments);
        if (node.module != here().module)
            throw Error("", "'" + arguments + "' is in another graph");
        listAround(node.node, 5, 5);
        return;
    }
    const Graph& graph = m_control.model().graph(here().module);
    const bool goesOn = m_listed.module == here().module && graph.contains(m_listed.node);
    if (goesOn && graph.node(m_listed.node).next)
        listAround(graph.node(m_listed.node).next, 0, 10);
    else
        listAround(here().node, 5, 5);
}

void Console::longList(const std::string&) {
    listAround(NodeId(), 0, 1 << 30);
}

void Console::whatIs(const std::string& arguments) {
    const NodeRef at = arguments.empty() ? here() : nodeNamed(arguments);
    if (!at.node)
        throw Error("", "nothing is running: name a node");
    const Node& node = m_control.model().graph(at.module).node(at.node);
    const NodeRecord* record = m_control.run().values().record(at);
    const ValueMeta* value = record ? &record->value : knownValue(node.meta);
    if (!value)
        throw Error(node.name, "has not run, and no value is recorded with it");
    const bool isOld = record && m_control.run().values().isStale(at);
    say(node.name + ": " + valueMetaText(*value) +
        (!record ? "   as recorded with the node"
         : isOld ? "   before the last edit"
                 : ""));
}

void Console::args(const std::string&) {
    if (frames().empty())
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
            if (const NodeRecord* known = m_control.run().values().record({at.module, input}))
                line += "   " + valueMetaText(known->value);
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

} // namespace fx
