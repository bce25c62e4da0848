// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a value is another one than at the last stop, also where its text leaves elements out.
#pragma once

#include "core/python/value.h"

#include <cstdint>

namespace fx {

/// A number that is another one for another text or for other elements of a tensor in it. Reads all elements.
uint64_t contentOf(const Value& value);

} // namespace fx
