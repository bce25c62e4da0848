// SPDX-License-Identifier: GPL-3.0-or-later
// Values of TorchScript while it is traced: lists, dicts and tuples are objects that may hold proxies;
// conversions to and from LibTorch's own values, which its operators want.
#pragma once

#include "core/python/value.h"

#include <ATen/core/jit_type.h>

#include <functional>

namespace fx {

/// "__torch__.___torch_mangle_3.net.Block" is "net.Block".
std::string demangled(std::string name);

/// `instance` makes the value of an object that is no module.
using InstanceReader = std::function<Value(const c10::IValue&)>;
Value fromIValue(const c10::IValue& value, const InstanceReader& instance = nullptr);
/// None where the value holds a proxy, an instance, or does not fit the type.
std::optional<c10::IValue> toIValue(const Value& value, const c10::TypePtr& type);

/// Whether a tensor is, or is among, the items.
bool holdsTensor(const Value& value);
/// Calls for each tensor in it.
void forEachTensor(const Value& value, const std::function<void(const at::Tensor&)>& visit);
/// Whether an instance of a class of the program is in it.
bool holdsInstance(const Value& value);

} // namespace fx
