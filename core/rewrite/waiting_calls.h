// SPDX-License-Identifier: GPL-3.0-or-later
// Calls that lack an argument which they must have, as one that was put into a graph before it has its wires:
// they cannot run.
#pragma once

#include "core/module/lint.h"
#include "core/rewrite/callables.h"

#include <string>
#include <vector>

namespace fx {

/// Of the overload that lacks the fewest; empty where one has all of its own, or none is known.
std::vector<std::string> missingArguments(const std::vector<CallForm>& forms, const Node& call);
/// "waits for self, other", in graph order.
std::vector<LintFault> waitingCalls(const Model& model, ModuleId module);

} // namespace fx
