// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/selection.h"

#include "core/ir/dependents.h"
#include "core/layout/box_text.h"
#include "widgets/document/graph_document.h"
#include "widgets/support/qt_text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace fx::ui {

namespace {

/// What a first picture shows: few enough boxes to take in.
constexpr size_t kFirstPicture = 36;

} // namespace

Selection::Selection(const GraphDocument& document, QObject* parent)
    : QObject(parent), m_document(document), m_matches(document), m_graph(document.model().root()) {
    if (!restore(document.opened().layoutState))
        m_expanded = scopesToExpand(model().graph(m_graph), scopes(), kFirstPicture);
    connect(&document, &GraphDocument::changed, this, [this] {
        const std::shared_ptr<const ScopeTree> scopesBefore = std::exchange(m_scopes, nullptr);
        if (scopesBefore)
            followRenamed(*scopesBefore);
        const Graph& graph = m_document.model().graph(m_graph);
        if (m_part && std::erase_if(m_part->from, [&](NodeId node) { return !graph.contains(node); }) > 0 &&
            m_part->from.empty())
            showWhole();
        const size_t before = m_nodes.size();
        std::erase_if(m_nodes, [&](NodeId node) { return !graph.contains(node); });
        if (m_nodes.size() == before)
            return;
        if (m_current && !graph.contains(m_current))
            m_current = m_nodes.empty() ? NodeId() : m_nodes.back();
        Q_EMIT changed();
    });
}

std::string Selection::state() const {
    const auto root = m_expandedElsewhere.find(m_document.model().root());
    const bool isRootShown = m_graph == m_document.model().root();
    QJsonArray open;
    for (const std::string& path : isRootShown ? ownExpanded() : root->second)
        open.append(wholeQt(path));
    const QJsonObject state{
        {"expandedScopes", open}, {"showsWeights", m_showsWeights}, {"foldsLong", m_foldsLong}};
    return QJsonDocument(state).toJson(QJsonDocument::Compact).toStdString();
}

bool Selection::restore(const std::string& state) {
    const QJsonObject saved = QJsonDocument::fromJson(QByteArray::fromStdString(state)).object();
    if (!saved.contains("expandedScopes"))
        return false;
    for (const QJsonValue& path : saved["expandedScopes"].toArray())
        m_expanded.insert(utf8(path.toString()));
    m_showsWeights = saved["showsWeights"].toBool(false);
    m_foldsLong = saved["foldsLong"].toBool(true);
    return true;
}

const std::shared_ptr<const ScopeTree>& Selection::sharedScopes() const {
    if (!m_scopes)
        m_scopes = std::make_shared<const ScopeTree>(
            pictureScopes(model().graph(m_graph), moduleCalls(model(), m_graph)));
    return m_scopes;
}

namespace {

int depthOf(const ScopeTree& scopes, int scope) {
    int out = 0;
    for (; scope > 0; scope = scopes.scope(scope).parent)
        ++out;
    return out;
}

/// What the scope is called by now, told by the nodes of its own or of those in it; the same path where it is
/// there, or gone.
std::string renamedScope(const ScopeTree& before, const ScopeTree& now, const std::string& path) {
    const int old = before.find(path);
    if (old <= 0 || now.find(path) > 0)
        return path;
    int inner = old;
    while (before.scope(inner).nodes.empty() && !before.scope(inner).children.empty())
        inner = before.scope(inner).children.front();
    if (before.scope(inner).nodes.empty())
        return path;
    int scope = now.scopeOf(before.scope(inner).nodes.front());
    if (depthOf(now, scope) != depthOf(before, inner))
        return path;
    for (int above = depthOf(before, inner) - depthOf(before, old); above > 0; --above)
        scope = now.scope(scope).parent;
    return now.scope(scope).path;
}

/// Opens the groups that a block of `before` is in by now.
void openGroupsAround(const ScopeTree& before, const ScopeTree& now, int block, std::set<std::string>& open) {
    while (before.scope(block).nodes.empty() && !before.scope(block).children.empty())
        block = before.scope(block).children.front();
    if (before.scope(block).nodes.empty())
        return;
    for (int at = now.scopeOf(before.scope(block).nodes.front()); at > 0; at = now.scope(at).parent)
        if (now.scope(at).isGroup)
            open.insert(now.scope(at).path);
}

} // namespace

void Selection::followRenamed(const ScopeTree& before) {
    for (std::set<std::string>* open : {&m_expanded, &m_expandedInWhole}) {
        std::set<std::string> now;
        for (const std::string& path : *open) {
            now.insert(renamedScope(before, scopes(), path));
            // An edit in one of equal blocks parts their group: all that is left of it stays open.
            if (const int group = before.find(path); group > 0 && before.scope(group).isGroup)
                for (const int block : before.scope(group).children)
                    openGroupsAround(before, scopes(), block, now);
        }
        *open = std::move(now);
    }
    if (const QString scope = wholeQt(renamedScope(before, scopes(), utf8(m_scope))); scope != m_scope) {
        m_scope = scope;
        Q_EMIT changed();
    }
}

