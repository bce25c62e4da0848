// SPDX-License-Identifier: GPL-3.0-or-later
// Flat values of a graph and the nested ones that a caller sees (torch.utils._pytree).
#pragma once

#include "core/ir/tree_spec.h"
#include "core/python/value.h"

#include <optional>

namespace fx {

/// What the generated forward returns for the graph's flat result.
Value structured(const std::optional<Signature>& signature, const Value& result);
/// The arguments of the generated forward, one for each of its parameters, from a value for each placeholder.
Values callArguments(const Signature& signature, const Values& flat);
/// The leaves of a nested value, in order.
Values flattened(const Value& value);

} // namespace fx
