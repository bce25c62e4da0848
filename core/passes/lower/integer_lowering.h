// SPDX-License-Identifier: GPL-3.0-or-later
// A quantized graph computed in integers: layers whose input and weight were restored from integers become
// oneDNN's calls over those, with the relu and the rounding that follow them; what moves or picks values
// moves the integers. A sum of a layer's result and another value goes into the call, which then adds what it
// has found before any rounding.
//   before  d = dequantize(q)  v = dequantize(w)  a = conv(d, v)  b = relu(a)  r = quantize(b)
//   after   p = qconv_prepack(w)  r = qconv_pointwise(q, p, "relu")
#pragma once

#include "core/module/edit.h"
#include "core/passes/clean/left_alone.h"

namespace fx {

struct IntegerCalls {
    size_t layers = 0, sums = 0, moves = 0; ///< sums: of the layers, those with one
    LeftAlone left;                         ///< layers over integers that are no such call
};

/// Where values were recorded in a run (ShapeProp), sums are looked at, too.
IntegerCalls lowerIntegers(Edit& edit);

} // namespace fx
