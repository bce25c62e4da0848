// SPDX-License-Identifier: GPL-3.0-or-later
// Native functions of our text of numpy (core/torch/library/numpy).
#pragma once

#include "core/python/evaluator.h"

namespace fx {

void addArrayFunctions(Evaluator& evaluator);

} // namespace fx
