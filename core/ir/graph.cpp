// SPDX-License-Identifier: GPL-3.0-or-later
// The list of nodes, and each change done and undone.
#include "core/ir/graph.h"

#include "core/base/overloaded.h"

#include <cmath>
#include <limits>

namespace fx {

NodeId changedNode(const GraphChange& change) {
    return std::visit(
        [](const auto& step) {
            if constexpr (requires { step.node; })
                return step.node;
            else
                return NodeId();
        },
        change);
}

std::vector<NodeId> inputsAround(const GraphChange& change) {
    std::vector<NodeId> out;
    const auto add = [&](const CallArguments& arguments) {
        for (const InputUse& use : arguments.inputs)
            out.push_back(use.node);
    };
    if (const auto* created = std::get_if<NodeCreated>(&change))
        add(created->arguments);
    if (const auto* erased = std::get_if<NodeErased>(&change))
        add(erased->arguments);
    if (const auto* changed = std::get_if<ArgumentsChanged>(&change)) {
        add(changed->before);
        add(changed->after);
    }
    return out;
}

const Argument* Node::keyword(std::string_view key) const {
    for (const auto& [name, value] : kwargs)
        if (name == key)
            return &value;
    return nullptr;
}

NodeId Graph::find(std::string_view name) const {
    for (const Node& node : *this)
        if (node.name == name)
            return node.id;
    return {};
}

std::vector<NodeId> Graph::findNodes(Opcode opcode, std::optional<Target> target) const {
    std::vector<NodeId> found;
    for (const Node& node : *this)
        if (node.opcode == opcode && (!target || node.target == *target))
            found.push_back(node.id);
    return found;
}

NodeId Graph::outputNode() const {
    return m_last && node(m_last).opcode == Opcode::Output ? m_last : NodeId();
}

void Graph::link(NodeId id, NodeId before) {
    Node& node = at(id);
    node.next = before;
    node.previous = before ? at(before).previous : m_last;
    (node.previous ? at(node.previous).next : m_first) = id;
    (before ? at(before).previous : m_last) = id;
    node.isErased = false;
    ++m_size;

    constexpr uint64_t kStep = uint64_t(1) << 32;
    const uint64_t low = node.previous ? at(node.previous).order : 0;
    if (!before && low <= std::numeric_limits<uint64_t>::max() - kStep) {
        node.order = low + kStep;
        return;
    }
    const uint64_t high = before ? at(before).order : std::numeric_limits<uint64_t>::max();
    node.order = low + (high - low) / 2;
    if (node.order == low)
        makeRoom(id);
}

/// Spreads the orders around a node that has none of its own: in the smallest block of orders, aligned to its
/// size, that is sparse enough. Larger blocks must be sparser, so that each is spread seldom and the costs of
/// an insertion grow with the logarithm of the size alone (Bender et al., "Two simplified algorithms for
/// maintaining order in a list", 2002).
void Graph::makeRoom(NodeId id) {
    constexpr int kSmallest = 6, kLargest = 63;
    constexpr double kSparseness = 1.4;
    NodeId first = id, last = id;
    size_t count = 1;
    double most = std::pow(2 / kSparseness, kSmallest - 1);
    for (int bits = kSmallest; bits <= kLargest; ++bits) {
        const uint64_t size = uint64_t(1) << bits, begin = at(id).order & ~(size - 1);
        most *= 2 / kSparseness;
        for (NodeId left; (left = at(first).previous) && at(left).order >= begin; ++count)
            first = left;
        for (NodeId right; (right = at(last).next) && at(right).order - begin < size; ++count)
            last = right;
        if (bits<kLargest&& static_cast<double>(count)> most)
            continue;
        const uint64_t step = size / (count + 1);
        uint64_t order = begin;
        for (NodeId each = first;; each = node(each).next) {
            at(each).order = order += step;
            if (each == last)
                return;
        }
    }
}

void Graph::unlink(NodeId id) {
    Node& node = at(id);
    (node.previous ? at(node.previous).next : m_first) = node.next;
    (node.next ? at(node.next).previous : m_last) = node.previous;
    node.isErased = true;
    --m_size;
}

void Graph::setArguments(NodeId id, const CallArguments& arguments) {
    Node& node = at(id);
    for (const InputUse& use : node.inputs)
        at(use.node).users.erase(use.sequence);
    for (const InputUse& use : arguments.inputs)
        at(use.node).users.insert(use.sequence, id);
    node.args = arguments.args;
    node.kwargs = arguments.kwargs;
    node.inputs = arguments.inputs;
}

void Graph::forgetInputs(NodeId id) {
    Node& node = at(id);
    const auto nothing = [](NodeId) -> Argument { return {}; };
    for (const InputUse& use : node.inputs)
        at(use.node).users.erase(use.sequence);
    if (!node.inputs.empty()) {
        for (Argument& argument : node.args)
            argument = argument.node() ? Argument() : mapNodes(argument, nothing);
        for (auto& [key, argument] : node.kwargs)
            argument = mapNodes(argument, nothing);
    }
    node.inputs.clear();
}

void Graph::apply(const GraphChange& change) {
    std::visit(Overloaded{
                   [&](const NodeCreated& step) {
                       // An edit that failed elsewhere has used up ids: its nodes are holes here.
                       while (!knows(step.node)) {
                           Node& node = m_nodes.emplace_back();
                           node.id = NodeId{static_cast<int32_t>(m_nodes.size()) - 1};
                           node.isErased = true;
                       }
                       Node& node = at(step.node);
                       node.name = step.grant.name;
                       node.opcode = step.opcode;
                       node.target = step.target;
                       node.meta = step.meta;
                       m_names.take(step.grant);
                       link(step.node, step.before);
                       setArguments(step.node, step.arguments);
                   },
                   [&](const NodeErased& step) {
                       forgetInputs(step.node);
                       unlink(step.node);
                   },
                   [&](const NodeMoved& step) {
                       unlink(step.node);
                       link(step.node, step.to);
                   },
                   [&](const ArgumentsChanged& step) { setArguments(step.node, step.after); },
                   [&](const NodeRenamed& step) {
                       if (step.grant)
                           m_names.take(*step.grant);
                       at(step.node).name = step.after;
                   },
                   [&](const CalleeChanged& step) {
                       at(step.node).opcode = step.after.opcode;
                       at(step.node).target = step.after.target;
                   },
                   [&](const TypeChanged& step) { at(step.node).type = step.after; },
                   [&](const MetaChanged& step) { at(step.node).meta.set(step.key, step.after); },
                   [&](const SignatureChanged& step) { m_signature = step.after.toOptional(); },
               },
               change);
}

void Graph::revert(const GraphChange& change) {
    std::visit(Overloaded{
                   [&](const NodeCreated& step) {
                       setArguments(step.node, {});
                       unlink(step.node);
                       m_names.giveBack(step.grant);
                   },
                   [&](const NodeErased& step) {
                       link(step.node, step.before);
                       setArguments(step.node, step.arguments);
                   },
                   [&](const NodeMoved& step) {
                       unlink(step.node);
                       link(step.node, step.from);
                   },
                   [&](const ArgumentsChanged& step) { setArguments(step.node, step.before); },
                   [&](const NodeRenamed& step) {
                       if (step.grant)
                           m_names.giveBack(*step.grant);
                       at(step.node).name = step.before;
                   },
                   [&](const CalleeChanged& step) {
                       at(step.node).opcode = step.before.opcode;
                       at(step.node).target = step.before.target;
                   },
                   [&](const TypeChanged& step) { at(step.node).type = step.before; },
                   [&](const MetaChanged& step) { at(step.node).meta.set(step.key, step.before); },
                   [&](const SignatureChanged& step) { m_signature = step.before.toOptional(); },
               },
               change);
}

} // namespace fx
