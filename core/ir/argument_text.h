// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments as Python writes them. Generated code has a few rules more; they are in core/codegen.
#pragma once

#include "core/ir/argument.h"

#include <functional>
#include <string>

namespace fx {

/// The name under which a node is written.
using NodeNames = std::function<std::string(NodeId)>;

/// Python's repr(): strings quoted, nodes by name.
std::string reprText(const Argument& argument, const NodeNames& names);
/// Python's str(): as repr(), but a string at the top is bare.
std::string strText(const Argument& argument, const NodeNames& names);
/// As torch.fx lists arguments in graph text: nodes as "%name", strings bare at every depth of lists.
std::string formatText(const Argument& argument, const NodeNames& names);
std::string formatText(const Arguments& args, const NodeNames& names);
std::string formatText(const Keywords& kwargs, const NodeNames& names);

} // namespace fx
