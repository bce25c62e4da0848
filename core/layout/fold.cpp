// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/fold.h"

#include "core/layout/wire_rows.h"

#include <climits>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fx {

namespace {

/// A level is cut from so many heights of a column on.
constexpr double kMuchHigher = 1.3;
constexpr double kLane = 12;
constexpr double kColumnGap = 40;
constexpr double kRadius = 8;
constexpr double kSlack = 0.5; ///< as wires keep it

/// Rows that nothing stands between.
struct Band {
    double top, bottom;
};

struct Column {
    size_t first = 0, last = 0; ///< bands
    double left = HUGE_VAL, right = -HUGE_VAL;
    double moveX = 0, moveY = 0;
    std::vector<size_t> wires; ///< that go on to the next column, from left to right
};

bool isPort(const Level::Item& item) {
    return item.role == Level::Role::Entry || item.role == Level::Role::Exit;
}

/// Goes on through corners that are rounded, to the last of the points.
void goAround(std::vector<Point>& path, const std::vector<Point>& points) {
    for (size_t i = 0; i < points.size(); ++i) {
        const Point from = path.back(), corner = points[i];
        const auto towards = [&](Point p, double far) {
            const double length = std::hypot(p.x - corner.x, p.y - corner.y);
            const double part = length > 0 ? std::min(far, length / 2) / length : 0;
            return Point{corner.x + (p.x - corner.x) * part, corner.y + (p.y - corner.y) * part};
        };
        const bool isLast = i + 1 == points.size();
        const Point start = isLast ? corner : towards(from, kRadius);
        path.insert(path.end(), {from, start, start});
        if (isLast)
            continue;
        const Point end = towards(points[i + 1], kRadius);
        path.insert(path.end(), {towards(from, kRadius / 2), towards(points[i + 1], kRadius / 2), end});
    }
}

class Folder {
public:
    Folder(const Level& level, LevelLayout layout, double columnHeight)
        : m_level(level), m_was(std::move(layout)) {
        findBands();
        cutColumns(columnHeight);
    }

    LevelLayout run() {
        if (m_columns.size() < 2)
            return std::move(m_was);
        measure();
        arrange();
        m_out.paths.reserve(m_level.edges.size());
        for (size_t e = 0; e < m_level.edges.size(); ++e)
            m_out.paths.push_back(way(e));
        return std::move(m_out);
    }

private:
    const Level::Item& item(int index) const { return m_level.items[static_cast<size_t>(index)]; }
    size_t bandOf(int index) const { return m_bandOf[static_cast<size_t>(index)]; }

    void findBands() {
        std::vector<size_t> order(m_level.items.size());
        std::iota(order.begin(), order.end(), size_t(0));
        const auto top = [&](size_t i) { return m_was.centers[i].y - m_level.items[i].height / 2; };
        std::ranges::stable_sort(order, {}, top);
        m_bandOf.resize(order.size());
        for (size_t i : order) {
            const double bottom = top(i) + m_level.items[i].height;
            if (m_bands.empty() || top(i) >= m_bands.back().bottom)
                m_bands.push_back({top(i), bottom});
            m_bands.back().bottom = std::max(m_bands.back().bottom, bottom);
            m_bandOf[i] = m_bands.size() - 1;
        }
    }

    /// How many wires lead from each band to a later one.
    std::vector<int> wiresBelow() const {
        std::vector<int> count(m_bands.size() + 1, 0);
        for (const Level::Edge& edge : m_level.edges) {
            ++count[bandOf(edge.from)];
            --count[bandOf(edge.to)];
        }
        std::partial_sum(count.begin(), count.end(), count.begin());
        return count;
    }

    /// The last band of a column of about that height: where the fewest wires are.
    size_t endOfColumn(size_t first, double height, const std::vector<int>& wires) const {
        const auto highTo = [&](size_t band) { return m_bands[band].bottom - m_bands[first].top; };
        const auto costOf = [&](size_t band) {
            const double off = std::abs(highTo(band) - height);
            return std::pair(off > 0.1 * height ? INT_MAX : wires[band], off);
        };
        size_t best = first;
        for (size_t band = first + 1; highTo(band) < 1.1 * height; ++band)
            if (costOf(band) < costOf(best))
                best = band;
        return best;
    }

