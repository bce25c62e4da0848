// SPDX-License-Identifier: GPL-3.0-or-later
// An edge that leaves or enters an expanded scope passes through a port on its border. Inside, the port is an
// item of the scope's level; outside, the edge ends at the border and is bent to meet the port.
#include "core/layout/placement.h"

#include "core/layout/fold.h"
#include "core/layout/linear_layout.h"
#include "core/layout/side_boxes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

namespace fx {

namespace {

/// More boxes than this take a layouter too long.
constexpr size_t kMostPerLevel = 500;

class Placer {
public:
    /// `columnHeight`: of what is higher, columns are made; 0 for never.
    Placer(Diagram& diagram, const LevelLayouter& layouter, double columnHeight)
        : m_diagram(diagram), m_layouter(layouter), m_columnHeight(columnHeight), m_side(diagram) {
        const size_t count = diagram.boxes.size();
        m_children.resize(count + 1);
        for (size_t i = 0; i < count; ++i)
            if (diagram.boxes[i].beside < 0)
                m_children[slot(diagram.boxes[i].parent)].push_back(static_cast<int>(i));
        m_itemOf.resize(count);
        m_levels.resize(count + 1);
        m_portOrder.resize(count + 1);
        m_crossing.resize(count + 1);
        sortEdges();
    }

    void run() {
        layOut(-1);
        position(-1, {0, 0});
        // Now it is known from where wires come and where they go: once more, ports in that order.
        if (orderPorts()) {
            m_levels.assign(m_levels.size(), {});
            layOut(-1);
            position(-1, {0, 0});
        }
        m_diagram.width = m_levels.back().layout.width;
        m_diagram.height = m_levels.back().layout.height;
        for (size_t e = 0; e < m_diagram.edges.size(); ++e)
            route(e);
    }

private:
    struct Placed {
        Level level;
        LevelLayout layout;
        std::vector<int> boxes;           ///< the items that are boxes, in order
        std::map<NodeId, size_t> entries; ///< ports, by what flows through them
        std::map<NodeId, size_t> exits;
        using Key = std::tuple<size_t, size_t, NodeId>;
        std::map<Key, size_t> edges; ///< by items, and what flows where that has a port of its own
        Point origin;                ///< absolute

        Key keyOf(size_t from, size_t to, NodeId value) const {
            const bool hasPort =
                level.items[from].role == Level::Role::Ported || level.items[to].role == Level::Role::Ported;
            return {from, to, hasPort ? value : NodeId()};
        }
    };

    /// The root is the last slot.
    size_t slot(int box) const { return box < 0 ? m_diagram.boxes.size() : static_cast<size_t>(box); }

    std::vector<int> ancestors(int box) const {
        std::vector<int> out;
        for (int at = box; at >= 0; at = m_diagram.boxes[static_cast<size_t>(at)].parent)
            out.push_back(at);
        out.push_back(-1);
        return out; // innermost first, the root last
    }

    /// Tells each scope which edges run in it, enter it and leave it.
    void sortEdges() {
        const std::vector<bool> isTrunk = trunkEdges();
        for (size_t e = 0; e < m_diagram.edges.size(); ++e) {
            const DiagramEdge& edge = m_diagram.edges[e];
            if (isBeside(edge))
                continue;
            const std::vector<int> from = ancestors(edge.from), to = ancestors(edge.to);
            size_t shared = 0;
            while (shared < from.size() && shared < to.size() &&
                   from[from.size() - 1 - shared] == to[to.size() - 1 - shared])
                ++shared;
            // from[...-shared] and to[...-shared] are the two boxes in the scope that holds both.
            const size_t f = from.size() - shared, t = to.size() - shared;
            if (f == 0 || t == 0)
                continue;
            m_crossing[slot(from[f])].push_back({e, from[f - 1], to[t - 1], isTrunk[e]});
            for (size_t i = f - 1; i > 0; --i)
                m_crossing[slot(from[i])].push_back({e, from[i - 1], kOutside, isTrunk[e]});
            for (size_t i = t - 1; i > 0; --i)
                m_crossing[slot(to[i])].push_back({e, kOutside, to[i - 1], isTrunk[e]});
        }
    }

    bool isBeside(const DiagramEdge& edge) const {
        return m_diagram.boxes[static_cast<size_t>(edge.from)].beside >= 0;
    }

