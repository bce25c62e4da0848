// SPDX-License-Identifier: GPL-3.0-or-later
// Written nodes are matched with the graph's: by name first, then, for what is left between two matches, by
// what is called, so that a new name renames the node. What has no counterpart comes or goes.
#include "core/rewrite/code_edit.h"

#include "core/base/error.h"
#include "core/codegen/code_names.h"
#include "core/rewrite/code_reader.h"

#include <algorithm>

namespace fx {

namespace {

class CodeMerge {
public:
    CodeMerge(Edit& edit, std::vector<WrittenNode> written) : m_edit(edit), m_written(std::move(written)) {}

    CodeEdit run() {
        match();
        const bool hasRenamed = rename(), hasCreated = create(), hasMoved = order(), hasErased = erase();
        return {hasRenamed || hasCreated || hasMoved || hasErased, std::move(m_calls)};
    }

private:
    const Node& node(NodeId id) const { return m_edit.node(id); }

    /// The name by which the code speaks of a node.
    std::string codeName(const Node& node, const CodeNames& names) const { return names.local(node); }

    bool isSameCall(const Node& node, const WrittenNode& written) const {
        return node.opcode == written.opcode &&
               (node.opcode == Opcode::Output || node.target == written.target);
    }

    void match() {
        CodeNames names;
        std::vector<NodeId> all;
        for (const Node& node : m_edit.graph())
            all.push_back(node.id);
        names.update(m_edit.graph(), all);
        m_nodes.assign(m_written.size(), NodeId());
        std::unordered_map<std::string, NodeId> byName;
        for (NodeId id : all)
            byName[node(id).opcode == Opcode::Placeholder ? "placeholder " + node(id).target.name()
                   : node(id).opcode == Opcode::Output    ? "output"
                                                          : codeName(node(id), names)] = id;
        for (size_t i = 0; i < m_written.size(); ++i) {
            const WrittenNode& written = m_written[i];
            const std::string name = written.opcode == Opcode::Placeholder
                                         ? "placeholder " + written.target.name()
                                     : written.opcode == Opcode::Output ? "output"
                                                                        : written.name;
            const auto found = byName.find(name);
            if (name.empty() || found == byName.end())
                continue;
            m_nodes[i] = found->second;
            m_kept.insert(found->second);
            byName.erase(found);
        }
        // A node whose variable has another name now: the one that is called alike, in the same gap.
        std::vector<NodeId> left;
        for (NodeId id : all)
            if (!m_kept.contains(id))
                left.push_back(id);
        for (size_t i = 0; i < m_written.size(); ++i) {
            if (m_nodes[i])
                continue;
            const auto found = std::find_if(left.begin(), left.end(), [&](NodeId id) {
                return isSameCall(node(id), m_written[i]) && isBetweenNeighbours(i, id);
            });
            if (found == left.end())
                continue;
            m_nodes[i] = *found;
            m_kept.insert(*found);
            m_renamed.push_back(i);
            left.erase(found);
        }
    }

    bool isBetweenNeighbours(size_t index, NodeId id) const {
        for (size_t i = index; i-- > 0;)
            if (m_nodes[i] && m_written[i].opcode != Opcode::Placeholder)
                return m_edit.graph().precedes(m_nodes[i], id);
        return true;
    }

    bool rename() {
        for (size_t i : m_renamed) {
            if (m_written[i].opcode == Opcode::Placeholder)
                m_edit.setTarget(m_nodes[i], m_written[i].target);
            if (!m_written[i].name.empty())
                m_edit.rename(m_nodes[i], m_written[i].name);
        }
        return !m_renamed.empty();
    }

    Argument mapped(NodeId index) const { return m_nodes[static_cast<size_t>(index.value)]; }

    bool create() {
        const auto map = [this](NodeId index) { return mapped(index); };
        bool hasChanged = false;
        NodeId last;
        for (size_t i = 0; i < m_written.size(); ++i) {
            const WrittenNode& written = m_written[i];
            Arguments args = mapNodes(written.args, map);
            Keywords kwargs = mapNodes(written.kwargs, map);
            if (!m_nodes[i]) {
                hasChanged = true;
                const auto point =
                    last ? m_edit.insertingAfter(last) : m_edit.insertingBefore(m_edit.graph().first());
                m_nodes[i] = m_edit.createNode(
                    written.opcode, written.target, std::move(args), std::move(kwargs),
                    written.name.empty() ? std::nullopt : std::optional<std::string_view>(written.name),
                    written.type);
                m_kept.insert(m_nodes[i]);
                if (written.opcode != Opcode::Placeholder && written.opcode != Opcode::Output)
                    m_calls.push_back(m_nodes[i]);
            } else {
                const Node& old = node(m_nodes[i]);
                if (!isSameCall(old, written)) {
                    m_edit.setCallee(m_nodes[i], written.opcode, written.target);
                    m_calls.push_back(m_nodes[i]);
                    hasChanged = true;
                }
                if (!(node(m_nodes[i]).args == args)) {
                    m_edit.setArgs(m_nodes[i], std::move(args));
                    hasChanged = true;
                }
                if (!(node(m_nodes[i]).kwargs == kwargs)) {
                    m_edit.setKwargs(m_nodes[i], std::move(kwargs));
                    hasChanged = true;
                }
            }
            last = m_nodes[i];
        }
        return hasChanged;
    }

    /// Moves nodes to where the text has their lines. The text has no lines for inputs: they stay, unless a
    /// line reads one that comes later; then all inputs go first.
    bool order() {
        const bool hasMoved = order(false);
        return readsTooEarly() ? order(true) || hasMoved : hasMoved;
    }

    bool order(bool areInputsFirst) {
        bool hasChanged = false;
        NodeId lastInput, lastLine;
        for (size_t i = 0; i < m_nodes.size(); ++i) {
            const bool isInput = m_written[i].opcode == Opcode::Placeholder;
            NodeId& last = isInput ? lastInput : lastLine;
            const NodeId before = !isInput && !lastLine && areInputsFirst ? lastInput : last;
            if (before && m_nodes[i] != before && !m_edit.graph().precedes(before, m_nodes[i])) {
                m_edit.moveAfter(m_nodes[i], before);
                hasChanged = true;
            }
            last = m_nodes[i];
        }
        return hasChanged;
    }

    bool readsTooEarly() const {
        return std::ranges::any_of(m_nodes, [&](NodeId id) {
            return std::ranges::any_of(node(id).inputs, [&](const InputUse& use) {
                return node(use.node).opcode == Opcode::Placeholder && !m_edit.graph().precedes(use.node, id);
            });
        });
    }

    bool erase() {
        std::vector<NodeId> gone;
        for (const Node& node : m_edit.graph())
            if (!m_kept.contains(node.id))
                gone.push_back(node.id);
        for (size_t i = gone.size(); i-- > 0;)
            m_edit.eraseNode(gone[i]);
        return !gone.empty();
    }

    Edit& m_edit;
    std::vector<WrittenNode> m_written;
    std::vector<NodeId> m_nodes; ///< of the graph, one for each written one
    std::unordered_set<NodeId> m_kept;
    std::vector<size_t> m_renamed;
    std::vector<NodeId> m_calls;
};

} // namespace

CodeEdit applyCode(Edit& edit, const std::string& code) {
    return CodeMerge(edit, readCode(edit.model(), edit.module(), code)).run();
}

} // namespace fx
