// SPDX-License-Identifier: GPL-3.0-or-later
// `yield from`: what is sent to a generator or raised in it goes on to the one within. Internal to the
// evaluator's files.
#pragma once

#include "core/python/value.h"

namespace fx {

/// On the stack of `outer`; gives what the inner one returned.
Value yieldFrom(Evaluator& evaluator, Generator& outer, const Value& iterable);

} // namespace fx
