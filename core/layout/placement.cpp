// SPDX-License-Identifier: GPL-3.0-or-later
// An edge that leaves or enters an expanded scope passes through a port on its border. Inside, the port is an
// item of the scope's level; outside, the edge ends at the border and is bent to meet the port.
#include "core/layout/placement.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace fx {

namespace {

/// More boxes than this are not laid out at once; they are cut into bands in their order.
constexpr size_t kMostPerLevel = 500;
constexpr size_t kBand = 300;

LevelLayout layOutInBands(const Level& level, const LevelLayouter& layouter) {
    if (level.items.size() <= kMostPerLevel)
        return layouter(level);
    LevelLayout out;
    out.centers.resize(level.items.size());
    out.paths.resize(level.edges.size());
    const size_t bands = (level.items.size() + kBand - 1) / kBand;
    // Ports belong to the first and the last band.
    const auto bandOf = [&](size_t item) {
        const Level::Role role = level.items[item].role;
        return role == Level::Role::Entry ? 0 : role == Level::Role::Exit ? bands - 1 : item / kBand;
    };
    std::vector<size_t> indexInBand(level.items.size());
    std::vector<Level> parts(bands);
    for (size_t i = 0; i < level.items.size(); ++i) {
        indexInBand[i] = parts[bandOf(i)].items.size();
        parts[bandOf(i)].items.push_back(level.items[i]);
    }
    std::vector<std::pair<size_t, size_t>> edgeInBand(level.edges.size(), {bands, 0});
    for (size_t e = 0; e < level.edges.size(); ++e) {
        const auto from = static_cast<size_t>(level.edges[e].from),
                   to = static_cast<size_t>(level.edges[e].to);
        const size_t band = bandOf(from);
        if (band != bandOf(to))
            continue;
        edgeInBand[e] = {band, parts[band].edges.size()};
        parts[band].edges.push_back({static_cast<int>(indexInBand[from]), static_cast<int>(indexInBand[to])});
    }
    std::vector<LevelLayout> laidOut;
    for (const Level& part : parts) {
        laidOut.push_back(layouter(part));
        out.width = std::max(out.width, laidOut.back().width);
    }
    std::vector<Point> offset;
    double y = 0;
    for (const LevelLayout& part : laidOut) {
        offset.push_back({(out.width - part.width) / 2, y});
        y += part.height + 2 * kRankGap;
    }
    out.height = y - 2 * kRankGap;
    for (size_t i = 0; i < level.items.size(); ++i) {
        const size_t band = bandOf(i);
        const Point center = laidOut[band].centers[indexInBand[i]];
        out.centers[i] = {center.x + offset[band].x, center.y + offset[band].y};
    }
    for (size_t e = 0; e < level.edges.size(); ++e) {
        const auto [band, index] = edgeInBand[e];
        const auto from = static_cast<size_t>(level.edges[e].from),
                   to = static_cast<size_t>(level.edges[e].to);
        if (band == bands) {
            out.paths[e] =
                verticalCurve({out.centers[from].x, out.centers[from].y + level.items[from].height / 2},
                              {out.centers[to].x, out.centers[to].y - level.items[to].height / 2});
            continue;
        }
        for (Point p : laidOut[band].paths[index])
            out.paths[e].push_back({p.x + offset[band].x, p.y + offset[band].y});
    }
    return out;
}

class Placer {
public:
    Placer(Diagram& diagram, const LevelLayouter& layouter) : m_diagram(diagram), m_layouter(layouter) {
        const size_t count = diagram.boxes.size();
        m_children.resize(count + 1);
        for (size_t i = 0; i < count; ++i)
            m_children[slot(diagram.boxes[i].parent)].push_back(static_cast<int>(i));
        m_levels.resize(count + 1);
        m_crossing.resize(count + 1);
        sortEdges();
    }

    void run() {
        layOut(-1);
        position(-1, {0, 0});
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
        std::map<std::pair<size_t, size_t>, size_t> edges; ///< by items
        Point origin;                                      ///< absolute
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
        for (size_t e = 0; e < m_diagram.edges.size(); ++e) {
            const DiagramEdge& edge = m_diagram.edges[e];
            const std::vector<int> from = ancestors(edge.from), to = ancestors(edge.to);
            size_t shared = 0;
            while (shared < from.size() && shared < to.size() &&
                   from[from.size() - 1 - shared] == to[to.size() - 1 - shared])
                ++shared;
            // from[...-shared] and to[...-shared] are the two boxes in the scope that holds both.
            const size_t f = from.size() - shared, t = to.size() - shared;
            if (f == 0 || t == 0)
                continue;
            m_crossing[slot(from[f])].push_back({e, from[f - 1], to[t - 1]});
            for (size_t i = f - 1; i > 0; --i)
                m_crossing[slot(from[i])].push_back({e, from[i - 1], kOutside});
            for (size_t i = t - 1; i > 0; --i)
                m_crossing[slot(to[i])].push_back({e, kOutside, to[i - 1]});
        }
    }

