// SPDX-License-Identifier: GPL-3.0-or-later
// What stands beside predictions: this machine's numbers, and what a run took.
#pragma once

#include "core/analyze/device.h"
#include "core/base/progress.h"
#include "core/interpret/graph_inputs.h"

#include <functional>
#include <utility>

namespace fx {

/// This machine's processor as LibTorch uses it now, with the threads that it has now: two seconds of
/// products of matrices, of copies and of smallest calls. `progress` may cancel it.
Device measureDevice(Progress& progress);

struct MeasuredRun {
    std::map<NodeId, double> seconds; ///< of the root graph's nodes: each one's least of several runs
    double total = 0;                 ///< their sum
    /// The most that the run's tensors took at once, beside those that were there before.
    uint64_t peakBytes = 0;
};

/// Runs the graph at least twice, as the first run binds and warms up, until `seconds` have passed.
/// `inputs` makes them anew for each run, which may write into them.
MeasuredRun measureRun(const Model& model, const std::function<GraphInputs()>& inputs,
                       const RunSettings& settings, double seconds = 1);

/// How long whole runs of a graph take, and what they need.
struct RunCosts {
    size_t runs = 0;
    double least = 0, median = 0, most = 0; ///< seconds
    uint64_t peakBytes = 0;                 ///< as in MeasuredRun
};

/// Of two models, in turns, so that what else the machine does meets both: at least three times, until
/// `seconds` have passed. The first run of each is not counted. `progress` may cancel it.
std::pair<RunCosts, RunCosts> measureInTurns(const Model& a, const std::function<GraphInputs()>& inputsA,
                                             const Model& b, const std::function<GraphInputs()>& inputsB,
                                             const RunSettings& settings, double seconds,
                                             const Progress& progress);

} // namespace fx
