// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/later_runs.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace fx {

namespace {

bool isLoop(const Node& node) {
    static constexpr std::string_view kLoops[] = {"while_loop", "map_impl", "scan", "associative_scan"};
    return node.target.isHigherOrder() &&
           std::find(std::begin(kLoops), std::end(kLoops), node.target.functionName()) != std::end(kLoops);
}

/// The graphs that the node calls, or may call.
std::vector<ModuleId> graphsCalled(const Model& model, ModuleId module, const Node& node) {
    std::vector<ModuleId> out;
    const auto take = [&](const std::string& path) {
        const ModuleId callee = model.resolve(module, path).module;
        if (callee && model.module(callee).graph)
            out.push_back(callee);
    };
    if (node.opcode == Opcode::CallModule)
        take(node.target.name());
    else if (node.target.isHigherOrder())
        for (const InputUse& use : node.inputs)
            if (const Node& input = model.graph(module).node(use.node); input.opcode == Opcode::GetAttr)
                take(input.target.name());
    return out;
}

} // namespace

LaterRuns::LaterRuns(const Model& model, NodeRef node) : m_model(model), m_node(node) {
    look(model.root());
}

bool LaterRuns::isLeading(ModuleId graph) {
    if (!m_last.contains(graph))
        look(graph);
    return bool(m_last.at(graph));
}

void LaterRuns::look(ModuleId graph) {
    m_last[graph] = NodeId(); // what calls itself in a circle leads nowhere new
    NodeId last;
    for (const Node& node : m_model.graph(graph)) {
        const std::vector<ModuleId> called = graphsCalled(m_model, graph, node);
        const bool leads = std::ranges::any_of(called, [&](ModuleId callee) { return isLeading(callee); });
        if (leads && isLoop(node))
            m_loops.insert({graph, node.id});
        if (leads || NodeRef{graph, node.id} == m_node)
            last = node.id;
    }
    m_last[graph] = last;
}

bool LaterRuns::mayCome(const FrameStack& frames) const {
    for (const RunningFrame& frame : frames) {
        const auto found = m_last.find(frame.node.module);
        const NodeId last = found == m_last.end() ? NodeId() : found->second;
        if (!last)
            continue;
        const bool isInnermost = &frame == &frames.back();
        const bool isCallToCome = isInnermost && frame.node.node == last && frame.node != m_node;
        if (isCallToCome || m_model.graph(frame.node.module).precedes(frame.node.node, last) ||
            (!isInnermost && m_loops.contains(frame.node)))
            return true;
    }
    return false;
}

} // namespace fx
