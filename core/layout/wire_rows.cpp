// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/wire_rows.h"

#include "core/layout/straight_wires.h"

#include <algorithm>
#include <cmath>

namespace fx {

namespace {

/// Room for one more wire that runs sideways through a gap.
constexpr double kRoomBeside = 8;
constexpr double kMostGap = 200;
/// Between wires that meet one box.
constexpr double kEndGap = 20;
constexpr double kEndMargin = 12;

struct PlacedRow {
    double top = 0, height = 0, gap = kRankGap; ///< the gap is below it
    double bottom() const { return top + height; }
};

class Wiring {
public:
    Wiring(const Level& level, const RowOrder& order)
        : m_level(level), m_order(order), m_passed(straightened(level, order)), m_rows(order.middle.size()),
          m_ends(level.edges.size()) {
        for (size_t e = 0; e < level.edges.size(); ++e)
            m_ends[e] = {xOf(level.edges[e].from, level.edges[e].fromX),
                         xOf(level.edges[e].to, level.edges[e].toX)};
        spreadEnds();
        placeRows();
    }

    LevelLayout run() {
        LevelLayout out;
        for (size_t i = 0; i < m_level.items.size(); ++i)
            out.centers.push_back({m_order.x[i], rowOf(i).top + rowOf(i).height / 2});
        for (size_t e = 0; e < m_level.edges.size(); ++e)
            out.paths.push_back(isDown(e) ? wayDown(e, out) : moved(m_order.upwards[e]));
        out.height = m_rows.empty() ? 0 : m_rows.back().bottom();
        fit(out);
        return out;
    }

private:
    struct Ends {
        double from, to;
    };
    const Level::Item& item(int index) const { return m_level.items[static_cast<size_t>(index)]; }
    double xOf(int index, double port) const { return m_order.x[static_cast<size_t>(index)] + port; }
    size_t firstRow(size_t e) const { return m_order.row[static_cast<size_t>(m_level.edges[e].from)]; }
    size_t lastRow(size_t e) const { return m_order.row[static_cast<size_t>(m_level.edges[e].to)]; }
    const PlacedRow& rowOf(size_t index) const { return m_rows[m_order.row[index]]; }
    bool isDown(size_t e) const { return m_order.upwards[e].empty(); }

    /// Where a wire is in a row that it begins in, passes, or ends in.
    double xIn(size_t e, size_t row) const {
        if (row == firstRow(e))
            return m_ends[e].from;
        return row == lastRow(e) ? m_ends[e].to : m_passed[e][row - firstRow(e) - 1];
    }

    /// Wires that meet one box come to its top side by side, in the order in which they come; the one that is
    /// straight stays so.
    void spreadEnds() {
        std::vector<std::vector<size_t>> into(m_level.items.size());
        for (size_t e = 0; e < m_level.edges.size(); ++e)
            if (isDown(e) && item(m_level.edges[e].to).role == Level::Role::Box)
                into[static_cast<size_t>(m_level.edges[e].to)].push_back(e);
        for (size_t i = 0; i < into.size(); ++i) {
            std::vector<size_t>& edges = into[i];
            const auto comesFrom = [&](size_t e) { return xIn(e, lastRow(e) - 1); };
            std::ranges::stable_sort(edges, {}, comesFrom);
            double middle = (static_cast<double>(edges.size()) - 1) / 2;
            for (size_t k = 0; k < edges.size(); ++k)
                if (m_level.edges[edges[k]].isTrunk || std::abs(comesFrom(edges[k]) - m_order.x[i]) < 2)
                    middle = static_cast<double>(k);
            const double room = m_level.items[i].width / 2 - kEndMargin;
            const double gap = std::min(kEndGap, room / std::max(1.0, static_cast<double>(edges.size()) - 1));
            for (size_t k = 0; k < edges.size(); ++k)
                m_ends[edges[k]].to += gap * (static_cast<double>(k) - middle);
        }
    }

    void placeRows() {
        for (size_t i = 0; i < m_level.items.size(); ++i) {
            double& height = m_rows[m_order.row[i]].height;
            height = std::max(height, m_level.items[i].height);
        }
        widenGaps();
        double y = 0;
        for (PlacedRow& row : m_rows) {
            row.top = y;
            y = row.bottom() + row.gap;
        }
    }

