// SPDX-License-Identifier: GPL-3.0-or-later
// The colours of the program, by name, light and dark. Nothing else names a colour.
#pragma once

#include "core/ir/opcode.h"
#include "core/torch/bind/call_family.h"

#include <QColor>

#include <string_view>

namespace fx::ui {

struct Tokens {
    bool isDark;
    QColor window, panel, canvas;
    QColor line;
    QColor text, dim, faint; ///< faint never carries information alone
    QColor selection, selectionBack;
    QColor current, currentBack; ///< the node about to run
    QColor fault, faultBack;     ///< breakpoints, NaN, errors
    QColor healthy;              ///< executed, finite
    QColor match, matchBack;     ///< what a search has found
    QColor heat;                 ///< of what costs most, and what waits for arithmetic
    QColor memory, overhead;     ///< of what waits for these
    QColor low, middle, high;    ///< of numbers in pictures: below 0, 0, above 0
    QColor wire, wireSelected;
    QColor primaryText;                      ///< on a button filled with the selection colour
    QColor keyword, string, number, comment; ///< of code

    QColor kind(Opcode opcode) const;
    QColor family(CallFamily family) const;
    /// By a name of kMarkColours (core/module/node_marks.h).
    QColor mark(std::string_view name) const;
    /// Colours that are told apart and mean nothing: of the first eight groups of something, then again.
    QColor series(size_t number) const;
};

const Tokens& lightTokens();
const Tokens& darkTokens();

/// From `a` at 0 to `b` at 1.
QColor blended(const QColor& a, const QColor& b, double t);

} // namespace fx::ui