    void cutColumns(double columnHeight) {
        double columns = std::max(2.0, std::round(m_was.height / columnHeight));
        const std::vector<int> wires = wiresBelow();
        for (size_t first = 0; first < m_bands.size(); --columns) {
            const double rest = m_bands.back().bottom - m_bands[first].top;
            const size_t best = columns > 1 ? endOfColumn(first, rest / columns, wires) : m_bands.size() - 1;
            m_columns.emplace_back();
            m_columns.back().first = first;
            m_columns.back().last = best;
            first = best + 1;
        }
        m_columnOf.resize(m_bands.size());
        for (size_t c = 0; c < m_columns.size(); ++c)
            std::fill(m_columnOf.begin() + static_cast<std::ptrdiff_t>(m_columns[c].first),
                      m_columnOf.begin() + static_cast<std::ptrdiff_t>(m_columns[c].last) + 1, c);
    }

    double topOf(size_t column) const { return m_bands[m_columns[column].first].top; }
    double bottomOf(size_t column) const { return m_bands[m_columns[column].last].bottom; }
    size_t columnOf(int index) const { return m_columnOf[bandOf(index)]; }

    /// Where a wire is at the top or bottom of a row, where it is straight.
    static Point at(const std::vector<Point>& path, double y) {
        size_t i = 0;
        while (i + 3 < path.size() && path[i].y < y - kSlack)
            i += 3;
        const bool isPast = i >= 3 && path[i].y > y + kSlack;
        return {path[isPast ? i - 3 : i].x, y};
    }

    /// The part of a wire, which leads down, between two heights.
    static std::vector<Point> part(const std::vector<Point>& path, double top, double bottom) {
        std::vector<Point> out{path.front().y >= top ? path.front() : at(path, top)};
        for (size_t i = 0; i + 3 < path.size() && path[i].y < bottom - kSlack; i += 3) {
            if (path[i + 3].y <= top + kSlack)
                continue;
            if (path[i].y >= top - kSlack && path[i + 3].y <= bottom + kSlack)
                out.insert(out.end(), {path[i + 1], path[i + 2], path[i + 3]});
            else
                goDown(out, std::min(path[i + 3].y, bottom));
        }
        return out;
    }
    std::vector<Point> partIn(size_t column, size_t e) const {
        const Level::Edge& edge = m_level.edges[e];
        return part(m_was.paths[e], columnOf(edge.from) == column ? -HUGE_VAL : topOf(column),
                    columnOf(edge.to) == column ? HUGE_VAL : bottomOf(column));
    }

    void measure() {
        for (size_t i = 0; i < m_level.items.size(); ++i) {
            Column& column = m_columns[m_columnOf[m_bandOf[i]]];
            column.left = std::min(column.left, m_was.centers[i].x - m_level.items[i].width / 2);
            column.right = std::max(column.right, m_was.centers[i].x + m_level.items[i].width / 2);
        }
        std::vector<std::vector<std::pair<double, size_t>>> leaving(m_columns.size());
        m_parts.resize(m_level.edges.size());
        for (size_t e = 0; e < m_level.edges.size(); ++e) {
            const size_t last = columnOf(m_level.edges[e].to);
            for (size_t c = columnOf(m_level.edges[e].from); c <= last; ++c) {
                const std::vector<Point>& path = m_parts[e].emplace_back(partIn(c, e));
                for (const Point& p : path) {
                    m_columns[c].left = std::min(m_columns[c].left, p.x);
                    m_columns[c].right = std::max(m_columns[c].right, p.x);
                }
                if (c < last)
                    leaving[c].emplace_back(path.back().x, e);
            }
        }
        for (size_t c = 0; c < m_columns.size(); ++c) {
            std::ranges::sort(leaving[c]);
            for (const auto& [x, e] : leaving[c])
                m_columns[c].wires.push_back(e);
        }
    }

