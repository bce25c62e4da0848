// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/compare_link.h"

#include "widgets/panes/still_graph.h"
#include "widgets/support/qt_text.h"

#include <QScopedValueRollback>

namespace fx::ui {

CompareLink::CompareLink(StillGraph& first, StillGraph& second, const std::vector<NodePair>& pairs,
                         QObject* parent)
    : QObject(parent), m_sides{&first, &second} {
    for (const NodePair& pair : pairs) {
        m_partners[0][pair.a] = pair.b;
        m_partners[1][pair.b] = pair.a;
    }
    for (const int side : {0, 1}) {
        StillGraph& here = *m_sides[static_cast<size_t>(side)];
        connect(&here.selection(), &Selection::changed, this, [this, side] { followSelection(side); });
        connect(&here.selection(), &Selection::scopesChanged, this, [this, side] { followScopes(side); });
        connect(&here.canvas(), &CanvasView::cameraChanged, this, [this, side] { followCamera(side); });
    }
    followScopes(1);
}

NodeId CompareLink::partnerOf(int side, NodeId node) const {
    const auto& partners = m_partners[static_cast<size_t>(side)];
    const auto found = partners.find(node);
    return found == partners.end() ? NodeId() : found->second;
}

NodePair CompareLink::selected() const {
    return {m_sides[0]->selection().currentNode(), m_sides[1]->selection().currentNode()};
}

void CompareLink::select(const NodePair& nodes) {
    {
        const QScopedValueRollback<bool> here(m_isFollowing, true);
        for (const auto& [side, node] : {std::pair(m_sides[0], nodes.a), std::pair(m_sides[1], nodes.b)})
            if (node)
                side->select(node);
            else
                side->selection().clear();
    }
    followScopes(nodes.b ? 1 : 0);
    followCamera(nodes.b ? 1 : 0);
    Q_EMIT selectionChanged();
}

void CompareLink::selectScope(const QString& path) {
    {
        const QScopedValueRollback<bool> here(m_isFollowing, true);
        for (StillGraph* side : m_sides)
            side->selectScope(path);
    }
    followScopes(1);
}

/// What has no partner leaves alone what else has none, so that the two can be made a pair.
void CompareLink::followSelection(int side) {
    if (m_isFollowing)
        return;
    const QScopedValueRollback<bool> here(m_isFollowing, true);
    StillGraph &from = *m_sides[static_cast<size_t>(side)], &to = *m_sides[static_cast<size_t>(1 - side)];
    const NodeId node = from.selection().currentNode(), partner = partnerOf(side, node);
    if (partner)
        to.select(partner);
    else if (!node || partnerOf(1 - side, to.selection().currentNode()))
        to.selection().clear();
    Q_EMIT selectionChanged();
}

void CompareLink::followCamera(int side) {
    if (m_isFollowing)
        return;
    const QScopedValueRollback<bool> here(m_isFollowing, true);
    StillGraph &from = *m_sides[static_cast<size_t>(side)], &to = *m_sides[static_cast<size_t>(1 - side)];
    const auto there = [&](const Sight& sight) {
        Sight out = sight;
        if (sight.node)
            out.node = partnerOf(side, sight.node);
        return out;
    };
    to.canvas().look().follow(there(from.canvas().look().sight(
        [&](const Sight& sight) { return to.canvas().look().boxOf(there(sight)) >= 0; })));
}

void CompareLink::followScopes(int side) {
    if (m_isFollowing)
        return;
    const QScopedValueRollback<bool> here(m_isFollowing, true);
    Selection &from = m_sides[static_cast<size_t>(side)]->selection(),
              &to = m_sides[static_cast<size_t>(1 - side)]->selection();
    for (const Scope& scope : to.scopes().scopes())
        if (!scope.path.empty() && from.scopes().find(scope.path) > 0)
            to.setExpanded(scope.path, from.isExpanded(scope.path));
}

} // namespace fx::ui
