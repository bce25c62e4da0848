// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs that are called with nested values and flatten them first, as graphs that take them as they are:
// torch.fx cannot trace its own code for the former.
#pragma once

#include "core/module/model.h"

namespace fx {

/// The model, whose graphs have no signatures: what they did is nodes and nested results. Throws an Error for
/// a class that a graph cannot take apart or make.
///   before  x, = flatten(d)          return unflatten([y])
///   after   x = d['a']               return {'b': y}
Model withPlainCalls(const Model& model);

} // namespace fx
