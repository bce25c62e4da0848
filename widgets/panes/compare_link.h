// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the two graphs of a comparison together: one selection, one viewport, the same scopes open.
#pragma once

#include "core/compare/node_match.h"

#include <QObject>

#include <array>
#include <unordered_map>
#include <vector>

namespace fx::ui {

class StillGraph;

class CompareLink : public QObject {
    Q_OBJECT

public:
    CompareLink(StillGraph& first, StillGraph& second, const std::vector<NodePair>& pairs,
                QObject* parent = nullptr);

    /// Of a node of that side (0 or 1); none: it has no partner.
    NodeId partnerOf(int side, NodeId node) const;
    /// What is selected on both sides; none where nothing is.
    NodePair selected() const;
    /// One of them may be none.
    void select(const NodePair& nodes);
    /// On each side that has it.
    void selectScope(const QString& path);

Q_SIGNALS:
    /// Somebody has selected something on one of the sides.
    void selectionChanged();

private:
    void followSelection(int side);
    void followCamera(int side);
    void followScopes(int side);

    std::array<StillGraph*, 2> m_sides;
    std::array<std::unordered_map<NodeId, NodeId>, 2> m_partners;
    bool m_isFollowing = false;
};

} // namespace fx::ui
