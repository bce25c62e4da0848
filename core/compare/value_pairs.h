// SPDX-License-Identifier: GPL-3.0-or-later
// How far two values of two runs are apart: tensors by their figures, tuples by their leaves, everything else
// by being the same or not.
#pragma once

#include "core/compare/figures.h"
#include "core/python/value.h"

#include <string>

namespace fx {

struct ValueDifference {
    size_t leaves = 0;                  ///< of both, side by side
    std::optional<PairFigures> figures; ///< of the worst pair of tensors or numbers; none if there is none
    size_t worstLeaf = 0;               ///< whose the figures are
    int64_t unequal = 0;                ///< pairs of elements, in all leaves
    std::string dtypes;                 ///< "f32 against f16", where they are not the same
    /// What no tolerance allows: "shape [2, 3] against [2, 4]", "is 3, not 4"; empty: nothing.
    std::string mismatch;
    /// Why it cannot be said; empty: it was.
    std::string notCompared;
    /// What rounding may do to values of these dtypes, of the coarser one (usualTolerance).
    double usual = 0;

    /// Infinite for a mismatch.
    double neededTolerance() const;
    bool isEqual() const { return unequal == 0 && mismatch.empty() && dtypes.empty() && notCompared.empty(); }
};

ValueDifference differenceOf(const Value& reference, const Value& other);

/// Which of them is further from being equal: for lists with the worst first.
bool isWorse(const ValueDifference& a, const ValueDifference& b);

} // namespace fx
