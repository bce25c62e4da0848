// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/compared_nodes.h"

#include "core/compare/figures.h"
#include "widgets/support/qt_text.h"

#include <algorithm>
#include <cmath>

namespace fx::ui {

namespace {

/// From 1e-7, which rounding alone gives, to where nothing is right any more.
double heatOf(const CompareRow& row) {
    if (row.state != CompareRow::State::Within && row.state != CompareRow::State::Beyond)
        return 0;
    if (!std::isfinite(row.needed))
        return 1;
    return std::clamp((std::log10(std::max(row.needed, 1e-12)) + 7) / 7, 0.08, 1.0);
}

QString noteOf(const CompareRow& row) {
    switch (row.state) {
    case CompareRow::State::Equal:
        return "equal";
    case CompareRow::State::Within:
    case CompareRow::State::Beyond:
        return std::isfinite(row.needed) ? "needs " + qt(figureText(row.needed)) : QString("differs");
    case CompareRow::State::NotCompared: // inputs and weights have no figures at all
        return row.figures.empty() ? "" : "not compared";
    default:
        return "only here";
    }
}

} // namespace

NodeDifferences differencesOf(const std::vector<CompareRow>& rows, NodeId CompareRow::*side) {
    NodeDifferences out;
    for (const CompareRow& row : rows)
        if (row.*side)
            out[row.*side] = {heatOf(row), noteOf(row)};
    return out;
}

} // namespace fx::ui
