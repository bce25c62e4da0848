// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/linear_layout.h"

#include <algorithm>
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
        std::vector<int> rank(count, 0), waiting(count, 0);
        std::vector<int> ready;
        for (size_t i = 0; i < count; ++i)
            if ((waiting[i] = static_cast<int>(m_in[i].size())) == 0)
                ready.push_back(static_cast<int>(i));
        std::vector<bool> isDone(count, false);
        size_t done = 0, next = 0;
        while (done < count) {
            if (ready.empty()) {
                while (isDone[next])
                    ++next;
                ready.push_back(static_cast<int>(next));
            }
            const auto item = static_cast<size_t>(ready.back());
            ready.pop_back();
            if (isDone[item])
                continue;
            isDone[item] = true;
            ++done;
            for (int to : m_out[item]) {
                const auto target = static_cast<size_t>(to);
                if (isDone[target])
                    continue;
                rank[target] = std::max(rank[target], rank[item] + 1);
                if (--waiting[target] == 0)
                    ready.push_back(to);
            }
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

    const std::vector<int>& producers(size_t item) const { return m_in[item]; }

private:
    const Level& m_level;
    std::vector<std::vector<int>> m_in, m_out;
};

} // namespace

LevelLayout layoutLinearly(const Level& level) {
    const Ranking ranking(level);
    const std::vector<int> rank = ranking.ranks();
    std::vector<std::vector<int>> rows;
    for (size_t i = 0; i < rank.size(); ++i) {
        if (static_cast<int>(rows.size()) <= rank[i])
            rows.resize(static_cast<size_t>(rank[i]) + 1);
        rows[static_cast<size_t>(rank[i])].push_back(static_cast<int>(i));
    }
    LevelLayout out;
    out.centers.resize(level.items.size());
    double y = 0;
    for (std::vector<int>& row : rows) {
        if (row.empty())
            continue;
        std::vector<double> wish(level.items.size(), 0);
        for (int item : row) {
            const std::vector<int>& producers = ranking.producers(static_cast<size_t>(item));
            for (int producer : producers)
                wish[static_cast<size_t>(item)] += out.centers[static_cast<size_t>(producer)].x;
            if (!producers.empty())
                wish[static_cast<size_t>(item)] /= static_cast<double>(producers.size());
        }
        std::stable_sort(row.begin(), row.end(), [&](int a, int b) {
            return wish[static_cast<size_t>(a)] < wish[static_cast<size_t>(b)];
        });
        double width = -kBoxGap, height = 0, middle = 0;
        for (int item : row) {
            width += level.items[static_cast<size_t>(item)].width + kBoxGap;
            height = std::max(height, level.items[static_cast<size_t>(item)].height);
            middle += wish[static_cast<size_t>(item)];
        }
        double x = middle / static_cast<double>(row.size()) - width / 2;
        for (int item : row) {
            const double own = level.items[static_cast<size_t>(item)].width;
            out.centers[static_cast<size_t>(item)] = {x + own / 2, y + height / 2};
            x += own + kBoxGap;
        }
        y += height + kRankGap;
    }
    out.height = std::max(0.0, y - kRankGap);
    double left = 0, right = 0;
    for (size_t i = 0; i < level.items.size(); ++i) {
        left = std::min(i ? left : 1e300, out.centers[i].x - level.items[i].width / 2);
        right = std::max(i ? right : -1e300, out.centers[i].x + level.items[i].width / 2);
    }
    out.width = right - left;
    for (Point& center : out.centers)
        center.x -= left;
    for (const Level::Edge& edge : level.edges) {
        const auto from = static_cast<size_t>(edge.from), to = static_cast<size_t>(edge.to);
        out.paths.push_back(
            verticalCurve({out.centers[from].x, out.centers[from].y + level.items[from].height / 2},
                          {out.centers[to].x, out.centers[to].y - level.items[to].height / 2}));
    }
    return out;
}

} // namespace fx
