// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/diagram.h"

#include "core/base/text.h"
#include "core/torch/bind/call_family.h"

#include <algorithm>

namespace fx {

int Diagram::boxOf(NodeId node) const {
    const auto found = boxByNode.find(node);
    return found == boxByNode.end() ? -1 : found->second;
}

namespace {

class Builder {
public:
    Builder(const Graph& graph, const ScopeTree& scopes, const DiagramOptions& options)
        : m_graph(graph), m_scopes(scopes), m_options(options), m_seen(scopes.scopes().size()) {}

    Diagram build() {
        // Scopes come after those around them.
        for (size_t i = m_seen.size(); i-- > 0;) {
            const Scope& scope = m_scopes.scope(static_cast<int>(i));
            for (NodeId id : scope.nodes)
                if (!isHidden(m_graph.node(id)))
                    m_seen[i].add(1, id);
            for (int child : scope.children)
                m_seen[i].add(m_seen[static_cast<size_t>(child)].count,
                              m_seen[static_cast<size_t>(child)].last);
        }
        addScope(0, -1);
        setLoads();
        addEdges();
        setBeside();
        return std::move(m_out);
    }

private:
    bool isHidden(const Node& node) const {
        return isOutside(node.id) || (node.opcode == Opcode::GetAttr && !m_options.showsWeights);
    }

    bool isOutside(NodeId node) const { return !m_options.only.empty() && !m_options.only.contains(node); }

    /// Whether something that it reads is left out of the picture with all that is outside.
    bool isCut(const Node& node) const {
        return std::any_of(node.inputs.begin(), node.inputs.end(),
                           [this](const InputUse& use) { return isOutside(use.node); });
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
            const Seen& seen = m_seen[static_cast<size_t>(child)];
            if (seen.count == 0 && !m_options.only.empty())
                continue;
            if (seen.count == 1) {
                m_out.boxByNode[seen.last] = box;
                m_out.boxes.push_back(
                    {DiagramBox::Kind::Node, seen.last, m_scopes.scopeOf(seen.last), parent});
                m_out.boxes.back().standsFor = child;
                continue;
            }
            const bool isExpanded = m_options.expandedScopes.contains(m_scopes.scope(child).path);
            m_out.boxes.push_back(
                {isExpanded ? DiagramBox::Kind::ExpandedScope : DiagramBox::Kind::CollapsedScope, NodeId(),
                 child, parent});
            m_out.boxes.back().seen = seen.count;
            if (isExpanded)
                addScope(child, box);
            else
                assign(child, box);
        }
    }

    void assign(int scope, int box) {
        for (NodeId id : m_scopes.scope(scope).nodes)
            if (!isOutside(id))
                m_out.boxByNode[id] = box;
        for (int child : m_scopes.scope(scope).children)
            assign(child, box);
    }

    void setLoads() {
        constexpr double kOfLayer = 20;
        std::unordered_set<NodeId> comesFromInput;
        for (const Node& node : m_graph) {
            const auto comes = [&](const InputUse& use) { return comesFromInput.contains(use.node); };
            if (node.opcode != Opcode::Placeholder &&
                (readsSizesAlone(node) || std::ranges::none_of(node.inputs, comes)))
                continue;
            comesFromInput.insert(node.id);
            const int box = m_out.boxOf(node.id);
            if (box < 0 || node.opcode == Opcode::Placeholder)
                continue;
            const auto isWeight = [&](const InputUse& use) {
                return m_graph.node(use.node).opcode == Opcode::GetAttr;
            };
            const CallFamily family = familyOf(node);
            const bool isLayer = node.opcode == Opcode::CallModule || family == CallFamily::Layer ||
                                 family == CallFamily::Attention ||
                                 std::ranges::any_of(node.inputs, isWeight);
            m_out.boxes[static_cast<size_t>(box)].load += isLayer ? kOfLayer : 1;
        }
    }

    int parentOf(int box) const { return m_out.boxes[static_cast<size_t>(box)].parent; }

