// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes of TorchScript that become no node of the graph: tuples, casts, checks, conversions, containers.
#pragma once

#include "core/trace/script/script_state.h"

namespace fx {

/// Whether the node was one of those; its outputs are set then.
bool runHelper(ScriptState& state, const torch::jit::Node& node);

} // namespace fx
