// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces calls by what Python functions do with their arguments: each such function runs on proxies in the
// place of the call (torch.fx's "proxy retracing"). Patterns of more than one call are left to
// replace_pattern.h.
#pragma once

#include "core/module/edit.h"

#include <string>
#include <vector>

namespace fx {

/// `target` is called; `function` is an expression for what stands for it, in the names of the rules' file.
struct DecompositionRule {
    Opcode opcode = Opcode::CallFunction;
    Target target;
    std::string function;
    std::vector<std::string> keywords; ///< that the function takes
    bool takesAnyKeyword = false;
};

/// The rules of a source: its dict from functions (or names of methods) to functions.
///   decomposition_rules = {F.relu: my_relu, "sigmoid": my_sigmoid}
/// Throws where there is no such dict, or where there are several.
std::vector<DecompositionRule> decompositionRules(const std::string& path);

/// Applies the rules of the file to every call in the current graph; what a rule records is not looked at
/// again. Nodes then have the names that they get where the graph is written anew from its beginning.
/// A keyword that a rule does not take is left out where it is the default of what was called, as in
/// F.relu(x, inplace=False).
///   before  b = relu(a)          with  lambda x: (x > 0) * x
///   after   gt = a > 0   b = gt * a
/// True if anything was decomposed. Errors name the node and the rule.
bool decompose(Edit& edit, const std::string& path);

} // namespace fx
