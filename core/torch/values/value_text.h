// SPDX-License-Identifier: GPL-3.0-or-later
// Values as Python's repr() shows them, and in short for people.
#pragma once

#include "core/ir/meta.h"
#include "core/python/value.h"

#include <string>

namespace at {
class Tensor;
}

namespace fx {

/// repr(tensor): "tensor([[0.1000, ...]])" with torch's default print options.
std::string tensorText(const at::Tensor& tensor);
/// repr(value).
std::string valueText(const Value& value);
/// What is known about a value without its data: dtype and shape of tensors, numbers as they are.
ValueMeta describeValue(const Value& value);

} // namespace fx
