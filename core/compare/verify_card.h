// SPDX-License-Identifier: GPL-3.0-or-later
// What there is to know of a change before one keeps it: whether the results are the same, on which inputs,
// what of the graph is another, and what a run costs before and after.
#pragma once

#include "core/analyze/measure.h"
#include "core/compare/compare_runs.h"
#include "core/io/json.h"

namespace fx {

struct VerifyCard {
    std::string inputs;                         ///< "x f32[5, 8], mask bool[5]"
    size_t removed = 0, added = 0, changed = 0; ///< nodes of the root graph
    RunComparison comparison;       ///< of the state before, which is the reference, and the one after
    std::vector<std::string> worst; ///< lines about the nodes that differ most, the worst first
    std::string first;              ///< about the first node beyond the tolerance; empty: there is none
    std::optional<RunCosts> before, after; ///< none where a run failed, or where nobody asked
};

struct VerifyOptions {
    CompareOptions compare = {};
    double seconds = 0.5; ///< of measuring; 0: it is not measured
};

/// `after` is a later state of `before`: ids mean the same in both. Throws what running `before` throws;
/// that `after` fails is a verdict.
VerifyCard verifyChange(const Model& before, const Model& after, const GraphInputs& inputs,
                        const RunSettings& settings, const VerifyOptions& options, Progress& progress);

/// "1 node removed, 2 nodes changed"; and "1.2 ms (1.1 to 1.5), peak 3 MB".
std::string nodesText(const VerifyCard& card);
std::string costsText(const RunCosts& costs);
/// All of it, for a terminal.
std::string cardText(const VerifyCard& card, const Graph& before, const Graph& after);
Json cardJson(const VerifyCard& card, const Graph& before, const Graph& after);

} // namespace fx
