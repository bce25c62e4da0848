// SPDX-License-Identifier: GPL-3.0-or-later
// The forward hooks of a module, in the form in which a model holds them: what a hook is made of, or its
// name. core/interpret/restored_hooks.h makes them again.
#pragma once

#include "core/module/change.h"
#include "core/python/evaluator.h"

#include <vector>

namespace fx {

/// One value for each of the tables _forward_pre_hooks and _forward_hooks that has any. A hook is a dict: of
/// an object {"class": name, "fields": its plain attributes}, of a function {"function": name}. What is
/// neither, such as a method or a lambda, is left out.
std::vector<NamedValue> recordedHooks(Evaluator& evaluator, const DictObject& fields);
/// Whether a function of the user's is among the hooks that a module holds.
bool hasUserHook(const std::vector<NamedValue>& values);

} // namespace fx
