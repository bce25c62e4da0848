// SPDX-License-Identifier: GPL-3.0-or-later
// Calls that move or pick values, between integers that stand for the same numbers: they move the integers.
//   before  d = dequantize(q)  a = flatten(d)  r = quantize(a)
//   after   r = flatten(q)
#pragma once

#include "core/module/edit.h"
#include "core/passes/lower/integer_layer.h"

namespace fx {

/// False, and nothing happens, where the node is no such call.
bool moveIntegers(Edit& edit, const IntegerLayers& layers, NodeId node);

} // namespace fx
