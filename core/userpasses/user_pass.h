// SPDX-License-Identifier: GPL-3.0-or-later
// Passes that users have written for torch.fx, and those of torch.fx's own modules: functions of a
// GraphModule or a Graph, and classes derived from Transformer, Interpreter and PassBase, run by the
// evaluator. Their parameters are the options.
#pragma once

#include "core/passes/pass.h"

#include <optional>
#include <string>
#include <vector>

namespace fx {

/// "passes.py:fuse" or "passes.py"; the path may be a module of the library's text of torch.
struct UserPassName {
    std::string path, name;
};
/// None for a word that names no Python file, and no such module.
std::optional<UserPassName> userPassName(const std::string& word);

/// The pass of that name in the file; without a name the only one. Evaluates the file. Throws an Error that
/// lists what there is.
Pass loadUserPass(const UserPassName& name);
/// The only one of a file's passes. Throws an Error that lists them where there is not just one.
Pass onlyPass(std::vector<Pass> found, const std::string& path);
/// All that the file has.
std::vector<Pass> userPassesIn(const std::string& path);

} // namespace fx
