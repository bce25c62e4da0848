// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison of two runs as plain texts and figures, for whoever shows it.
#pragma once

#include "core/base/ids.h"
#include "core/session/verify_answer.h"

#include <string>
#include <vector>

namespace fx {

/// A result, a pair of nodes, a node without a partner, or what the pairs in a module come to.
struct CompareRow {
    enum class State { Equal, Within, Beyond, NotCompared, OnlyFirst, OnlySecond };
    NodeId a, b; ///< of the root graphs; `a` is none of a reference that is a file of values
    std::string name, figures, match;
    std::vector<std::string> further = {}; ///< furtherFigures()
    double needed = 0;                     ///< the tolerance that it needs; infinite where there is none
    State state = State::NotCompared;
    std::string scope = {}; ///< path of a module that is not the root; of a row that is a module's
};

struct CompareAnswer {
    VerifyAnswer::State state = VerifyAnswer::State::Equal;
    std::string headline;            ///< "Results differ"
    std::string detail;              ///< why it fails; where it differs first
    std::string inputs, facts;       ///< "x f32[5, 8]"; what was matched, compared and skipped
    std::vector<CompareRow> rows;    ///< results; pairs, the worst first; nodes without a partner
    std::vector<CompareRow> modules; ///< of the second, the one with the worst pair first
};

} // namespace fx
