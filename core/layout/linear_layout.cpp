// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/linear_layout.h"

#include "core/layout/wire_rows.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace fx {

namespace {

class Ranking {
public:
    explicit Ranking(const Level& level)
        : m_level(level), m_in(level.items.size()), m_out(level.items.size()) {
        for (const Level::Edge& edge : level.edges) {
            m_in[static_cast<size_t>(edge.to)].push_back(edge.from);
            m_out[static_cast<size_t>(edge.from)].push_back(edge.to);
        }
    }

    /// The rank of each item. Edges of a circle, which a picture of scopes can have, count as far as they are
    /// met.
    std::vector<int> ranks() const {
        const size_t count = m_level.items.size();
        std::vector<int> rank(count, 0);
        std::vector<bool> isDone(count, false);
        for (size_t item : forwardOrder(m_level)) {
            isDone[item] = true;
            for (int to : m_out[item])
                if (const auto target = static_cast<size_t>(to); !isDone[target])
                    rank[target] = std::max(rank[target], rank[item] + 1);
        }
        // What nothing leads to stands just above its first reader, not at the top of everything.
        const int last = count ? *std::max_element(rank.begin(), rank.end()) : 0;
        for (size_t i = 0; i < count; ++i) {
            const Level::Role role = m_level.items[i].role;
            if (role == Level::Role::Entry) {
                rank[i] = 0;
            } else if (role == Level::Role::Exit) {
                rank[i] = last;
            } else if (m_in[i].empty() && !m_out[i].empty()) {
                int first = last;
                for (int to : m_out[i])
                    first = std::min(first, rank[static_cast<size_t>(to)]);
                rank[i] = std::max(0, first - 1);
            }
        }
        return rank;
    }

private:
    const Level& m_level;
    std::vector<std::vector<int>> m_in, m_out;
};

/// How far to the right each row reaches; wires that pass rows go beyond.
class RightEdges {
public:
    explicit RightEdges(size_t rows)
        : m_rows(std::max<size_t>(rows, 1)), m_top(4 * m_rows), m_all(4 * m_rows) {}

    /// Rows of [first, last] reach at least to x.
    void extend(size_t first, size_t last, double x) { extend(1, 0, m_rows - 1, first, last, x); }
    double farthest(size_t first, size_t last) const { return farthest(1, 0, m_rows - 1, first, last); }

private:
    void extend(size_t node, size_t low, size_t high, size_t first, size_t last, double x) {
        if (last < low || high < first)
            return;
        m_top[node] = std::max(m_top[node], x);
        if (first <= low && high <= last) {
            m_all[node] = std::max(m_all[node], x);
            return;
        }
        const size_t middle = (low + high) / 2;
        extend(2 * node, low, middle, first, last, x);
        extend(2 * node + 1, middle + 1, high, first, last, x);
    }
    double farthest(size_t node, size_t low, size_t high, size_t first, size_t last) const {
        if (last < low || high < first)
            return 0;
        if (first <= low && high <= last)
            return m_top[node];
        const size_t middle = (low + high) / 2;
        return std::max({m_all[node], farthest(2 * node, low, middle, first, last),
                         farthest(2 * node + 1, middle + 1, high, first, last)});
    }

    size_t m_rows;
    std::vector<double> m_top, m_all; ///< by node of the tree: of what is in it, of all of it
};

class Layered {
public:
    explicit Layered(const Level& level) : m_level(level), m_rank(Ranking(level).ranks()) {
        for (size_t i = 0; i < m_rank.size(); ++i) {
            if (static_cast<int>(m_rows.size()) <= m_rank[i])
                m_rows.resize(static_cast<size_t>(m_rank[i]) + 1);
            m_rows[static_cast<size_t>(m_rank[i])].items.push_back(i);
        }
    }

    LevelLayout run() {
        m_out.centers.resize(m_level.items.size());
        takeTrunk();
        placeRows();
        route();
        moveToOrigin();
        return std::move(m_out);
    }

private:
    struct Row {
        std::vector<size_t> items;
        double top = 0, height = 0;
    };
    const Level::Item& item(int index) const { return m_level.items[static_cast<size_t>(index)]; }
    size_t rankOf(int index) const { return static_cast<size_t>(m_rank[static_cast<size_t>(index)]); }

    /// Where the trunk's items are so that its wires are vertical. Rows have one of them each, or a wire of
    /// it.
    void takeTrunk() {
        m_isTrunk.resize(m_level.edges.size());
        m_trunkCenter.resize(m_level.items.size(), kNowhere);
        std::vector<size_t> trunk;
        for (size_t e = 0; e < m_level.edges.size(); ++e)
            if (m_level.edges[e].isTrunk)
                trunk.push_back(e);
        if (trunk.empty())
            trunk = trunkOf(m_level);
        std::ranges::sort(trunk, {}, [&](size_t e) { return rankOf(m_level.edges[e].from); });
        double x = 0;
        for (size_t e : trunk) {
            const Level::Edge& edge = m_level.edges[e];
            const auto from = static_cast<size_t>(edge.from), to = static_cast<size_t>(edge.to);
            if (m_rank[from] >= m_rank[to] || m_trunkCenter[to] != kNowhere)
                continue;
            if (m_trunkCenter[from] == kNowhere)
                m_trunkCenter[from] = x - edge.fromX;
            x = m_trunkCenter[from] + edge.fromX;
            m_trunkCenter[to] = x - edge.toX;
            m_isTrunk[e] = true;
            for (size_t row = rankOf(edge.from) + 1; row < rankOf(edge.to); ++row)
                m_passed[row] = x;
        }
    }

