// SPDX-License-Identifier: GPL-3.0-or-later
// The overloads of an operator that work on tensors, without those that TorchScript has beside them for
// numbers and lists: reading its registry takes most of what a pass over a small model does.
#pragma once

#include "core/torch/bind/operators.h"

#include <string>
#include <vector>

namespace fx {

/// Those of the dispatcher, in the order in which they were registered; where it has none, as findOverloads()
/// finds them. `qualifiedName`: "aten::relu".
std::vector<const TorchOperator*> findTensorOverloads(const std::string& qualifiedName);

} // namespace fx
