// SPDX-License-Identifier: GPL-3.0-or-later
// Shared libraries that register operators with LibTorch's dispatcher, as TORCH_LIBRARY does when they load.
#pragma once

#include "core/module/model.h"

#include <string>
#include <vector>

namespace fx {

/// What torch.ops.load_library does: loads it into the process for good, once. To be called before a graph
/// that uses its operators is opened. Throws an Error for a file that is not there or does not load.
void loadOperatorLibrary(const std::string& path);
/// Loads it likewise, and gives the schemas of the operators that came with it.
std::vector<std::string> loadAndListOperators(const std::string& path);

/// For a process that does not load it, as what loads may crash: another one has, and these are the schemas
/// of its operators, which can be read and shown from now on.
void declareOperatorLibrary(const std::string& path, const std::vector<std::string>& schemas);
/// The whole paths of those that were loaded or declared, in their order.
std::vector<std::string> knownOperatorLibraries();
/// Those of the declared ones that the model's graphs call operators of.
std::vector<std::string> operatorLibrariesOf(const Model& model);

} // namespace fx