    /// The main path of the whole picture, through the scopes.
    std::vector<bool> trunkEdges() const {
        Level flat;
        for (const DiagramBox& box : m_diagram.boxes)
            flat.items.push_back({box.width, box.kind == DiagramBox::Kind::ExpandedScope ? 0 : box.height,
                                  Level::Role::Box, box.load});
        std::vector<size_t> edges;
        for (size_t e = 0; e < m_diagram.edges.size(); ++e) {
            if (isBeside(m_diagram.edges[e]))
                continue;
            flat.edges.push_back({m_diagram.edges[e].from, m_diagram.edges[e].to});
            edges.push_back(e);
        }
        std::vector<bool> isTrunk(m_diagram.edges.size(), false);
        for (size_t e : trunkOf(flat))
            isTrunk[edges[e]] = true;
        return isTrunk;
    }

    /// Sizes in whole numbers, so that equal scopes give equal texts; even, so that middles and ports are
    /// too.
    Level::Item itemFor(int box) {
        DiagramBox& it = m_diagram.boxes[static_cast<size_t>(box)];
        const bool isOpen = it.kind == DiagramBox::Kind::ExpandedScope;
        if (isOpen) {
            layOut(box);
            const Placed& inner = m_levels[slot(box)];
            it.width = 2 * std::ceil(std::max(inner.layout.width + 2 * kScopePadding, it.width) / 2);
            // Wires that leave keep the last boxes off the border.
            it.height = inner.layout.height + kScopeTitle + (inner.exits.empty() ? kScopePadding : 2);
        }
        const double room = m_side.room(box);
        return {room + 2 * std::ceil(it.width / 2), std::ceil(std::max(it.height, m_side.height(box))),
                isOpen || room > 0 ? Level::Role::Ported : Level::Role::Box, it.load};
    }

    void layOut(int scope) {
        Placed& placed = m_levels[slot(scope)];
        for (int box : m_children[slot(scope)]) {
            const Level::Item item = itemFor(box);
            m_itemOf[slot(box)] = placed.level.items.size();
            placed.boxes.push_back(box);
            placed.level.items.push_back(item);
        }
        const auto port = [&](std::map<NodeId, size_t>& ports, NodeId value, Level::Role role) {
            const auto [entry, isNew] = ports.try_emplace(value, placed.level.items.size());
            if (isNew)
                placed.level.items.push_back({1, 1, role});
            return entry->second;
        };
        bool isOnTrunk = false;
        for (const Crossing& crossing : m_crossing[slot(scope)]) {
            const NodeId value = m_diagram.edges[crossing.edge].value;
            const size_t from = crossing.from == kOutside ? port(placed.entries, value, Level::Role::Entry)
                                                          : m_itemOf[slot(crossing.from)];
            const size_t to = crossing.to == kOutside ? port(placed.exits, value, Level::Role::Exit)
                                                      : m_itemOf[slot(crossing.to)];
            const auto [entry, isNew] =
                placed.edges.try_emplace(placed.keyOf(from, to, value), placed.level.edges.size());
            if (isNew)
                placed.level.edges.push_back({static_cast<int>(from), static_cast<int>(to),
                                              portOf(crossing.from, value, &Placed::exits),
                                              portOf(crossing.to, value, &Placed::entries)});
            isOnTrunk |= placed.level.edges[entry->second].isTrunk |= crossing.isTrunk;
        }
        for (const bool isExit : {false, true}) {
            const std::vector<NodeId>& order = m_portOrder[slot(scope)][isExit];
            const auto& ports = isExit ? placed.exits : placed.entries;
            for (size_t i = 1; i < order.size(); ++i)
                placed.level.portOrder.emplace_back(ports.at(order[i - 1]), ports.at(order[i]));
        }
        if (!isOnTrunk)
            for (size_t e : trunkOf(placed.level))
                placed.level.edges[e].isTrunk = true;
        const bool isLarge = placed.level.items.size() > kMostPerLevel;
        placed.layout = isLarge ? layoutLinearly(placed.level) : m_layouter(placed.level);
        if (m_columnHeight > 0)
            placed.layout = folded(placed.level, std::move(placed.layout), m_columnHeight);
    }

