// SPDX-License-Identifier: GPL-3.0-or-later
// The attributes of a module as values again: the other half of core/trace/recorded_values.h.
#pragma once

#include "core/ir/argument.h"
#include "core/python/evaluator.h"

#include <functional>
#include <optional>
#include <string>

namespace fx {

/// `findName`: what "net.Config" names in the model's sources. None for what cannot be made here.
std::optional<Value>
restoredValue(Evaluator& evaluator, const Argument& value,
              const std::function<std::optional<Value>(const std::string& name)>& findName);

} // namespace fx