    void layOut(int scope) {
        Placed& placed = m_levels[slot(scope)];
        std::map<int, size_t> itemOf;
        for (int box : m_children[slot(scope)]) {
            DiagramBox& child = m_diagram.boxes[static_cast<size_t>(box)];
            if (child.kind == DiagramBox::Kind::ExpandedScope) {
                layOut(box);
                const LevelLayout& inner = m_levels[slot(box)].layout;
                child.width = std::max(inner.width + 2 * kScopePadding, 200.0);
                // Wires that leave keep the last boxes off the border.
                child.height =
                    inner.height + kScopeTitle + (m_levels[slot(box)].exits.empty() ? kScopePadding : 2);
            }
            itemOf[box] = placed.level.items.size();
            placed.boxes.push_back(box);
            // Whole numbers, so that equal scopes give equal texts.
            placed.level.items.push_back({std::ceil(child.width), std::ceil(child.height)});
        }
        const auto port = [&](std::map<NodeId, size_t>& ports, NodeId value, Level::Role role) {
            const auto [entry, isNew] = ports.try_emplace(value, placed.level.items.size());
            if (isNew)
                placed.level.items.push_back({1, 1, role});
            return entry->second;
        };
        for (const Crossing& crossing : m_crossing[slot(scope)]) {
            const NodeId value = m_diagram.edges[crossing.edge].value;
            const size_t from = crossing.from == kOutside ? port(placed.entries, value, Level::Role::Entry)
                                                          : itemOf.at(crossing.from);
            const size_t to = crossing.to == kOutside ? port(placed.exits, value, Level::Role::Exit)
                                                      : itemOf.at(crossing.to);
            const auto [entry, isNew] = placed.edges.try_emplace({from, to}, placed.level.edges.size());
            if (isNew)
                placed.level.edges.push_back({static_cast<int>(from), static_cast<int>(to)});
        }
        placed.layout = layOutInBands(placed.level, m_layouter);
    }

    void position(int scope, Point origin) {
        Placed& placed = m_levels[slot(scope)];
        placed.origin = origin;
        for (size_t i = 0; i < placed.boxes.size(); ++i) {
            DiagramBox& box = m_diagram.boxes[static_cast<size_t>(placed.boxes[i])];
            box.x = origin.x + placed.layout.centers[i].x - box.width / 2;
            box.y = origin.y + placed.layout.centers[i].y - box.height / 2;
            if (box.kind != DiagramBox::Kind::ExpandedScope)
                continue;
            const double inner = m_levels[slot(placed.boxes[i])].layout.width;
            position(placed.boxes[i], {box.x + (box.width - inner) / 2, box.y + kScopeTitle});
        }
    }

    /// The way of an edge inside one scope, in absolute coordinates.
    std::vector<Point> pathIn(int scope, size_t from, size_t to) const {
        const Placed& placed = m_levels[slot(scope)];
        std::vector<Point> path = placed.layout.paths[placed.edges.at({from, to})];
        for (Point& p : path)
            p = {p.x + placed.origin.x, p.y + placed.origin.y};
        return path;
    }

    size_t itemIn(int scope, int box) const {
        const std::vector<int>& boxes = m_levels[slot(scope)].boxes;
        return static_cast<size_t>(std::find(boxes.begin(), boxes.end(), box) - boxes.begin());
    }

    void route(size_t e) {
        DiagramEdge& edge = m_diagram.edges[e];
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
            extend(
                edge.path,
                pathIn(from[i], itemIn(from[i], from[i - 1]), m_levels[slot(from[i])].exits.at(edge.value)),
                from[i]);
        extend(edge.path, pathIn(from[f], itemIn(from[f], from[f - 1]), itemIn(from[f], to[t - 1])), -1);
        for (size_t i = t; i-- > 1;)
            extend(edge.path,
                   pathIn(to[i], m_levels[slot(to[i])].entries.at(edge.value), itemIn(to[i], to[i - 1])), -1);
    }

    /// Appends a piece of way; where two pieces meet, the second begins where the first ended.
    void extend(std::vector<Point>& path, std::vector<Point> piece, int leaving) const {
        if (piece.size() < 4)
            return;
        if (leaving >= 0) {
            // A port inside is above the border by the padding: go on down to the border.
            const DiagramBox& box = m_diagram.boxes[static_cast<size_t>(leaving)];
            const Point end{piece.back().x, box.y + box.height};
            const double third = (end.y - piece.back().y) / 3;
            const Point last = piece.back();
            piece.push_back({last.x, last.y + third});
            piece.push_back({last.x, last.y + 2 * third});
            piece.push_back(end);
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
            const Point top = path.back();
            const double third = (piece.front().y - top.y) / 3;
            path.push_back({x, top.y + third});
            path.push_back({x, top.y + 2 * third});
            path.push_back(piece.front());
        } else {
            piece[0].x = piece[1].x = path.back().x;
        }
        path.insert(path.end(), piece.begin() + 1, piece.end());
    }

    static constexpr int kOutside = -2;
    struct Crossing {
        size_t edge;
        int from, to; ///< boxes of the scope, or outside
    };

    Diagram& m_diagram;
    const LevelLayouter& m_layouter;
    std::vector<std::vector<int>> m_children;      ///< by slot
    std::vector<std::vector<Crossing>> m_crossing; ///< by slot
    std::vector<Placed> m_levels;                  ///< by slot
};

} // namespace

void place(Diagram& diagram, const LevelLayouter& layouter) {
    Placer(diagram, layouter).run();
}

} // namespace fx
