// SPDX-License-Identifier: GPL-3.0-or-later
// A quantized graph computed in integers: layers whose input and weight were restored from integers become
// oneDNN's calls over those, with the activation and the rounding that follow them; what moves or picks
// values moves the integers. A sum of a layer's result and another value goes into the call, which then adds
// what it has found before any rounding; so does the gelu of a linear layer.
//   before  d = dequantize(q)  v = dequantize(w)  a = conv(d, v)  b = relu(a)  r = quantize(b)
//   after   p = qconv_prepack(w)  r = qconv_pointwise(q, p, "relu")
// A linear layer may go to LibTorch's own kernels, which round what they read and give float32. The packed
// weight has a deprecated dtype, which no other value of the graph has:
//   before  q = quantize(x, s, z)  d = dequantize(q, s, z)  v = dequantize(w)  a = linear(d, v)
//   after   p = linear_prepack(w, bias)  a = linear_with_input_q_dq_qweight_dq_output_fp32(x, s, z, p)
// or, where the range is that of each run, linear_dynamic(x, p), in 7 bits as torch.ao has it.
#pragma once

#include "core/module/edit.h"
#include "core/passes/clean/left_alone.h"
#include "core/passes/lower/integer_layer.h"

#include <functional>

namespace fx {

/// What computes a layer.
enum class LayerKernel { Onednn, Rounding, Float32 };
using KernelChoice = std::function<LayerKernel(const IntegerLayer&)>;

struct IntegerCalls {
    size_t layers = 0, sums = 0, moves = 0; ///< sums: of the layers, those with one
    size_t rounding = 0;  ///< of the layers, those by LibTorch's kernels that round what they read
    size_t floats = 0;    ///< that stay in float32
    size_t roundings = 0; ///< that nothing in integers reads, left out
    LeftAlone left;       ///< layers over integers that are no such call
};

/// Where values were recorded in a run (ShapeProp), sums are looked at, too. Without a choice: all by oneDNN.
/// Layers in float32 get weights in float32.
IntegerCalls lowerIntegers(Edit& edit, const KernelChoice& choice = {});

} // namespace fx
