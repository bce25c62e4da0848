// SPDX-License-Identifier: GPL-3.0-or-later
// One loop of a TorchScript program that data ends, as a call of torch.ops.higher_order.while_loop.
#pragma once

#include "core/trace/script/script_bodies.h"

namespace fx {

/// How far a loop has come that was unrolled so far.
struct LoopRound {
    int64_t trip = 0;
    Value goesOn;
    Values carried;
};

/// Records the loop from that round on; gives what it carries in the end. `most`: how many rounds there are
/// at most. `run` walks a block. Throws Error where a round gives values of another kind than it takes.
Values recordWhile(ScriptState& state, const torch::jit::Node& node, const LoopRound& first,
                   const Value& most, const std::function<void(const torch::jit::Block&)>& run);

} // namespace fx