    void addEdges() {
        for (const Node& node : m_graph) {
            const int from = m_out.boxOf(node.id);
            if (from < 0)
                continue;
            // One edge to each box that reads the value, however many nodes in it do; in the order of the
            // graph, which an edit does not change as it does that of the users.
            std::vector<int> readers;
            std::vector<NodeId> users = node.users.toVector();
            std::sort(users.begin(), users.end(),
                      [this](NodeId a, NodeId b) { return m_graph.precedes(a, b); });
            for (NodeId user : users) {
                const int to = m_out.boxOf(user);
                if (to >= 0 && to != from && std::find(readers.begin(), readers.end(), to) == readers.end())
                    readers.push_back(to);
            }
            // A weight that several scopes read would have wires across all that lies between them.
            const auto isElsewhere = [&](int to) { return parentOf(to) != parentOf(readers.front()); };
            const bool isHub =
                readers.size() > m_options.hubLimit ||
                (node.opcode == Opcode::GetAttr && std::any_of(readers.begin(), readers.end(), isElsewhere));
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

    /// Stubs, weights and constants that one box alone reads stand beside that.
    void setBeside() {
        constexpr int kNone = -1, kMany = -2;
        std::vector<int> reader(m_out.boxes.size(), kNone);
        std::vector<bool> reads(m_out.boxes.size(), false);
        for (const DiagramEdge& edge : m_out.edges) {
            int& only = reader[static_cast<size_t>(edge.from)];
            only = only == kNone || only == edge.to ? edge.to : kMany;
            reads[static_cast<size_t>(edge.to)] = true;
        }
        for (size_t i = 0; i < m_out.boxes.size(); ++i) {
            DiagramBox& box = m_out.boxes[i];
            const bool isInput = box.node && m_graph.node(box.node).opcode == Opcode::Placeholder;
            if (!box.node || reads[i] ||
                (box.kind == DiagramBox::Kind::Node && isCut(m_graph.node(box.node))) || reader[i] < 0 ||
                (isInput && box.kind != DiagramBox::Kind::Stub))
                continue;
            const DiagramBox& to = m_out.boxes[static_cast<size_t>(reader[i])];
            if (to.parent == box.parent && to.kind != DiagramBox::Kind::ExpandedScope)
                box.beside = reader[i];
        }
        // Beside what itself stands in the flow.
        for (DiagramBox& box : m_out.boxes)
            if (box.beside >= 0 && m_out.boxes[static_cast<size_t>(box.beside)].beside >= 0)
                box.beside = -1;
    }

    const Graph& m_graph;
    const ScopeTree& m_scopes;
    const DiagramOptions& m_options;
    struct Seen {
        size_t count = 0;
        NodeId last;
        void add(size_t more, NodeId node) {
            count += more;
            last = more ? node : last;
        }
    };
    std::vector<Seen> m_seen; ///< by scope
    Diagram m_out;
};

} // namespace

Diagram buildDiagram(const Graph& graph, const ScopeTree& scopes, const DiagramOptions& options) {
    return Builder(graph, scopes, options).build();
}

std::set<std::string> scopesToExpand(const Graph& graph, const ScopeTree& scopes, size_t mostBoxes,
                                     bool opensLeaves) {
    std::set<std::string> expanded;
    const auto isCall = [&](NodeId node) { return graph.node(node).opcode != Opcode::GetAttr; };
    const auto boxesIn = [&](int index) {
        const Scope& scope = scopes.scope(index);
        return static_cast<size_t>(std::ranges::count_if(scope.nodes, isCall)) + scope.children.size();
    };
    // Of equal blocks one is enough to see, and the calls of a leaf are no more than its name tells.
    const auto staysClosed = [&](int index) {
        const Scope& scope = scopes.scope(index);
        return (scope.children.empty() && scope.parent > 0 && !opensLeaves) || scope.isConstant ||
               scope.repeats > 0;
    };
    size_t boxes = boxesIn(0);
    // Level by level, as long as it stays a picture that can be taken in.
    std::vector<int> level = scopes.scope(0).children;
    std::erase_if(level, staysClosed);
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
        std::erase_if(next, staysClosed);
        level = std::move(next);
    }
    return expanded;
}

} // namespace fx