    /// By how many wires run sideways over one place.
    void widenGaps() {
        std::vector<std::vector<std::pair<double, int>>> turns(m_rows.size());
        for (size_t e = 0; e < m_level.edges.size(); ++e)
            for (size_t row = firstRow(e); isDown(e) && row < lastRow(e); ++row) {
                const double from = xIn(e, row), to = xIn(e, row + 1);
                if (std::abs(to - from) < 2 * kRankGap)
                    continue;
                turns[row].emplace_back(std::min(from, to), 1);
                turns[row].emplace_back(std::max(from, to), -1);
            }
        for (size_t row = 0; row < m_rows.size(); ++row) {
            std::ranges::sort(turns[row]);
            int wires = 0, most = 0;
            for (const auto& [x, step] : turns[row])
                most = std::max(most, wires += step);
            m_rows[row].gap = std::min(kMostGap, kRankGap + kRoomBeside * std::max(0, most - 2));
        }
    }

    std::vector<Point> wayDown(size_t e, const LevelLayout& out) const {
        const auto from = static_cast<size_t>(m_level.edges[e].from);
        const auto to = static_cast<size_t>(m_level.edges[e].to);
        std::vector<Point> path{{m_ends[e].from, out.centers[from].y + m_level.items[from].height / 2}};
        for (size_t row = firstRow(e) + 1; row <= lastRow(e); ++row) {
            const double x = xIn(e, row);
            if (std::abs(x - path.back().x) < 0.5)
                continue;
            goDown(path, m_rows[row - 1].bottom());
            turnTo(path, {x, m_rows[row].top});
        }
        goDown(path, out.centers[to].y - m_level.items[to].height / 2);
        return path;
    }

    /// A way in rows of other heights, in these.
    std::vector<Point> moved(std::vector<Point> path) const {
        for (Point& p : path) {
            const auto below = std::ranges::upper_bound(m_order.middle, p.y);
            const auto row =
                static_cast<size_t>(std::max<std::ptrdiff_t>(0, below - m_order.middle.begin() - 1));
            const size_t next = std::min(row + 1, m_rows.size() - 1);
            const auto middleOf = [&](size_t r) { return m_rows[r].top + m_rows[r].height / 2; };
            const double was = m_order.middle[next] - m_order.middle[row];
            const double scale = was > 0 ? (middleOf(next) - middleOf(row)) / was : 1;
            p.y = middleOf(row) + (p.y - m_order.middle[row]) * scale;
        }
        return path;
    }

    /// Moves all to where it begins, by whole pixels, so that equal scopes stay equal.
    void fit(LevelLayout& out) const {
        double left = HUGE_VAL, right = -HUGE_VAL;
        for (size_t i = 0; i < m_level.items.size(); ++i) {
            left = std::min(left, m_order.x[i] - m_level.items[i].width / 2);
            right = std::max(right, m_order.x[i] + m_level.items[i].width / 2);
        }
        for (const std::vector<Point>& path : out.paths)
            for (const Point& p : path) {
                left = std::min(left, p.x);
                right = std::max(right, p.x);
            }
        left = std::floor(left);
        out.width = m_level.items.empty() ? 0 : std::ceil(right - left);
        for (Point& center : out.centers)
            center.x -= left;
        for (std::vector<Point>& path : out.paths)
            for (Point& p : path)
                p.x -= left;
    }

    const Level& m_level;
    const RowOrder& m_order;
    const std::vector<std::vector<double>> m_passed; ///< by edge, for each row between its ends
    std::vector<PlacedRow> m_rows;
    std::vector<Ends> m_ends; ///< by edge
};

} // namespace

void goDown(std::vector<Point>& path, double y) {
    if (y > path.back().y + 0.5)
        turnTo(path, {path.back().x, y});
}

void turnTo(std::vector<Point>& path, Point to) {
    const Point from = path.back();
    const double bend = (to.y - from.y) / 2;
    path.insert(path.end(), {{from.x, from.y + bend}, {to.x, to.y - bend}, to});
}

LevelLayout layoutOfRows(const Level& level, const RowOrder& order) {
    return Wiring(level, order).run();
}

} // namespace fx
