// SPDX-License-Identifier: GPL-3.0-or-later
// A plain attribute of a module, in the form in which a model holds it. What Argument has no kind for is
// there as a call that makes it, a NamedTupleValue: of a named tuple, a dataclass, set, frozenset or bytes
// with its items, of any other object "builtins.object" with its class and its fields.
// core/interpret/restored_values.h makes them again.
#pragma once

#include "core/ir/argument.h"
#include "core/python/evaluator.h"

namespace fx {

/// Never fails: what cannot be made again, such as a lambda, is an OpaqueValue with its type.
Argument recordedValue(Evaluator& evaluator, const Value& value);

} // namespace fx
