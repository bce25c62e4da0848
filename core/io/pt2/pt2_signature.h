// SPDX-License-Identifier: GPL-3.0-or-later
// The graph signature of a .pt2: what each input and output of the lifted graph stands for.
#pragma once

#include "core/io/json.h"
#include "core/ir/tree_spec.h"

#include <optional>
#include <string>
#include <vector>

namespace fx {

struct Pt2Input {
    enum class Kind { User, Parameter, Buffer, Constant, CustomObject, Token };
    Kind kind = Kind::User;
    std::string name;   ///< of the placeholder; empty for a constant without one
    std::string target; ///< path of the parameter, buffer or constant
    bool isPersistent = true;
};

struct Pt2Output {
    enum class Kind { User, Loss, BufferMutation, ParameterMutation, InputMutation, Gradient, Token };
    Kind kind = Kind::User;
    std::string name;
    std::string target; ///< path or placeholder that the value is written to
};

struct Pt2Signature {
    std::vector<Pt2Input> inputs;
    std::vector<Pt2Output> outputs;
    std::optional<Signature> call; ///< how forward is called
};

/// `module` is the "graph_module" object of model.json.
Pt2Signature readPt2Signature(const JsonDocument& json, const Json& module);

} // namespace fx