    /// Remembers for each open scope from left to right which values should enter and leave it; whether that
    /// is another order than they have.
    bool orderPorts() {
        bool isOther = false;
        for (size_t s = 0; s + 1 < m_levels.size(); ++s) {
            const Placed& placed = m_levels[s];
            std::map<NodeId, std::pair<double, int>> far[2]; // sums of places, and how many
            for (const Crossing& crossing : m_crossing[s]) {
                const DiagramEdge& edge = m_diagram.edges[crossing.edge];
                for (const bool isExit : {false, true}) {
                    if ((isExit ? crossing.to : crossing.from) != kOutside)
                        continue;
                    const DiagramBox& box =
                        m_diagram.boxes[static_cast<size_t>(isExit ? edge.to : edge.from)];
                    auto& [sum, count] = far[isExit][edge.value];
                    sum += box.x + box.width / 2;
                    ++count;
                }
            }
            for (const bool isExit : {false, true}) {
                const auto& ports = isExit ? placed.exits : placed.entries;
                const auto xOf = [&](NodeId value) { return placed.layout.centers[ports.at(value)].x; };
                std::vector<NodeId>& order = m_portOrder[s][isExit];
                for (const auto& [value, port] : ports)
                    order.push_back(value);
                std::sort(order.begin(), order.end(), [&](NodeId a, NodeId b) { return xOf(a) < xOf(b); });
                const std::vector<NodeId> was = order;
                // Those that come from the same place stay as they are.
                std::stable_sort(order.begin(), order.end(), [&](NodeId a, NodeId b) {
                    return far[isExit][a].first * far[isExit][b].second <
                           far[isExit][b].first * far[isExit][a].second;
                });
                isOther |= order != was;
            }
        }
        return isOther;
    }

    /// How far what is in an open scope is from the left of its box.
    double indent(int box) const {
        const DiagramBox& scope = m_diagram.boxes[static_cast<size_t>(box)];
        return std::floor((scope.width - m_levels[slot(box)].layout.width) / 2);
    }

    /// Where a value passes the border of an open scope, or where a box is beside which others stand, from
    /// the middle of the item.
    double portOf(int box, NodeId value, std::map<NodeId, size_t> Placed::*ports) const {
        if (box == kOutside)
            return 0;
        if (m_diagram.boxes[static_cast<size_t>(box)].kind != DiagramBox::Kind::ExpandedScope)
            return m_side.room(box) / 2;
        const Placed& inner = m_levels[slot(box)];
        const auto port = (inner.*ports).find(value);
        if (port == (inner.*ports).end())
            return 0;
        return indent(box) + inner.layout.centers[port->second].x -
               m_diagram.boxes[static_cast<size_t>(box)].width / 2;
    }

    void position(int scope, Point origin) {
        Placed& placed = m_levels[slot(scope)];
        placed.origin = origin;
        for (size_t i = 0; i < placed.boxes.size(); ++i) {
            DiagramBox& box = m_diagram.boxes[static_cast<size_t>(placed.boxes[i])];
            box.x = origin.x + placed.layout.centers[i].x + m_side.room(placed.boxes[i]) / 2 - box.width / 2;
            box.y = origin.y + placed.layout.centers[i].y - box.height / 2;
            m_side.position(m_diagram, placed.boxes[i]);
            if (box.kind != DiagramBox::Kind::ExpandedScope)
                continue;
            position(placed.boxes[i], {box.x + indent(placed.boxes[i]), box.y + kScopeTitle});
        }
    }

    /// The way of an edge inside one scope, in absolute coordinates.
    std::vector<Point> pathIn(int scope, size_t from, size_t to, NodeId value) const {
        const Placed& placed = m_levels[slot(scope)];
        std::vector<Point> path = placed.layout.paths[placed.edges.at(placed.keyOf(from, to, value))];
        for (Point& p : path)
            p = {p.x + placed.origin.x, p.y + placed.origin.y};
        // A column may be higher than the box that it stands beside: the wire goes on to the box.
        if (from < placed.boxes.size() && path.size() >= 4) {
            const DiagramBox& box = m_diagram.boxes[static_cast<size_t>(placed.boxes[from])];
            if (path.front().y > box.y + box.height + 2) {
                path.insert(path.begin(), 3, {});
                setStraight(&path[0], {path[3].x, box.y + box.height}, path[3]);
            }
        }
        if (to < placed.boxes.size() && path.size() >= 4) {
            const DiagramBox& box = m_diagram.boxes[static_cast<size_t>(placed.boxes[to])];
            if (path.back().y < box.y - 2) {
                path.resize(path.size() + 3);
                Point* piece = &path[path.size() - 4];
                setStraight(piece, *piece, {piece->x, box.y});
            }
        }
        return path;
    }

    static void setStraight(Point* piece, Point from, Point to) {
        const Point step{(to.x - from.x) / 3, (to.y - from.y) / 3};
        piece[0] = from;
        piece[1] = {from.x + step.x, from.y + step.y};
        piece[2] = {to.x - step.x, to.y - step.y};
        piece[3] = to;
    }

