// SPDX-License-Identifier: GPL-3.0-or-later
// numpy's arrays and scalars (core/torch/library/numpy) where torch takes or gives them: each holds a tensor.
#pragma once

#include "core/python/value.h"

#include <ATen/core/Tensor.h>

#include <optional>
#include <string>

namespace fx {

class Evaluator;

/// The tensor of a numpy array, or of a scalar; none for anything else.
std::optional<at::Tensor> tensorOfArray(const Value& value);
bool isArray(const Value& value);
/// An index, which may be a tuple, with tensors in place of numpy's arrays.
Value withoutArrays(const Value& index);
/// torch.tensor, torch.as_tensor, torch.asarray and torch.from_numpy take arrays, where others want tensors.
bool takesArrays(const std::string& function);
/// tensor.numpy().
Value arrayOfTensor(Evaluator& evaluator, const Value& tensor, const Values& args, const NamedValues& kwargs);
/// torch.from_numpy(array).
Value tensorFromArray(const Values& args);

} // namespace fx
