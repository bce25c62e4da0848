// SPDX-License-Identifier: GPL-3.0-or-later
// What a model loses, weighs and takes, the more of its calls with the greatest errors stay in float32.
#pragma once

#include "core/interpret/run_settings.h"
#include "core/passes/pass.h"
#include "core/passes/quantize/sqnr.h"

namespace fx {

struct TradeOffPoint {
    size_t quantized = 0;             ///< calls
    std::vector<std::string> left;    ///< names of those that stay in float32, the worst first
    std::optional<TensorError> error; ///< of the results
    uint64_t bytes = 0;               ///< of the weights of all layers
    std::optional<double>
        seconds; ///< of a run, as the pass lower leaves the model; none where it does not run
};

/// Seconds of a run of the model once all that can be is lowered, by a few; none where that fails.
std::optional<double> loweredSeconds(const Model& model, ModuleId module, const GraphInputs& inputs,
                                     const RunSettings& settings, Progress& progress);

/// "trade-off": quantized, sqnr, cosine, max_error, bytes, seconds, left_out (names with ", " between).
PassTable tradeOffTable(const std::vector<TradeOffPoint>& points);
/// A line for each. `bytesBefore`: of the weights before quantization.
std::vector<std::string> tradeOffLines(const std::vector<TradeOffPoint>& points, uint64_t bytesBefore);

} // namespace fx
