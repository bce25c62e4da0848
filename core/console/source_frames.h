// SPDX-License-Identifier: GPL-3.0-or-later
// The user's source behind a node: the frames of its recorded stack trace and the modules that it is called
// in.
#pragma once

#include "core/ir/graph.h"

#include <optional>
#include <string>
#include <vector>

namespace fx {

struct SourceFrame {
    std::string file;
    int line = 0;
    std::string function; ///< "forward"
    std::string code;     ///< the line as it was when the model was captured; may be empty
};

/// Outermost first; empty for a node without a stack trace.
std::vector<SourceFrame> sourceFrames(const Node& node);
/// The frame that a user wants to see: the innermost outside PyTorch and generated code, if there is one.
std::optional<SourceFrame> sourceOf(const Node& node);
/// One level of "up" and "down": a module that the node is called in, outermost first.
ModuleStack moduleFrames(const Node& node);
/// "model.py:12, in Block.forward"; empty if nothing is known.
std::string sourceText(const Node& node);

} // namespace fx
