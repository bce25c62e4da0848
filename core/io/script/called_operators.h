// SPDX-License-Identifier: GPL-3.0-or-later
// Which of LibTorch's operators a TorchScript program comes to.
#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <set>
#include <string>

namespace fx {

/// Those that the node calls, in its blocks and in the functions and methods that it calls: "aten::add".
void addOperators(torch::jit::Node& node, std::set<std::string>& out);

} // namespace fx