void Selection::showGraph(ModuleId module) {
    if (module == m_graph || !m_document.model().module(module).graph)
        return;
    m_expandedElsewhere[m_graph] = ownExpanded();
    const bool wasPart = std::exchange(m_part, std::nullopt).has_value();
    m_graph = module;
    m_nodes.clear();
    m_current = NodeId();
    m_scope.clear();
    m_tensor.clear();
    m_scopes.reset();
    const auto known = m_expandedElsewhere.find(module);
    m_expanded = known != m_expandedElsewhere.end()
                     ? known->second
                     : scopesToExpand(model().graph(m_graph), scopes(), kFirstPicture);
    Q_EMIT graphShown(module);
    if (wasPart)
        Q_EMIT partChanged();
    Q_EMIT changed();
}

bool Selection::isSelected(NodeId node) const {
    return std::find(m_nodes.begin(), m_nodes.end(), node) != m_nodes.end();
}

std::vector<NodeId> Selection::allNodes() const {
    const int scope = m_scope.isEmpty() ? 0 : scopes().find(utf8(m_scope));
    return scope > 0 ? nodesOfScope(scope) : m_nodes;
}

void Selection::select(NodeRef node) {
    if (node.module != m_graph && node.module)
        showGraph(node.module);
    if (!m_document.model().graph(m_graph).contains(node.node)) {
        clear();
        return;
    }
    if (m_current == node.node && m_nodes.size() == 1 && m_scope.isEmpty() && m_tensor.isEmpty())
        return;
    leavePartFor({node.node});
    m_nodes = {node.node};
    m_current = node.node;
    m_scope.clear();
    m_tensor.clear();
    Q_EMIT changed();
}

void Selection::selectAlso(NodeId node) {
    if (isSelected(node)) {
        std::erase(m_nodes, node);
        if (m_current == node)
            m_current = m_nodes.empty() ? NodeId() : m_nodes.back();
    } else {
        m_nodes.push_back(node);
        m_current = node;
    }
    m_scope.clear();
    m_tensor.clear();
    Q_EMIT changed();
}

void Selection::selectNodes(std::vector<NodeId> nodes) {
    leavePartFor(nodes);
    m_nodes = std::move(nodes);
    m_current = m_nodes.empty() ? NodeId() : m_nodes.back();
    m_scope.clear();
    m_tensor.clear();
    Q_EMIT changed();
}

void Selection::clear() {
    if (m_nodes.empty() && m_scope.isEmpty() && m_tensor.isEmpty())
        return;
    m_nodes.clear();
    m_current = NodeId();
    m_scope.clear();
    m_tensor.clear();
    Q_EMIT changed();
}

void Selection::setExpanded(const std::string& path, bool isExpanded) {
    if (isExpanded ? m_expanded.insert(path).second : m_expanded.erase(path) > 0)
        Q_EMIT scopesChanged(wholeQt(path));
}

void Selection::toggleScope() {
    std::string path = utf8(m_scope);
    if (path.empty() && m_current)
        path = scopes().scope(scopes().scopeOf(m_current)).path;
    // A node inside closed scopes: the outermost of these is the box that is seen.
    for (int scope = scopes().find(path); scope > 0; scope = scopes().scope(scope).parent)
        if (!isExpanded(scopes().scope(scope).path))
            path = scopes().scope(scope).path;
    if (!path.empty())
        setExpanded(path, !isExpanded(path));
}

void Selection::expandAll() {
    for (const Scope& scope : scopes().scopes())
        m_expanded.insert(scope.path);
    Q_EMIT scopesChanged({});
}

void Selection::collapseAll() {
    m_expanded.clear();
    Q_EMIT scopesChanged({});
}

void Selection::reveal(NodeId node) {
    bool hasOpened = false;
    const Node& shown = m_document.model().graph(m_graph).node(node);
    // A hidden weight is to be seen where it is used.
    if (shown.opcode == Opcode::GetAttr && !m_showsWeights && !shown.users.empty())
        node = *shown.users.begin();
    leavePartFor({node});
    for (int scope = scopes().scopeOf(node); scope > 0; scope = scopes().scope(scope).parent)
        hasOpened |= m_expanded.insert(scopes().scope(scope).path).second;
    if (hasOpened)
        Q_EMIT scopesChanged({});
}

bool Selection::isRevealed(NodeId node) const {
    for (int scope = scopes().scopeOf(node); scope > 0; scope = scopes().scope(scope).parent)
        if (!m_expanded.contains(scopes().scope(scope).path))
            return false;
    return true;
}

