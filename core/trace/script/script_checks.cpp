// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/script/script_checks.h"

#include <torch/csrc/jit/api/function_impl.h>

#include <algorithm>

namespace fx {

namespace prim = c10::prim;

bool onlyRaises(const torch::jit::Block& block) {
    for (const torch::jit::Node* node : block.nodes()) {
        if (node->kind() == prim::RaiseException)
            return true;
        if (node->kind() == prim::If && onlyRaises(*node->blocks()[0]) && onlyRaises(*node->blocks()[1]))
            return true;
    }
    return false;
}

namespace {

/// Whether a value is read for nothing but to raise an exception.
bool isForChecks(const torch::jit::Value* value, int depth = 0) {
    constexpr int kDeepest = 20;
    if (depth > kDeepest)
        return false;
    return std::all_of(value->uses().begin(), value->uses().end(), [&](const torch::jit::Use& use) {
        const torch::jit::Node& user = *use.user;
        if (user.kind() == prim::If)
            return onlyRaises(*user.blocks()[0]) != onlyRaises(*user.blocks()[1]);
        if (user.kind() == prim::Return) { // `a and b`
            const torch::jit::Node* owner = user.owningBlock()->owningNode();
            return owner && owner->kind() == prim::If && isForChecks(owner->outputs()[use.offset], depth + 1);
        }
        const bool isPlain = user.blocks().empty() && user.maybeSchema() && !user.hasSideEffects();
        return isPlain &&
               std::all_of(user.outputs().begin(), user.outputs().end(),
                           [&](const torch::jit::Value* output) { return isForChecks(output, depth + 1); });
    });
}

/// The code that the node calls; null where it calls none of the program's.
const torch::jit::Function* calledBy(const torch::jit::Node& node) {
    if (node.kind() == prim::CallFunction)
        return node.inputs()[0]->type()->expect<c10::FunctionType>()->function();
    const auto type =
        node.kind() == prim::CallMethod ? node.inputs()[0]->type()->cast<c10::ClassType>() : nullptr;
    return type ? type->findMethod(node.s(c10::attr::name)) : nullptr;
}

/// Whether the block writes into nothing, and sets nothing.
bool onlyReads(const torch::jit::Block& block, int depth = 0) {
    constexpr int kDeepest = 20;
    if (depth > kDeepest)
        return false;
    for (const torch::jit::Node* node : block.nodes()) {
        const c10::FunctionSchema* schema = node->maybeSchema();
        if (node->kind() == prim::SetAttr || (schema && schema->is_mutable()))
            return false;
        if (node->kind() == prim::CallFunction || node->kind() == prim::CallMethod) {
            const torch::jit::Function* called = calledBy(*node);
            if (!called || !called->isGraphFunction() ||
                !onlyReads(*torch::jit::toGraphFunction(*called).graph()->block(), depth + 1))
                return false;
        }
        for (const torch::jit::Block* inner : node->blocks())
            if (!onlyReads(*inner, depth + 1))
                return false;
    }
    return true;
}

} // namespace

bool areForChecks(const torch::jit::Node& node) {
    return !node.outputs().empty() &&
           std::ranges::all_of(node.outputs(), [](const torch::jit::Value* v) { return isForChecks(v); }) &&
           std::ranges::all_of(node.blocks(),
                               [](const torch::jit::Block* block) { return onlyReads(*block); });
}

Value unknownValue() {
    return Object{CellObject{}};
}

bool isUnknown(const Value& value) {
    return value.as<CellObject>() != nullptr;
}

} // namespace fx
