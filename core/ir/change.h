// SPDX-License-Identifier: GPL-3.0-or-later
// The handful of invertible steps of which every edit of a graph is made. Plain values: what was, what is.
// core/module/edit.h composes them into torch.fx's verbs; core/module/change.h adds those of the module tree.
#pragma once

#include "core/ir/meta.h"
#include "core/ir/names.h"
#include "core/ir/opcode.h"
#include "core/ir/tree_spec.h"

#include <c10/util/SmallVector.h>

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace fx {

/// One node that is read, and the reader's place among its users.
struct InputUse {
    NodeId node;
    uint32_t sequence = 0;
};
using InputUses = c10::SmallVector<InputUse, 2>;

/// All that a node is called with, and what of it are nodes.
struct CallArguments {
    Arguments args;
    Keywords kwargs;
    InputUses inputs;
};

/// `before` in the steps below: the node that follows, or no node for the end of the graph.
struct NodeCreated {
    NodeId node;
    NodeId before;
    NameGrant grant;
    Opcode opcode;
    Target target;
    CallArguments arguments;
    Meta meta;
};
/// The erased node keeps its arguments with None in the place of each node.
struct NodeErased {
    NodeId node;
    NodeId before;
    CallArguments arguments;
};
struct NodeMoved {
    NodeId node;
    NodeId from, to; ///< the nodes that followed it
};
struct ArgumentsChanged {
    NodeId node;
    CallArguments before, after;
};
struct NodeRenamed {
    NodeId node;
    std::string before, after;
    std::optional<NameGrant> grant; ///< none: the name was set without asking whether it is free
};
struct CalleeChanged {
    struct State {
        Opcode opcode;
        Target target;
    };
    NodeId node;
    State before, after;
};
struct TypeChanged {
    NodeId node;
    std::optional<std::string> before, after;
};
struct MetaChanged {
    NodeId node;
    std::string key;
    SharedMeta before, after;
};
struct SignatureChanged {
    Box<Signature> before, after;
};

using GraphChange = std::variant<NodeCreated, NodeErased, NodeMoved, ArgumentsChanged, NodeRenamed,
                                 CalleeChanged, TypeChanged, MetaChanged, SignatureChanged>;

/// The node that a change is about; no node for a change of the whole graph.
NodeId changedNode(const GraphChange& change);
/// The nodes that it reads on one side of the change and perhaps not on the other.
std::vector<NodeId> inputsAround(const GraphChange& change);

} // namespace fx
