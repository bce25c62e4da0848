// SPDX-License-Identifier: GPL-3.0-or-later
// Flat values of a graph and the nested ones that a caller sees (torch.utils._pytree).
#pragma once

#include "core/interpret/graph_inputs.h"
#include "core/ir/tree_spec.h"
#include "core/python/value.h"

#include <ATen/core/Tensor.h>

#include <functional>
#include <optional>

namespace fx {

/// What the generated forward returns for the graph's flat result.
Value structured(const std::optional<Signature>& signature, const Value& result);
/// The arguments of the generated forward, one for each of its parameters, from a value for each placeholder.
Values callArguments(const Signature& signature, const Values& flat);
/// The leaves of a nested value, in order.
Values flattened(const Value& value);
/// The same, with those of objects' fields, as models give objects of classes of their own.
Values flattenedFields(const Value& value);
/// The same value with each of its tensors replaced by what `map` gives for it: by None where that is
/// undefined.
Value mapTensors(const Value& value, const std::function<at::Tensor(const at::Tensor&)>& map);
/// The same for all that a graph is called with.
GraphInputs mapTensors(GraphInputs inputs, const std::function<at::Tensor(const at::Tensor&)>& map);
/// With its tensors on the device; none: where they are.
GraphInputs onDevice(GraphInputs inputs, std::optional<c10::Device> device);
/// With tensors of its own, as whoever writes into them must not write into those of another.
Value withOwnTensors(const Value& value);
GraphInputs withOwnTensors(GraphInputs inputs);

} // namespace fx
