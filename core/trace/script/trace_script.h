// SPDX-License-Identifier: GPL-3.0-or-later
// From a TorchScript program to a graph.
#pragma once

#include "core/trace/load_state.h"
#include "core/trace/tracer.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace torch::jit {
struct Module;
}

namespace fx {

struct ScriptRequest {
    std::optional<GivenState> state; ///< a state_dict to load before tracing
    std::vector<std::string> leaves; ///< further class names that are not traced through
    bool areNoneLeaves = false;      ///< modules of torch.nn are traced through as well
    std::optional<bool> isTraining;  ///< none: as the program was saved
    /// Arguments by name. A tensor says the sizes and the type that the argument will have; another value
    /// fixes it.
    std::vector<std::pair<std::string, Value>> concrete;
    std::vector<Value> concreteByPosition;
};

/// Traces the program's forward. Throws an Error with the place in the Python source that the archive keeps.
Traced traceScript(torch::jit::Module module, const ScriptRequest& request);

} // namespace fx
