// SPDX-License-Identifier: GPL-3.0-or-later
// The scopes of a picture: those of the modules, and two kinds of groups that no module has, so that a
// transformer of 24 blocks is a picture of a few boxes. Calls that compute with constants alone, such as a
// causal mask, are one scope "(mask)"; three or more equal blocks in a row are one scope "(layers 0 to 23)".
#pragma once

#include "core/module/scopes.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace fx {

/// By the target of a call_module: what is called, "Conv2d(64, 64, kernel_size=(3, 3))".
using ModuleCalls = std::unordered_map<std::string, std::string>;

/// Names a block by its class, or "block" where that is not known.
std::string blockName(const Scope& scope);

/// `modules`: of the graph's module (moduleCalls() in box_text.h); they tell blocks of other sizes apart.
ScopeTree pictureScopes(const Graph& graph, const ModuleCalls& modules);

/// For each scope, the path of an earlier one with equal content ("layer1.0"); empty if there is none.
std::vector<std::string> equalScopes(const Graph& graph, const ScopeTree& scopes,
                                     const ModuleCalls& modules = {});

} // namespace fx
