// SPDX-License-Identifier: GPL-3.0-or-later
// What a node calls, bound before it is called: the operator, and where each of its arguments comes from.
#pragma once

#include "core/ir/graph.h"
#include "core/torch/bind/argument_kinds.h"
#include "core/torch/bind/call_plan.h"
#include "core/torch/bind/hand_bound.h"
#include "core/torch/bind/operators.h"

#include <memory>
#include <optional>
#include <vector>

namespace fx {

/// Where one argument of an operator comes from.
struct Operand {
    enum class Kind : uint8_t {
        Constant,  ///< `constant`
        Value,     ///< the value of `node`, as it is
        Unpacked,  ///< the value of `node`, by unpackValue() for `parameter`
        Tensors,   ///< a list of the values of `items`, all tensors
        Ints,      ///< a list of `items`, whole numbers
        Converted, ///< the node's argument `tree` with its nodes looked up, by convert()
    };
    /// Of a list: a node's value, or a number.
    struct Item {
        NodeId node;
        int64_t number = 0;
    };
    Kind kind = Kind::Constant;
    bool isLastUse = false; ///< of `node`: nothing reads it afterwards
    NodeId node;
    c10::IValue constant;
    const SignatureParameter* parameter = nullptr;
    std::vector<Item> items;
    const Argument* tree = nullptr;
};

/// What must be so for the call to hold: the value of `node` is of that kind.
struct Guard {
    NodeId node;
    ArgumentKind kind = ArgumentKind::Other;
};

/// A call of a function that is bound by hand: see hand_bound.h.
struct HandCall {
    struct Given {
        bool isGiven = false;
        NodeId node;
        Value constant; ///< where there is no node
    };
    HandBound function = nullptr;
    const CallSignature* signature = nullptr;
    NodeId self;              ///< of a method
    std::vector<Given> given; ///< one for each parameter
};

struct BoundNode {
    const TorchOperator* op = nullptr; ///< null: it is of `hand`, if that is there
    const CallPlan* plan = nullptr; ///< of a function that PyTorch does not call by schema: see bind_ahead.h
    std::vector<Operand> operands;  ///< one for each parameter of `op`
    std::vector<Guard> guards;
    std::shared_ptr<const HandCall> hand = nullptr;
};

/// Whether a tensor is written into the argument (OpaqueValue).
bool argumentHoldsTensor(const Argument& argument);
/// The call of a node whose values will be of these kinds; none where it has to go by name. `device`: where
/// constants that name another device of the same kind of work are moved to.
std::optional<BoundNode> bindNode(const Node& node, const std::function<ArgumentKind(NodeId)>& kindOf,
                                  std::optional<c10::Device> device);
/// Whether that depends on the kinds.
bool isBoundByKinds(const Node& node);

} // namespace fx
