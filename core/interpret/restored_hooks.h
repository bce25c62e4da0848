// SPDX-License-Identifier: GPL-3.0-or-later
// Forward hooks that a module had when it was recorded (core/trace/recorded_hooks.h), registered again:
// objects of the library's classes, such as those of spectral_norm and prune, and functions of the model's
// source.
#pragma once

#include "core/module/model.h"
#include "core/python/evaluator.h"

#include <functional>

namespace fx {

/// Whether an attribute of a module holds those hooks.
bool isRecordedHooks(std::string_view name);
/// `findFunction`: a function of the model's source by its qualified name.
void restoreHooks(Evaluator& evaluator, const Module& module, const Value& instance,
                  const std::function<std::optional<Value>(const std::string& name)>& findFunction);

} // namespace fx
