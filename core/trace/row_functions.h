// SPDX-License-Identifier: GPL-3.0-or-later
// torch.nn.functional.relu and its like, which are Python in PyTorch and a row of the table here, as
// functions of Python source that can be traced by themselves.
#pragma once

#include "core/python/value.h"

#include <optional>

namespace fx {

/// A function with the parameters of the row that calls it; none for what PyTorch has in C.
std::optional<Value> definedByRow(Evaluator& evaluator, const Value& function);

} // namespace fx