void Selection::revealScope(const QString& path) {
    bool hasOpened = false;
    const int inner = scopes().find(utf8(path));
    if (inner > 0)
        leavePartFor(nodesOfScope(inner));
    for (int scope = inner > 0 ? scopes().scope(inner).parent : 0; scope > 0;
         scope = scopes().scope(scope).parent)
        hasOpened |= m_expanded.insert(scopes().scope(scope).path).second;
    if (hasOpened)
        Q_EMIT scopesChanged({});
}

void Selection::selectScope(const QString& path) {
    if (m_scope == path && m_nodes.empty() && m_tensor.isEmpty())
        return;
    m_nodes.clear();
    m_current = NodeId();
    m_scope = path;
    m_tensor.clear();
    if (const int scope = scopes().find(utf8(path)); scope > 0)
        leavePartFor(nodesOfScope(scope));
    Q_EMIT changed();
}

void Selection::selectTensor(const QString& path) {
    const ModuleId root = m_document.model().root();
    if (m_tensor == path && m_graph == root)
        return;
    showGraph(root);
    const std::vector<NodeId> readers =
        m_document.model().graph().findNodes(Opcode::GetAttr, Target(utf8(path)));
    m_nodes.assign(readers.begin(), readers.begin() + (readers.empty() ? 0 : 1));
    m_current = m_nodes.empty() ? NodeId() : m_nodes[0];
    m_scope.clear();
    m_tensor = path;
    leavePartFor(m_nodes);
    Q_EMIT changed();
}

// --- A part of the graph

const Model& Selection::model() const {
    return m_document.model();
}

std::vector<NodeId> Selection::nodesOfScope(int scope) const {
    std::vector<NodeId> out = scopes().scope(scope).nodes;
    for (const int child : scopes().scope(scope).children) {
        const std::vector<NodeId> inner = nodesOfScope(child);
        out.insert(out.end(), inner.begin(), inner.end());
    }
    return out;
}

namespace {

Neighbourhood reachOf(const GraphPart& part, const Graph& graph) {
    return neighbourhoodOf(graph, part.from, part.kind != GraphPart::Kind::Descendants,
                           part.kind != GraphPart::Kind::Ancestors, part.hops);
}

} // namespace

std::unordered_set<NodeId> Selection::nodesOfPart() const {
    return m_part ? reachOf(*m_part, model().graph(m_graph)).nodes : std::unordered_set<NodeId>();
}

void Selection::showPart(GraphPart::Kind kind) {
    if (m_part && m_part->kind == kind) {
        showWhole();
        return;
    }
    GraphPart part{kind, allNodes(), kind == GraphPart::Kind::Around ? 1 : model().graph(m_graph).size()};
    if (!part.from.empty())
        setPart(std::move(part));
}

void Selection::setPart(GraphPart part) {
    const Neighbourhood all = reachOf(part, model().graph(m_graph));
    part.hops = std::max<size_t>(1, all.hops); // not farther than there is something
    if (!m_part)
        m_expandedInWhole = m_expanded;
    m_part = std::move(part);
    // Few nodes are seen one by one.
    if (all.nodes.size() <= kFirstPicture)
        for (const NodeId node : all.nodes)
            for (int scope = scopes().scopeOf(node); scope > 0; scope = scopes().scope(scope).parent)
                m_expanded.insert(scopes().scope(scope).path);
    Q_EMIT scopesChanged({});
    Q_EMIT partChanged();
}

void Selection::showWhole() {
    if (!m_part)
        return;
    m_part.reset();
    m_expanded = std::exchange(m_expandedInWhole, {});
    Q_EMIT scopesChanged({});
    Q_EMIT partChanged();
}

bool Selection::changeHops(int by) {
    if (!m_part)
        return false;
    GraphPart part = *m_part;
    part.hops = std::max<size_t>(1, part.hops + static_cast<size_t>(by));
    if (part.hops != m_part->hops)
        setPart(std::move(part));
    return true;
}

void Selection::leavePartFor(const std::vector<NodeId>& nodes) {
    if (!m_part || nodes.empty())
        return;
    const std::unordered_set<NodeId> shown = nodesOfPart();
    if (std::ranges::none_of(nodes, [&](NodeId node) { return shown.contains(node); }))
        showWhole();
}

void Selection::setShowsWeights(bool shows) {
    if (shows == m_showsWeights)
        return;
    m_showsWeights = shows;
    Q_EMIT scopesChanged({});
}

void Selection::setFoldsLong(bool folds) {
    if (folds == m_foldsLong)
        return;
    m_foldsLong = folds;
    Q_EMIT scopesChanged({});
}

} // namespace fx::ui
