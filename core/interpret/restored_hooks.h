// SPDX-License-Identifier: GPL-3.0-or-later
// Forward hooks that a module had when it was recorded (core/trace/recorded_hooks.h), registered again:
// objects of the library's classes, such as those of spectral_norm and prune, functions of the model's
// source, and what else is in CapturedValues.
#pragma once

#include "core/interpret/captured_objects.h"
#include "core/module/model.h"
#include "core/python/evaluator.h"

namespace fx {

/// Whether an attribute of a module holds those hooks.
bool isRecordedHooks(std::string_view name);
/// Forgets the hooks for all modules that sources have registered as they were imported: the modules of a
/// model have them as their own.
void forgetGeneralHooks(Evaluator& evaluator);
/// Throws an Error where one of them cannot be made here.
void restoreHooks(Evaluator& evaluator, const Module& module, const Value& instance,
                  const CapturedPlaces& places, CapturedObjects& objects);

} // namespace fx
