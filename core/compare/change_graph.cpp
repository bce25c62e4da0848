// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/change_graph.h"

#include "core/module/edit.h"

namespace fx {

namespace {

constexpr std::string_view kTexts[] = {"added",   "removed",         "another call",
                                       "rewired", "other arguments", "renamed"};

NodeChange changeOf(const ChangedNode& node) {
    return node.isOtherCall         ? NodeChange::OtherCall
           : node.isRewired         ? NodeChange::Rewired
           : node.hasOtherArguments ? NodeChange::OtherArguments
                                    : NodeChange::Renamed;
}

/// Puts the nodes of one graph that another has not into that.
class GhostWriter {
public:
    GhostWriter(const Graph& from, Edit& edit, const NodeMatch& match) : m_from(from), m_edit(edit) {
        for (const NodePair& pair : match.pairs)
            m_here[pair.a] = pair.b;
    }

    NodeId write(NodeId id) {
        const Node& node = m_from.node(id);
        const NodeId before = placeOf(node);
        const Edit::InsertPoint point = before ? m_edit.insertingAfter(before) : m_edit.insertingBefore({});
        const NodeId made =
            m_edit.nodeCopy(node, [this](NodeId input) -> Argument { return m_here.at(input); });
        m_edit.setName(made, node.name); // the one it had, though another may have it now
        m_here[id] = made;
        return made;
    }

private:
    /// The last of what it reads and of what stood before it; none at the beginning.
    NodeId placeOf(const Node& node) const {
        NodeId last;
        const auto take = [&](NodeId other) {
            const auto here = m_here.find(other);
            if (here != m_here.end() && m_edit.node(here->second).opcode != Opcode::Output &&
                (!last || m_edit.graph().precedes(last, here->second)))
                last = here->second;
        };
        for (const InputUse& input : node.inputs)
            take(input.node);
        NodeId previous = node.previous;
        while (previous && (m_from.node(previous).isErased || !m_here.contains(previous)))
            previous = m_from.node(previous).previous;
        take(previous);
        return last;
    }

    const Graph& m_from;
    Edit& m_edit;
    std::map<NodeId, NodeId> m_here; ///< by the node of the first graph
};

} // namespace

std::string_view nodeChangeText(NodeChange change) {
    return kTexts[static_cast<size_t>(change)];
}

ChangeGraph changeGraph(const Model& a, const Model& b, const ModelDiff& diff) {
    ChangeGraph out{b, {}};
    for (const ChangedNode& node : diff.changed)
        out.changes[node.nodes.b] = changeOf(node);
    for (const NodeId added : diff.match.onlyB)
        out.changes[added] = NodeChange::Added;
    Edit edit(out.model, Edit::WithoutHistory());
    GhostWriter ghosts(a.graph(), edit, diff.match);
    for (const NodeId removed : diff.match.onlyA)
        if (a.graph().node(removed).opcode != Opcode::Output)
            out.changes[ghosts.write(removed)] = NodeChange::Removed;
    edit.finish();
    return out;
}

} // namespace fx