    void route(size_t e) {
        DiagramEdge& edge = m_diagram.edges[e];
        if (isBeside(edge)) {
            edge.path = sideWire(m_diagram.boxes[static_cast<size_t>(edge.from)],
                                 m_diagram.boxes[static_cast<size_t>(edge.to)]);
            return;
        }
        const std::vector<int> from = ancestors(edge.from), to = ancestors(edge.to);
        size_t shared = 0;
        while (shared < from.size() && shared < to.size() &&
               from[from.size() - 1 - shared] == to[to.size() - 1 - shared])
            ++shared;
        const size_t f = from.size() - shared, t = to.size() - shared;
        if (f == 0 || t == 0)
            return;
        // Up out of the scopes around the source, across, and down into those around the target.
        for (size_t i = 1; i < f; ++i)
            extend(edge.path,
                   pathIn(from[i], m_itemOf[slot(from[i - 1])], m_levels[slot(from[i])].exits.at(edge.value),
                          edge.value),
                   from[i]);
        extend(edge.path, pathIn(from[f], m_itemOf[slot(from[f - 1])], m_itemOf[slot(to[t - 1])], edge.value),
               -1);
        for (size_t i = t; i-- > 1;)
            extend(edge.path,
                   pathIn(to[i], m_levels[slot(to[i])].entries.at(edge.value), m_itemOf[slot(to[i - 1])],
                          edge.value),
                   -1);
    }

    /// Appends a piece of way; where two pieces meet, the second begins where the first ended.
    void extend(std::vector<Point>& path, std::vector<Point> piece, int leaving) const {
        if (piece.size() < 4)
            return;
        if (leaving >= 0) {
            // A port inside is above the border by the padding: go on down to the border.
            const DiagramBox& box = m_diagram.boxes[static_cast<size_t>(leaving)];
            piece.resize(piece.size() + 3);
            Point* last = &piece[piece.size() - 4];
            setStraight(last, *last, {last->x, box.y + box.height});
        }
        if (path.empty()) {
            path = std::move(piece);
            return;
        }
        const bool isEntering = piece.front().y > path.back().y + 2;
        if (isEntering) {
            // The way outside bends to stand above the port, and goes straight down to it.
            const double x = piece.front().x;
            path[path.size() - 2].x = path.back().x = x;
            path.resize(path.size() + 3);
            Point* top = &path[path.size() - 4];
            setStraight(top, *top, piece.front());
        } else {
            piece[0].x = piece[1].x = path.back().x;
        }
        path.insert(path.end(), piece.begin() + 1, piece.end());
    }

    static constexpr int kOutside = -2;
    struct Crossing {
        size_t edge;
        int from, to; ///< boxes of the scope, or outside
        bool isTrunk;
    };

    Diagram& m_diagram;
    const LevelLayouter& m_layouter;
    const double m_columnHeight;
    const SideBoxes m_side;
    std::vector<size_t> m_itemOf;                                ///< by box, in the level that it is in
    std::vector<std::vector<int>> m_children;                    ///< by slot
    std::vector<std::vector<Crossing>> m_crossing;               ///< by slot
    std::vector<Placed> m_levels;                                ///< by slot
    std::vector<std::array<std::vector<NodeId>, 2>> m_portOrder; ///< by slot: entries, exits
};

} // namespace

void place(Diagram& diagram, const LevelLayouter& layouter, bool foldsLong) {
    const Diagram unplaced = foldsLong ? diagram : Diagram();
    Placer(diagram, layouter, 0).run();
    if (!foldsLong || diagram.height <= 0)
        return;
    // How large it is seen when all of it is.
    const auto scaleOf = [](const Diagram& of) {
        constexpr double kWidth = 1000, kHeight = 740; // of a canvas
        return std::min({1.0, kWidth / of.width, kHeight / of.height});
    };
    constexpr double kAspect = 0.74, kWorthIt = 1.15;
    const double columns = std::sqrt(diagram.height / (diagram.width * kAspect)), height = diagram.height;
    for (const double count : {std::floor(columns), std::ceil(columns)}) {
        if (count < 2)
            continue;
        Diagram cut = unplaced;
        Placer(cut, layouter, height / count).run();
        if (scaleOf(cut) > kWorthIt * scaleOf(diagram))
            diagram = std::move(cut);
    }
}

} // namespace fx
