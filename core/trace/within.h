// SPDX-License-Identifier: GPL-3.0-or-later
// What a value holds in lists, tuples, dicts and slices, at any depth. A container may hold itself.
#pragma once

#include "core/python/value.h"

#include <functional>

namespace fx {

/// Calls the visitor with the value and all that it holds, each container before its items and each once,
/// until the visitor returns false. Keys of dicts are left out.
void forEachWithin(const Value& value, const std::function<bool(const Value&)>& visit);

} // namespace fx
