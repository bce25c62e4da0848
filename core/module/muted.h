// SPDX-License-Identifier: GPL-3.0-or-later
// Muting a call: who reads it gets its first input instead, and it can be made to call again. A muted node is
// a plain call that any tool runs, prints and edits, with all that it takes to undo it among its arguments:
//   before  b = torch.add(a, w, alpha=2)
//   muted   b = operator.getitem((a, (a, w), {'alpha': 2}), 0)      meta "muted": "call_function torch.add"
// So what it read before stays, follows renames and rewiring, and the graph means the same to every pass.
#pragma once

#include "core/module/edit.h"

namespace fx {

namespace meta {
inline constexpr std::string_view kMuted = "muted";            ///< string: opcode and target of the call
inline constexpr std::string_view kMutedValue = "muted_value"; ///< ValueMeta: its kTensorMeta, if it had one
} // namespace meta

/// What a muted node called, and calls again.
struct MutedCall {
    Opcode opcode;
    Target target;
    Arguments args;
    Keywords kwargs;
};

/// Empty where the node is not muted, or was edited into another call since.
std::optional<MutedCall> mutedCall(const Node& node);
/// Throws, with the reason, where the node is no call, or none of its inputs is of its kind of value.
void mute(Edit& edit, NodeId node);
/// Throws where the module that was called is no more.
void unmute(Edit& edit, NodeId node);

/// In all graphs: muted nodes go, and who reads one reads what it passes on. For a model that is written
/// down.
void takeOutMuted(Model& model);

} // namespace fx
