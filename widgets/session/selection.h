// SPDX-License-Identifier: GPL-3.0-or-later
// What the user looks at: the graph that is shown, the selected nodes, the scopes that are open, and what a
// search has found. All panes follow it. It is no part of the model's history.
#pragma once

#include "core/interpret/debug_types.h"
#include "core/module/scopes.h"
#include "widgets/session/matches.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <set>
#include <unordered_set>

namespace fx::ui {

class GraphDocument;

/// A part of a graph: nodes, and what is at most some hops away from them.
struct GraphPart {
    enum class Kind { Around, Ancestors, Descendants };
    Kind kind = Kind::Around;
    std::vector<NodeId> from;
    size_t hops = 1;
};

class Selection : public QObject {
    Q_OBJECT

public:
    explicit Selection(const GraphDocument& document, QObject* parent = nullptr);

    /// The module whose graph is on the canvas.
    ModuleId graph() const { return m_graph; }
    void showGraph(ModuleId module);

    /// The node that the panes speak of; it is one of nodes(). No node if nothing is selected.
    NodeRef current() const { return {m_graph, m_current}; }
    NodeId currentNode() const { return m_current; }
    const std::vector<NodeId>& nodes() const { return m_nodes; }
    /// The same, or where a scope is selected the nodes in it.
    std::vector<NodeId> allNodes() const;
    bool isSelected(NodeId node) const;
    /// Selects one node, of another graph if need be, which is shown then.
    void select(NodeRef node);
    /// Adds a node to the selection, or takes it out.
    void selectAlso(NodeId node);
    void selectNodes(std::vector<NodeId> nodes);
    void clear();

    /// Scopes of the shown graph by path.
    const ScopeTree& scopes() const { return *sharedScopes(); }
    /// The same, for jobs: it outlives changes of the graph.
    const std::shared_ptr<const ScopeTree>& sharedScopes() const;
    const std::set<std::string>& expandedScopes() const { return m_expanded; }
    bool isExpanded(const std::string& path) const { return m_expanded.contains(path); }
    void setExpanded(const std::string& path, bool isExpanded);
    /// The selected scope, or the one around the selected node.
    void toggleScope();
    void expandAll();
    void collapseAll();
    /// Opens the scopes around a node, so that it has a box of its own.
    void reveal(NodeId node);
    /// Whether every scope around the node is open.
    bool isRevealed(NodeId node) const;
    void revealScope(const QString& path);
    /// The selected scope: a module of the tree, a collapsed box. Empty if a node is selected.
    const QString& scope() const { return m_scope; }
    void selectScope(const QString& path);
    /// A tensor of the model that was selected itself, by its path from the root; else empty.
    const QString& tensor() const { return m_tensor; }
    /// With it the first node that reads it, if one does.
    void selectTensor(const QString& path);

    /// What the last search has found.
    Matches& matches() { return m_matches; }
    const Matches& matches() const { return m_matches; }

    const Model& model() const;
    /// What alone is shown of the graph; null: all of it is shown.
    const GraphPart* part() const { return m_part ? &*m_part : nullptr; }
    /// The nodes of the part as the graph is now; none where all of it is shown.
    std::unordered_set<NodeId> nodesOfPart() const;
    /// Shows only what is around what is selected; where that kind of part is shown already, all again. What
    /// is selected outside of the part later on brings back all, too.
    void showPart(GraphPart::Kind kind);
    void showWhole();
    /// False, and nothing happens, where no part is shown.
    bool changeHops(int by);

    /// The open scopes as JSON, to be saved with the model; restored when it is opened.
    std::string state() const;

    bool showsWeights() const { return m_showsWeights; }
    void setShowsWeights(bool shows);
    /// Graphs that are far higher than wide are folded into columns.
    bool foldsLong() const { return m_foldsLong; }
    void setFoldsLong(bool folds);

Q_SIGNALS:
    void graphShown(fx::ModuleId module);
    void changed();
    /// `anchor` is what should stay where it is on the screen; empty: whatever is in the middle.
    void scopesChanged(const QString& anchor);
    /// After scopesChanged(): another part of the graph is shown, or all of it.
    void partChanged();

private:
    /// After an edit: scopes that have another name by now stay open, and selected.
    void followRenamed(const ScopeTree& before);
    std::vector<NodeId> nodesOfScope(int scope) const;
    void setPart(GraphPart part);
    void leavePartFor(const std::vector<NodeId>& nodes);
    /// Of the whole graph.
    const std::set<std::string>& ownExpanded() const { return m_part ? m_expandedInWhole : m_expanded; }
    bool restore(const std::string& state);

    const GraphDocument& m_document;
    Matches m_matches;
    ModuleId m_graph;
    NodeId m_current;
    std::vector<NodeId> m_nodes;
    QString m_scope, m_tensor;
    std::set<std::string> m_expanded;
    std::optional<GraphPart> m_part;
    std::set<std::string> m_expandedInWhole;                       ///< while a part is shown
    std::map<ModuleId, std::set<std::string>> m_expandedElsewhere; ///< of graphs that were shown before
    mutable std::shared_ptr<const ScopeTree> m_scopes;
    bool m_showsWeights = false;
    bool m_foldsLong = true;
};

} // namespace fx::ui
