// SPDX-License-Identifier: GPL-3.0-or-later
// Brings the modules and tensors along that nodes from another model name.
#pragma once

#include "core/module/edit.h"

#include <map>
#include <string>
#include <vector>

namespace fx {

/// Deletes submodules that nothing uses, then copies what the graph names and only `source` has. Throws where
/// neither has it, and where either graph is not sound.
void takeOverAttributes(Edit& edit, const Model& source);
/// Copies the tensors and values that `nodes` read, `source` has and the model lacks.
void takeOverConstants(Edit& edit, const Model& source, const std::vector<NodeId>& nodes);

/// A copy of a module of `source` with all that it holds, which nothing names yet. The edit is then at
/// another module.
ModuleId copyModule(Edit& edit, const Model& source, ModuleId module);
/// Copies one tensor or value of `source` to a path that the model does not have yet, and gives that path:
/// the same if it is free.
std::string copyConstant(Edit& edit, const Model& source, const std::string& path);

/// By the path where something was, the path where it is.
using AttributePaths = std::map<std::string, std::string>;
/// Copies what the paths lead to from a module of `source` to the same paths, or where these are taken to
/// free ones beside them. What is shared there is shared here. Throws where a path leads to nothing.
AttributePaths copyAttributes(Edit& edit, const Model& source, ModuleId from, std::vector<std::string> paths);

} // namespace fx
