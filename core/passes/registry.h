// SPDX-License-Identifier: GPL-3.0-or-later
// The passes: one row each. A pass is a function over an Edit; undo, verifying and printing are around it.
#pragma once

#include "core/module/edit.h"

#include <functional>
#include <string_view>
#include <vector>

namespace fx {

class Value;

/// What a pass may ask its surroundings for.
struct PassContext {
    /// Values for the inputs of the model; null if there are none to be had.
    std::function<std::vector<Value>(const Model&)> inputs;
    std::string rulesFile; ///< Python source with a table of rules, for decompose
};

struct Pass {
    std::string_view name;
    std::string_view help;
    bool (*run)(Edit& edit, const PassContext& context); ///< true: changed something
};

const std::vector<Pass>& passes();
/// Throws an Error that lists the passes.
const Pass& findPass(std::string_view name);

} // namespace fx
