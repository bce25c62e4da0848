// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/selection.h"

#include "core/layout/diagram.h"
#include "widgets/document/graph_document.h"
#include "widgets/support/qt_text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace fx {

namespace {

/// What a first picture shows: few enough boxes to take in.
constexpr size_t kFirstPicture = 60;

} // namespace

Selection::Selection(const GraphDocument& document, QObject* parent)
    : QObject(parent), m_document(document), m_graph(document.model().root()) {
    if (!restore(document.opened().layoutState))
        m_expanded = scopesToExpand(document.model().graph(m_graph), scopes(), kFirstPicture);
    connect(&document, &GraphDocument::changed, this, [this] {
        forgetScopes();
        const Graph& graph = m_document.model().graph(m_graph);
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
    for (const std::string& path : isRootShown ? m_expanded : root->second)
        open.append(qt(path));
    const QJsonObject state{{"expandedScopes", open}, {"showsWeights", m_showsWeights}};
    return QJsonDocument(state).toJson(QJsonDocument::Compact).toStdString();
}

bool Selection::restore(const std::string& state) {
    const QJsonObject saved = QJsonDocument::fromJson(QByteArray::fromStdString(state)).object();
    if (!saved.contains("expandedScopes"))
        return false;
    for (const QJsonValue& path : saved["expandedScopes"].toArray())
        m_expanded.insert(utf8(path.toString()));
    m_showsWeights = saved["showsWeights"].toBool(false);
    return true;
}

const ScopeTree& Selection::scopes() const {
    if (!m_scopes)
        m_scopes.emplace(m_document.model().graph(m_graph));
    return *m_scopes;
}

void Selection::forgetScopes() {
    m_scopes.reset();
}

void Selection::showGraph(ModuleId module) {
    if (module == m_graph || !m_document.model().module(module).graph)
        return;
    m_expandedElsewhere[m_graph] = m_expanded;
    m_graph = module;
    m_nodes.clear();
    m_current = NodeId();
    m_scope.clear();
    m_tensor.clear();
    forgetScopes();
    const auto known = m_expandedElsewhere.find(module);
    m_expanded = known != m_expandedElsewhere.end()
                     ? known->second
                     : scopesToExpand(m_document.model().graph(module), scopes(), kFirstPicture);
    Q_EMIT graphShown(module);
    Q_EMIT changed();
}

bool Selection::isSelected(NodeId node) const {
    return std::find(m_nodes.begin(), m_nodes.end(), node) != m_nodes.end();
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
        Q_EMIT scopesChanged(qt(path));
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
    Q_EMIT changed();
}

void Selection::setShowsWeights(bool shows) {
    if (shows == m_showsWeights)
        return;
    m_showsWeights = shows;
    Q_EMIT scopesChanged({});
}

} // namespace fx
