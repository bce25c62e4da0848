// SPDX-License-Identifier: GPL-3.0-or-later
// The graphs that a node runs: the branches of cond, the body of a loop, a module with a graph of its own.
#pragma once

#include "core/interpret/debug_types.h"
#include "core/module/model.h"

#include <string>
#include <utility>
#include <vector>

namespace fx::ui {

/// With the paths by which the node names them.
std::vector<std::pair<std::string, ModuleId>> nestedGraphs(const Model& model, NodeRef node);

} // namespace fx::ui
