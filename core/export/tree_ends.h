// SPDX-License-Identifier: GPL-3.0-or-later
// What the root's constructor says of the whole tree when all modules are made.
#pragma once

#include "core/export/statements.h"

#include <map>
#include <set>
#include <string>

namespace fx {

/// One module or tensor in several places. `homes`: the path at which each module is made.
Lines ties(const Model& model, const std::map<ModuleId, std::string>& homes);
/// Parameters without gradients.
Lines frozenParameters(const Model& model);
/// Training or evaluation mode, of modules that are called or have a graph.
Lines trainingModes(const Model& model, const std::set<ModuleId>& called);

} // namespace fx
