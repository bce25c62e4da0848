// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/script/called_operators.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/jit/api/function_impl.h>

namespace fx {

void addOperators(torch::jit::Node& node, std::set<std::string>& out) {
    const auto addAll = [&out](auto&& nodes) {
        for (torch::jit::Node* each : nodes)
            addOperators(*each, out);
    };
    // TorchScript has more, over numbers and lists alone.
    if (const c10::FunctionSchema* schema = node.maybeSchema())
        if (c10::Dispatcher::singleton().findSchema(schema->operator_name()))
            out.insert(schema->name());
    for (torch::jit::Block* block : node.blocks())
        addAll(block->nodes());
    torch::jit::Function* called = nullptr;
    if (node.kind() == c10::prim::CallFunction)
        called = node.input(0)->type()->expectRef<c10::FunctionType>().function();
    else if (node.kind() == c10::prim::CallMethod)
        called =
            &node.input(0)->type()->expectRef<c10::ClassType>().getMethod(node.s(torch::jit::attr::name));
    if (called)
        addAll(torch::jit::toGraphFunction(*called).graph()->nodes());
}

} // namespace fx
