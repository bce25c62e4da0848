// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/diagram.h"

#include "core/base/text.h"
#include "core/ir/argument_text.h"

#include <algorithm>
#include <functional>
#include <map>

namespace fx {

int Diagram::boxOf(NodeId node) const {
    const auto found = boxByNode.find(node);
    return found == boxByNode.end() ? -1 : found->second;
}

namespace {

class Builder {
public:
    Builder(const Graph& graph, const ScopeTree& scopes, const DiagramOptions& options)
        : m_graph(graph), m_scopes(scopes), m_options(options) {}

    Diagram build() {
        addScope(0, -1);
        addEdges();
        return std::move(m_out);
    }

private:
    bool isHidden(const Node& node) const {
        return node.opcode == Opcode::GetAttr && !m_options.showsWeights;
    }

    void addScope(int index, int parent) {
        const Scope& scope = m_scopes.scope(index);
        for (NodeId id : scope.nodes) {
            if (isHidden(m_graph.node(id)))
                continue;
            m_out.boxByNode[id] = static_cast<int>(m_out.boxes.size());
            m_out.boxes.push_back({DiagramBox::Kind::Node, id, index, parent});
        }
        for (int child : scope.children) {
            const int box = static_cast<int>(m_out.boxes.size());
            const bool isExpanded = m_options.expandedScopes.contains(m_scopes.scope(child).path);
            m_out.boxes.push_back(
                {isExpanded ? DiagramBox::Kind::ExpandedScope : DiagramBox::Kind::CollapsedScope, NodeId(),
                 child, parent});
            if (isExpanded)
                addScope(child, box);
            else
                assign(child, box);
        }
    }

    void assign(int scope, int box) {
        for (NodeId id : m_scopes.scope(scope).nodes)
            m_out.boxByNode[id] = box;
        for (int child : m_scopes.scope(scope).children)
            assign(child, box);
    }

    void addEdges() {
        for (const Node& node : m_graph) {
            const int from = m_out.boxOf(node.id);
            if (from < 0)
                continue;
            // One edge to each box that reads the value, however many nodes in it do.
            std::vector<int> readers;
            for (NodeId user : node.users) {
                const int to = m_out.boxOf(user);
                if (to >= 0 && to != from && std::find(readers.begin(), readers.end(), to) == readers.end())
                    readers.push_back(to);
            }
            const bool isHub = readers.size() > m_options.hubLimit;
            for (int to : readers) {
                int source = from;
                // The first reader keeps its wire to a value that is computed: it shows where the flow goes
                // on.
                if (isHub && (to != readers.front() || node.opcode == Opcode::GetAttr)) {
                    source = static_cast<int>(m_out.boxes.size());
                    const DiagramBox& reader = m_out.boxes[static_cast<size_t>(to)];
                    const int scope = reader.kind == DiagramBox::Kind::Node
                                          ? reader.scope
                                          : m_scopes.scope(reader.scope).parent;
                    m_out.boxes.push_back({DiagramBox::Kind::Stub, node.id, scope, reader.parent});
                }
                m_out.edges.push_back({source, to, node.id, {}});
            }
        }
    }

    const Graph& m_graph;
    const ScopeTree& m_scopes;
    const DiagramOptions& m_options;
    Diagram m_out;
};

} // namespace

Diagram buildDiagram(const Graph& graph, const ScopeTree& scopes, const DiagramOptions& options) {
    return Builder(graph, scopes, options).build();
}

std::set<std::string> scopesToExpand(const Graph&, const ScopeTree& scopes, size_t mostBoxes) {
    std::set<std::string> expanded;
    const auto boxesIn = [&](int scope) {
        return scopes.scope(scope).nodes.size() + scopes.scope(scope).children.size();
    };
    size_t boxes = boxesIn(0);
    // Level by level, as long as it stays a picture that can be taken in.
    std::vector<int> level = scopes.scope(0).children;
    while (!level.empty()) {
        size_t more = 0;
        std::vector<int> next;
        for (int scope : level) {
            more += boxesIn(scope);
            next.insert(next.end(), scopes.scope(scope).children.begin(), scopes.scope(scope).children.end());
        }
        if (boxes + more > mostBoxes)
            break;
        boxes += more;
        for (int scope : level)
            expanded.insert(scopes.scope(scope).path);
        level = std::move(next);
    }
    return expanded;
}

std::vector<std::string> equalScopes(const Graph& graph, const ScopeTree& scopes) {
    // The content of a scope: its calls in order, each input by how far back it was made, outer values by
    // rank.
    std::map<std::string, int> first;
    std::vector<std::string> equal(scopes.scopes().size());
    std::vector<std::vector<NodeId>> members(scopes.scopes().size());
    const std::function<void(int, std::vector<NodeId>&)> collect = [&](int scope, std::vector<NodeId>& into) {
        into.insert(into.end(), scopes.scope(scope).nodes.begin(), scopes.scope(scope).nodes.end());
        for (int child : scopes.scope(scope).children)
            collect(child, into);
    };
    for (size_t i = 1; i < scopes.scopes().size(); ++i) {
        const Scope& scope = scopes.scope(static_cast<int>(i));
        std::vector<NodeId> nodes;
        collect(static_cast<int>(i), nodes);
        std::sort(nodes.begin(), nodes.end(), [&](NodeId a, NodeId b) { return graph.precedes(a, b); });
        std::unordered_map<NodeId, size_t> index;
        size_t outside = 0;
        std::string content = scope.type + '\n';
        for (NodeId id : nodes) {
            const Node& node = graph.node(id);
            index.emplace(id, index.size());
            content += opcodeName(node.opcode);
            // Weights of equal blocks have other names.
            if (node.opcode != Opcode::GetAttr)
                content += node.target.name();
            const auto name = [&](NodeId input) {
                const auto [entry, isNew] = index.try_emplace(input, 1'000'000 + outside);
                outside += isNew;
                return std::to_string(entry->second);
            };
            content += formatText(node.args, name) + formatText(node.kwargs, name);
            if (const ValueMeta* value = knownValue(node.meta))
                content += valueMetaText(*value);
            content += '\n';
        }
        const auto [entry, isNew] = first.try_emplace(content, static_cast<int>(i));
        if (!isNew)
            equal[i] = scopes.scope(entry->second).path;
    }
    return equal;
}

} // namespace fx
