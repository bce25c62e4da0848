// SPDX-License-Identifier: GPL-3.0-or-later
// What stands beside predictions: this machine's numbers, and what a run took.
#pragma once

#include "core/analyze/device.h"
#include "core/interpret/graph_inputs.h"

#include <functional>

namespace fx {

/// This machine's processor as LibTorch uses it now, with the threads that it has now: two seconds of
/// products of matrices, of copies and of smallest calls.
Device measureDevice();

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

} // namespace fx
