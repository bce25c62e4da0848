// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs of many runs that a user's Python makes: what calibration sees.
#pragma once

#include "core/module/source_text.h"
#include "core/userpasses/user_pass.h"

#include <functional>

namespace fx {

class Value;

/// Evaluates the file, and visits what its NAME yields, one after the other: a generator function, or
/// anything that can be iterated. Each is a tensor, a tuple or list in the order of the inputs, or a dict by
/// name.
void forEachUserExample(const UserPassName& name, const std::vector<SourceText>& sources,
                        const std::function<void(const Value&)>& visit);

} // namespace fx
