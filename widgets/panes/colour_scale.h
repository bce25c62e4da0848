// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as colours. Where a range has both signs, 0 has the colour of nothing and each sign its own; else
// the colour grows with the distance from the end that is nearer to 0.
#pragma once

#include "widgets/style/tokens.h"

#include <algorithm>
#include <cmath>

namespace fx::ui {

struct ColourScale {
    double low = 0, high = 1;
    bool operator==(const ColourScale&) const = default;

    bool isSigned() const { return low < 0 && high > 0; }
    /// -1 to 1: below 0 towards Tokens::low, above it towards Tokens::high.
    double share(double number) const {
        if (isSigned()) {
            const double most = std::max(-low, high);
            return std::clamp(number / most, -1.0, 1.0);
        }
        if (high <= low)
            return number < 0 ? -1 : number > 0 ? 1 : 0;
        const double across = std::clamp((number - low) / (high - low), 0.0, 1.0);
        return high <= 0 ? across - 1 : across;
    }
    QColor colour(double number, const Tokens& tokens) const {
        const double at = share(number);
        return blended(tokens.middle, at < 0 ? tokens.low : tokens.high, std::abs(at));
    }
    bool isClipped(double number) const { return number < low || number > high; }
};

/// What fits the numbers: the same on both sides of 0 where they have both signs.
inline ColourScale fittingScale(double minimum, double maximum) {
    if (minimum < 0 && maximum > 0) {
        const double most = std::max(-minimum, maximum);
        return {-most, most};
    }
    return {minimum, maximum};
}

} // namespace fx::ui
