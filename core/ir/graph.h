// SPDX-License-Identifier: GPL-3.0-or-later
// The graph: an ordered list of nodes, each a call whose arguments name earlier nodes.
// A graph is read freely and changed by core/module/edit.h alone. Everybody holds a NodeId, never a pointer:
// ids are not reused, so that they mean the same node after undo and redo.
#pragma once

#include "core/base/stable_vector.h"
#include "core/ir/change.h"
#include "core/ir/user_list.h"

#include <iterator>

namespace fx {

struct Node {
    NodeId id;
    Opcode opcode = Opcode::CallFunction;
    bool isErased = false;
    Target target;
    std::string name;
    Arguments args;
    Keywords kwargs;
    Box<std::string> type; ///< the Python type annotation, as typing prints it
    Meta meta;
    InputUses inputs; ///< the nodes it reads, each once, in the order in which it began to
    UserList users;
    NodeId previous, next; ///< an erased node keeps them, so that a walk standing on it can go on
    uint64_t order = 0;    ///< grows along the graph

    const Argument* keyword(std::string_view key) const;
};

/// Whether the node is a call: no input, tensor of the model or output.
inline bool isCallNode(const Node& node) {
    return node.opcode == Opcode::CallFunction || node.opcode == Opcode::CallMethod ||
           node.opcode == Opcode::CallModule;
}

class Graph {
public:
    Graph() = default;
    Graph(const Graph&) = default;
    Graph(Graph&&) = default;
    Graph& operator=(Graph&&) = default;

    /// Any node that ever was in this graph, erased ones too.
    const Node& node(NodeId id) const { return m_nodes[id.value]; }
    bool knows(NodeId id) const { return id && id.value < static_cast<int32_t>(m_nodes.size()); }
    bool contains(NodeId id) const { return knows(id) && !node(id).isErased; }
    size_t size() const { return m_size; }
    NodeId first() const { return m_first; }
    NodeId last() const { return m_last; }
    /// Whether `a` stands before `b`.
    bool precedes(NodeId a, NodeId b) const { return node(a).order < node(b).order; }

    const NameTable& names() const { return m_names; }
    const std::optional<Signature>& signature() const { return m_signature; }

    NodeId find(std::string_view name) const;
    /// In graph order. Without a target: all nodes of the opcode.
    std::vector<NodeId> findNodes(Opcode opcode, std::optional<Target> target = std::nullopt) const;
    /// The last node if it is an output, else no node.
    NodeId outputNode() const;
    /// The id that the next created node will get.
    NodeId nextId() const { return NodeId{static_cast<int32_t>(m_nodes.size())}; }

    /// Walks the nodes in order, live: what is inserted behind is met, what is erased ahead is not.
    class Iterator {
    public:
        using value_type = Node;
        using difference_type = std::ptrdiff_t;
        Iterator() = default;
        Iterator(const Graph* graph, NodeId at) : m_graph(graph), m_at(at) {}
        const Node& operator*() const { return m_graph->node(m_at); }
        const Node* operator->() const { return &m_graph->node(m_at); }
        Iterator& operator++() {
            do
                m_at = m_graph->node(m_at).next;
            while (m_at && m_graph->node(m_at).isErased);
            return *this;
        }
        Iterator operator++(int) {
            Iterator old = *this;
            ++*this;
            return old;
        }
        bool operator==(const Iterator& other) const { return m_at == other.m_at; }

    private:
        const Graph* m_graph = nullptr;
        NodeId m_at;
    };
    Iterator begin() const { return {this, m_first}; }
    Iterator end() const { return {this, NodeId()}; }

private:
    friend class Model;
    friend Graph graphOf(struct GraphContent content);
    void apply(const GraphChange& change);
    void revert(const GraphChange& change);

    Node& at(NodeId id) { return m_nodes[id.value]; }
    void link(NodeId id, NodeId before);
    void unlink(NodeId id);
    void makeRoom(NodeId id);
    void setArguments(NodeId id, const CallArguments& arguments);
    void forgetInputs(NodeId id);

    StableVector<Node> m_nodes;
    NodeId m_first, m_last;
    size_t m_size = 0;
    NameTable m_names;
    std::optional<Signature> m_signature;
};

} // namespace fx
