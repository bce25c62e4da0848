// SPDX-License-Identifier: GPL-3.0-or-later
// Types that are written with others: they are values, and mean something to who annotates.
#pragma once

#include "core/python/value.h"

namespace fx {

/// int | str.
Value unionOf(Evaluator& evaluator, const Value& a, const Value& b);
/// types.GenericAlias(origin, index), of any class.
Value makeAlias(Evaluator& evaluator, const Value& origin, const Value& index);
/// list[int].
Value aliasOf(Evaluator& evaluator, const Value& origin, const Value& index);

} // namespace fx