    void arrange() {
        double x = 0;
        for (Column& column : m_columns) {
            column.moveX = std::ceil(x - column.left);
            x = column.right + column.moveX;
            if (&column != &m_columns.back())
                x += kLane * static_cast<double>(column.wires.size()) + kColumnGap;
            m_head = std::max(m_head, kLane * static_cast<double>(column.wires.size() + 1));
        }
        m_out.width = std::ceil(x);
        for (size_t c = 0; c < m_columns.size(); ++c) {
            m_columns[c].moveY = m_head - topOf(c);
            const double foot = kLane * static_cast<double>(m_columns[c].wires.size() + 1);
            m_out.height = std::max(m_out.height, std::ceil(m_head + bottomOf(c) - topOf(c) + foot));
        }
        for (size_t i = 0; i < m_level.items.size(); ++i) {
            const Level::Item& it = m_level.items[i];
            const Column& column = m_columns[m_columnOf[m_bandOf[i]]];
            Point at{m_was.centers[i].x + column.moveX, m_was.centers[i].y + column.moveY};
            if (isPort(it)) // these keep to the border
                at.y = it.role == Level::Role::Entry ? it.height / 2 : m_out.height - it.height / 2;
            m_out.centers.push_back(at);
        }
    }

    /// Nested, so that wires which do not cross in the gap that is cut do not cross here.
    void goOn(std::vector<Point>& path, size_t c, size_t e, Point to) const {
        const Column& column = m_columns[c];
        const auto at = std::ranges::find(column.wires, e) - column.wires.begin();
        const auto inside = static_cast<double>(at) + 1;
        const double outside = static_cast<double>(column.wires.size()) - static_cast<double>(at);
        const Point from = path.back();
        const double lane = column.right + column.moveX + kLane * outside + kLane;
        const double foot = bottomOf(c) + column.moveY + kLane * outside, head = m_head - kLane * inside;
        goAround(path, {{from.x, foot}, {lane, foot}, {lane, head}, {to.x, head}, to});
    }

    std::vector<Point> way(size_t e) {
        const Level::Edge& edge = m_level.edges[e];
        std::vector<Point> path;
        for (size_t c = columnOf(edge.from); c <= columnOf(edge.to); ++c) {
            std::vector<Point> piece = std::move(m_parts[e][c - columnOf(edge.from)]);
            for (Point& p : piece)
                p = {p.x + m_columns[c].moveX, p.y + m_columns[c].moveY};
            if (path.empty()) {
                path = std::move(piece);
                continue;
            }
            goOn(path, c - 1, e, piece.front());
            path.insert(path.end(), piece.begin() + 1, piece.end());
        }
        const auto from = static_cast<size_t>(edge.from), to = static_cast<size_t>(edge.to);
        if (item(edge.from).role == Level::Role::Entry) {
            std::vector<Point> start{{path.front().x, m_out.centers[from].y + item(edge.from).height / 2}};
            goDown(start, path.front().y);
            path.insert(path.begin(), start.begin(), start.end() - 1);
        }
        if (item(edge.to).role == Level::Role::Exit)
            goDown(path, m_out.centers[to].y - item(edge.to).height / 2);
        return path;
    }

    const Level& m_level;
    LevelLayout m_was, m_out;
    std::vector<Band> m_bands;
    std::vector<size_t> m_bandOf; ///< by item
    std::vector<Column> m_columns;
    std::vector<size_t> m_columnOf;                       ///< by band
    std::vector<std::vector<std::vector<Point>>> m_parts; ///< of each wire, column by column
    double m_head = 0;                                    ///< room above the columns
};

bool leadsDown(const std::vector<Point>& path) {
    for (size_t i = 3; i < path.size(); i += 3)
        if (path[i].y < path[i - 3].y)
            return false;
    return true;
}

} // namespace

LevelLayout folded(const Level& level, LevelLayout layout, double columnHeight) {
    const auto isHigh = [&](const Level::Item& item) { return item.height > columnHeight; };
    if (layout.height < kMuchHigher * columnHeight || std::ranges::any_of(level.items, isHigh) ||
        !std::ranges::all_of(layout.paths, leadsDown))
        return layout;
    return Folder(level, std::move(layout), columnHeight).run();
}

} // namespace fx
