// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes of a graph as the text of a pattern that finds them again (pattern_source.h).
#pragma once

#include "core/module/model.h"

#include <string>
#include <vector>

namespace fx {

/// A `def` of that name: its parameters are what the calls among `nodes` read from elsewhere, weights among
/// it; it returns what is read elsewhere, or by nobody. Throws an Error where no call is among them, and for
/// muted calls and those of modules, which a function cannot have.
std::string patternText(const Model& model, ModuleId module, const std::vector<NodeId>& nodes,
                        const std::string& name);

} // namespace fx
