// SPDX-License-Identifier: GPL-3.0-or-later
// What is read off super(): names of the classes after the one in which it stands. attributes.h asks here.
#pragma once

#include "core/python/value.h"

#include <optional>
#include <string>

namespace fx {

std::optional<Value> findOnSuper(Evaluator& evaluator, const Value& super, const std::string& name);
/// As methodOf() in attributes.h.
std::optional<Value> methodOfSuper(Evaluator& evaluator, Value& super, const std::string& name);

} // namespace fx
