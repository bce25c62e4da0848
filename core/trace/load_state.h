// SPDX-License-Identifier: GPL-3.0-or-later
// Weights for a model that is about to be traced: load_state_dict of Python's modules and of TorchScript's.
#pragma once

#include "core/python/evaluator.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace at {
class Tensor;
}
namespace torch::jit {
struct Module;
}

namespace fx {

struct GivenState {
    using Entries = std::vector<std::pair<std::string, at::Tensor>>;
    Entries tensors; ///< in the order of the file
    /// Entries that are no tensors, for those modules that load them themselves: packed weights.
    std::vector<std::pair<std::string, Value>> others;
    std::string wrapperPrefix; ///< "module.": of every name, where a wrapper may have put it

    /// Without the wrapper's prefix where the model knows more names so: it may have a child of that name.
    Entries named(const std::function<bool(const std::string&)>& isKnown) const;
};

/// Throws RuntimeError as load_state_dict does, strictly.
void loadState(Evaluator& evaluator, const Value& model, const GivenState& state);
void loadState(const torch::jit::Module& module, const GivenState& state);

} // namespace fx
