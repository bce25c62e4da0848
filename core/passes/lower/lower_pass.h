// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutions and linear layers by oneDNN's own calls, whose weights are in oneDNN's layout: a node lays out
// the plain weight, which a run does once (core/interpret/packed_weights.h), so that the graph is one like
// any other, and its weights can be edited, saved and exported. Batch normalisations are folded first; sums
// and activations go into the call before them. Of a quantized graph layers are computed in integers
// (integer_lowering.h), and those whose weights alone are small numbers by kernels that read these
// (weight_kernels.h), or by oneDNN's calls over weights that a run restores once. Only what is measured
// faster is done, or nothing.
//   before  a = conv(x)  b = a + y  c = relu(b)
//   after   p = _reorder_convolution_weight(conv.weight)  c = _convolution_pointwise_.binary(y, x, p)
#pragma once

#include "core/module/edit.h"

#include <vector>

namespace fx {

struct PassOption;
class PassOptions;
struct PassContext;

std::vector<PassOption> lowerOptions();
/// For TorchScript and AOTInductor see compile_parts.h.
void runLower(Edit& edit, const PassOptions& options, PassContext& context);

} // namespace fx
