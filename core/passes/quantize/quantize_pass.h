// SPDX-License-Identifier: GPL-3.0-or-later
// Quantization of a trained model: batch normalisations are folded, the ranges of values observed in
// calibration runs, weights become integers, and the graph says so in the form that torch calls reference
// (quantize_graph.h). It computes the same in Python, and tells where the error is made (layer_errors.h).
#pragma once

#include "core/module/edit.h"

#include <vector>

namespace fx {

struct PassOption;
class PassOptions;
struct PassContext;

namespace meta {
/// Argument: a dict with what a quantized call loses, and the range and scale of its result.
inline constexpr std::string_view kQuantization = "quantization";
} // namespace meta

void runQuantize(Edit& edit, const PassOptions& options, PassContext& context);

std::vector<PassOption> quantizeOptions();

} // namespace fx