    void placeRows() {
        std::vector<double> wish(m_level.items.size(), 0);
        std::vector<int> producers(m_level.items.size(), 0);
        std::vector<std::vector<size_t>> out(m_level.items.size());
        for (size_t e = 0; e < m_level.edges.size(); ++e)
            out[static_cast<size_t>(m_level.edges[e].from)].push_back(e);
        double y = 0;
        for (size_t r = 0; r < m_rows.size(); ++r) {
            Row& row = m_rows[r];
            for (size_t i : row.items)
                row.height = std::max(row.height, m_level.items[i].height);
            row.top = y;
            placeRow(row, r, wish);
            for (size_t i : row.items) {
                m_out.centers[i].y = y + row.height / 2;
                for (size_t e : out[i]) {
                    const auto to = static_cast<size_t>(m_level.edges[e].to);
                    // The mean of what it reads, as far as that is placed.
                    const double x = m_out.centers[i].x + m_level.edges[e].fromX;
                    wish[to] += (x - wish[to]) / ++producers[to];
                }
            }
            if (row.height > 0)
                y += row.height + kRankGap;
        }
        m_out.height = std::max(0.0, y - kRankGap);
    }

    /// From the trunk outwards, each on the side of what it reads.
    void placeRow(const Row& row, size_t rank, const std::vector<double>& wish) {
        std::vector<size_t> others;
        double left = 0, right = -kBoxGap;
        const auto passed = m_passed.find(rank);
        if (passed != m_passed.end())
            left = right = passed->second;
        for (size_t i : row.items) {
            if (m_trunkCenter[i] == kNowhere) {
                others.push_back(i);
                continue;
            }
            m_out.centers[i].x = m_trunkCenter[i];
            left = m_trunkCenter[i] - m_level.items[i].width / 2;
            right = m_trunkCenter[i] + m_level.items[i].width / 2;
        }
        const double middle = (left + right) / 2;
        std::ranges::stable_sort(others, {}, [&](size_t i) { return std::abs(wish[i] - middle); });
        for (size_t i : others) {
            const double width = m_level.items[i].width;
            if (wish[i] < middle) {
                left -= kBoxGap + width;
                m_out.centers[i].x = left + width / 2;
            } else {
                right += kBoxGap + width;
                m_out.centers[i].x = right - width / 2;
            }
        }
        m_left = std::min(m_left, left);
        m_rowRight.push_back(right);
    }

    /// Wires keep to the gaps between rows; those that pass rows go down beside all that stands there.
    void route() {
        constexpr double kLane = 14;
        RightEdges edges(m_rows.size());
        for (size_t r = 0; r < m_rowRight.size(); ++r)
            edges.extend(r, r, std::max(0.0, m_rowRight[r] - m_left));
        std::vector<size_t> order(m_level.edges.size());
        std::iota(order.begin(), order.end(), size_t(0));
        // Short ones inside.
        const auto length = [&](size_t e) {
            return m_rank[static_cast<size_t>(m_level.edges[e].to)] -
                   m_rank[static_cast<size_t>(m_level.edges[e].from)];
        };
        std::ranges::stable_sort(order, {}, length);
        m_out.paths.resize(order.size());
        for (size_t e : order) {
            const Level::Edge& edge = m_level.edges[e];
            std::vector<Point>& path = m_out.paths[e];
            const Point from{m_out.centers[static_cast<size_t>(edge.from)].x + edge.fromX,
                             m_out.centers[static_cast<size_t>(edge.from)].y + item(edge.from).height / 2};
            const Point to{m_out.centers[static_cast<size_t>(edge.to)].x + edge.toX,
                           m_out.centers[static_cast<size_t>(edge.to)].y - item(edge.to).height / 2};
            if (length(e) < 1) {
                path = verticalCurve(from, to);
                continue;
            }
            const size_t first = rankOf(edge.from), last = rankOf(edge.to);
            path = {from};
            goDown(path, bottomOf(first));
            if (last - first > 1 && !m_isTrunk[e]) {
                const double lane = edges.farthest(first + 1, last - 1) + kLane;
                edges.extend(first + 1, last - 1, lane);
                turnTo(path, {lane + m_left, m_rows[first + 1].top});
                goDown(path, bottomOf(last - 1));
            }
            turnTo(path, {to.x, m_rows[last].top});
            goDown(path, to.y);
            m_right = std::max(m_right, edges.farthest(first, last) + m_left);
        }
        for (double right : m_rowRight)
            m_right = std::max(m_right, right);
    }
    double bottomOf(size_t row) const { return m_rows[row].top + m_rows[row].height; }

    void moveToOrigin() {
        m_out.width = m_level.items.empty() ? 0 : m_right - m_left;
        for (Point& center : m_out.centers)
            center.x -= m_left;
        for (std::vector<Point>& path : m_out.paths)
            for (Point& p : path)
                p.x -= m_left;
    }

    static constexpr double kNowhere = 1e300;
    const Level& m_level;
    std::vector<int> m_rank;
    std::vector<Row> m_rows;
    std::vector<bool> m_isTrunk;       ///< by edge: it is straight
    std::vector<double> m_trunkCenter; ///< by item
    std::map<size_t, double> m_passed; ///< by row that has a wire of the trunk instead
    std::vector<double> m_rowRight;
    double m_left = 0, m_right = 0;
    LevelLayout m_out;
};

} // namespace

LevelLayout layoutLinearly(const Level& level) {
    return Layered(level).run();
}

} // namespace fx
