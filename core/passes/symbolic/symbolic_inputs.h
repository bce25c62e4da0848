// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs whose sizes are symbols: "x=[N,3,H,W]; ids=[N,T]:int64; count=N".
#pragma once

#include "core/interpret/graph_inputs.h"
#include "core/module/model.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fx {

/// What each symbol is in one run.
using SizePoint = std::map<std::string, int64_t>;

struct SymbolicInput {
    NodeId node;
    std::string name;
    using Size = std::variant<int64_t, std::string>;
    std::vector<Size> sizes;
    c10::ScalarType dtype = c10::ScalarType::Float;
    bool isNumber = false; ///< an int, of which `sizes` has one
};

struct SymbolicInputs {
    std::vector<SymbolicInput> inputs;
    std::vector<std::string> symbols; ///< in the order in which they are written
    SizePoint hints;                  ///< what a symbol is known to have been, of those that are known
};

/// Reads what a user wrote. A dtype that is not written is the recorded one, else float32; a size may have a
/// hint ("H=224"), else it takes what was recorded. With the text "recorded": the inputs as the file
/// describes them, with its own symbols. Throws an Error where text and model do not fit.
SymbolicInputs readSymbolicInputs(const Model& model, const std::string& text);

/// None for what is no number, or one below zero.
std::optional<int64_t> wholeNumber(std::string_view text);

/// Whether the model needs values for other inputs.
bool needsMore(const Model& model, const SymbolicInputs& inputs);
/// The inputs at a point, on the device meta; `others` for those that are not symbolic, in the order of the
/// placeholders. `*args` and `**kwargs` get none.
GraphInputs inputsAt(const Model& model, const SymbolicInputs& inputs, const SizePoint& point,
                     const GraphInputs& others);

} // namespace fx
