// SPDX-License-Identifier: GPL-3.0-or-later
// What our text of numpy (core/torch/library/numpy) has in C++.
#pragma once

#include "core/python/evaluator.h"

namespace fx {

void addArrayFunctions(Evaluator& evaluator);

} // namespace fx
