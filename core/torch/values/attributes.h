// SPDX-License-Identifier: GPL-3.0-or-later
// What hangs on a value that is not Python's own: tensor.shape, device.type, torch.float32, the fields of a
// result.
#pragma once

#include "core/python/evaluator.h"

namespace fx {

/// value.name, none where there is none; a method that is not yet called is a MethodObject. Throws what
/// PyTorch throws.
std::optional<Value> findAttributeOf(const Value& value, const std::string& name);

} // namespace fx
