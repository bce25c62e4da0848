// SPDX-License-Identifier: GPL-3.0-or-later
// Generated Python read back as a list of nodes, without running it: each statement is one call.
#pragma once

#include "core/module/model.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace fx {

/// A node as the text writes it. Its arguments name other nodes by their index in the list, as NodeId{index}.
struct WrittenNode {
    Opcode opcode = Opcode::CallFunction;
    Target target;
    std::string name; ///< empty: one that the graph chooses
    Arguments args;
    Keywords kwargs;
    std::optional<std::string> type; ///< the annotation as it is written; none: there is none
    uint32_t position = 0;
};

/// Reads the text of a graph's generated code. `model` and `module` say what `self` holds, and which globals
/// the graph's code has names for. Throws an Error at "code:LINE:COLUMN".
std::vector<WrittenNode> readCode(const Model& model, ModuleId module, const std::string& code);

} // namespace fx
