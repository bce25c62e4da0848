// SPDX-License-Identifier: GPL-3.0-or-later
// A graph as its text has it: the nodes in their order, with their names to the letter.
// The readers of the texts give it, and printed.h makes a model of it.
#pragma once

#include "core/ir/argument.h"
#include "core/ir/meta.h"
#include "core/ir/opcode.h"

#include <optional>
#include <string>
#include <vector>

namespace fx {

struct PrintedNode {
    Opcode opcode = Opcode::CallFunction;
    Target target;
    std::string name;
    /// Other nodes are named by their index in the graph, as NodeId{index}.
    Arguments args;
    Keywords kwargs;
    std::optional<std::string> type;
    Meta meta;
};

struct PrintedGraph {
    std::string name; ///< of the class, or of the submodule that has the graph
    std::vector<PrintedNode> nodes;
    std::vector<PrintedGraph> children;
};

} // namespace fx
