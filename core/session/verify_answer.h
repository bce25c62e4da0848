// SPDX-License-Identifier: GPL-3.0-or-later
// A verify card as plain texts, for whoever shows it.
#pragma once

#include "core/base/ids.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fx {

/// A result, or a node that differs.
struct VerifyRow {
    NodeId node; ///< of the root graph as it is now; none for a result
    std::string name, figures;
    bool isBeyond = false;
};

struct VerifyAnswer {
    enum class State { Equal, Within, Different, Fails };
    State state = State::Equal;
    std::string headline;                     ///< "Results equal bit by bit"
    std::string detail;                       ///< why it fails; where it differs first
    std::string inputs, nodes, before, after; ///< the last two are empty where nothing was measured
    std::vector<VerifyRow> rows;              ///< results first, then nodes, the worst first
};

/// Of `changes`: with the first `good` the results are the same still, with the first `bad` they are not.
struct BisectAnswer {
    uint64_t changes = 0, tries = 0, good = 0, bad = 0;
    std::vector<std::string> nodes; ///< of the root graph, that the changes in between are about
};

} // namespace fx
