// SPDX-License-Identifier: GPL-3.0-or-later
// The forward hooks of a module, in the form in which a model holds them: what a hook is made of, or its
// name. core/interpret/restored_hooks.h makes them again.
#pragma once

#include "core/module/change.h"
#include "core/python/evaluator.h"
#include "core/trace/captured_values.h"

#include <vector>

namespace fx {

/// Whether the module has forward hooks of its own, or there are some for all modules.
bool hasForwardHooks(Evaluator& evaluator, const DictObject& fields);
/// One value for each of the tables _forward_pre_hooks and _forward_hooks that has any, those for all modules
/// first. A hook is a dict: of one of torch's own objects {"class": name, "fields": its plain attributes}, of
/// a function with a name {"function": name}, of anything else {"value": what CapturedValues makes of it}. A
/// hook that cannot be held is {"lost": why, "name": what it is}, so that a run stops there. "id" is its key
/// in the table, by which a RemovableHandle takes it away.
std::vector<NamedValue> recordedHooks(Evaluator& evaluator, const DictObject& fields,
                                      CapturedValues& captured);
/// The tables of a module's hooks, by the objects that they are.
HookTables hookTables(const DictObject& fields, const std::string& path);
/// The tables of the hooks for all modules; no module has them.
HookTables generalHookTables(Evaluator& evaluator);
/// True if a module holds forward hooks, of a user or of torch, such as that of spectral_norm.
bool hasRecordedHook(const std::vector<NamedValue>& values);
/// Whether a run needs the user's source for the hooks that a module holds.
bool hasUserHook(const std::vector<NamedValue>& values);

} // namespace fx
