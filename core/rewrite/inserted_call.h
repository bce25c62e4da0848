// SPDX-License-Identifier: GPL-3.0-or-later
// Calls that a user writes as Python, put into a graph that is there.
#pragma once

#include "core/module/edit.h"

#include <string>
#include <vector>

namespace fx {

struct CallToInsert {
    /// "torch.clamp(relu, max=6.0)", "a + b", "self.norm(x)", "nn.Linear(8, 4)(x)". The names of nodes stand
    /// for what they compute; torch, F, nn, aten (torch.ops.aten), math and operator may be used. A module of
    /// torch.nn that is made and called becomes a submodule. Several lines give their calls names, which
    /// later ones read: "y = torch.relu(x)\nz = y + 1"; generated code is such text.
    std::string text;
    std::string name; ///< of the last node; empty: the one in the text, or one from what it calls
    /// The node comes after this one, or before that; neither: after the last node that it reads.
    NodeId after, before;
};

/// Gives the new nodes in their order; the last one is the call. Throws an Error where the text is no call,
/// or reads what is computed later.
///   before  a = relu(x)  b = neg(a)     text  torch.exp(a)
///   after   a = relu(x)  e = exp(a)  b = neg(a)
std::vector<NodeId> insertCall(Edit& edit, const CallToInsert& call);

} // namespace fx
