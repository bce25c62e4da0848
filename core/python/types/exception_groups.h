// SPDX-License-Identifier: GPL-3.0-or-later
// ExceptionGroup and BaseExceptionGroup: several exceptions that are raised as one.
#pragma once

#include "core/python/value.h"

namespace fx {

/// After the other classes of exceptions.
void addExceptionGroups(Evaluator& evaluator);
/// ExceptionGroup("", exceptions), or a BaseExceptionGroup where one of them is no Exception.
Value makeExceptionGroup(Evaluator& evaluator, Values exceptions);
/// The group with those of its exceptions that the parts, groups that were split off it, hold.
Value partOfGroup(Evaluator& evaluator, const Value& group, const Values& parts);

} // namespace fx
