// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/clean/in_place_forms.h"

#include "core/ir/python_operators.h"
#include "core/passes/clean/call_names.h"
#include "core/torch/bind/call.h"
#include "core/torch/bind/operators.h"
#include "core/torch/bind/signatures.h"

#include <algorithm>

namespace fx {

namespace {

/// Whether `write` is `op` but for the first argument, which it writes.
bool isInPlaceOf(const c10::FunctionSchema& write, const c10::FunctionSchema& op) {
    const auto &to = write.arguments(), &from = op.arguments();
    if (to.size() != from.size() || to.empty() || !to[0].alias_info() || !to[0].alias_info()->isWrite())
        return false;
    for (size_t i = 0; i < to.size(); ++i)
        if (to[i].name() != from[i].name() || !(*to[i].type() == *from[i].type()) || to[i].is_out() ||
            (i > 0 && to[i].alias_info()))
            return false;
    return true;
}

Target inPlaceOperator(Target target) {
    const TorchOperator* op = findOperator(target);
    if (!op || op->schema->is_mutable())
        return {};
    Target found;
    for (const TorchOperator* write : findOverloads(op->schema->name() + '_'))
        if (isInPlaceOf(*write->schema, *op->schema)) {
            if (found)
                return {};
            found = operatorTarget(write->schema->operator_name());
        }
    return found;
}

std::function<void(Edit&)> withTarget(NodeId node, Target target) {
    return target ? [=](Edit& edit) { edit.setTarget(node, target); } : std::function<void(Edit&)>();
}

std::function<void(Edit&)> functionInPlace(const Node& node) {
    const std::string& name = node.target.name();
    const NodeId id = node.id;
    if (node.target.isOperatorOverload())
        return withTarget(id, inPlaceOperator(node.target));
    if (const Argument* flag = node.keyword("inplace"))
        return *flag == Argument(false) ? [id](Edit& edit) { edit.updateKwarg(id, "inplace", true); }
                                        : std::function<void(Edit&)>();
    constexpr std::string_view kOperator = "operator.";
    if (name.starts_with(kOperator)) {
        const auto op = operatorByName(std::string_view(name).substr(kOperator.size()));
        const std::string_view write = op ? operatorRow(*op).inPlaceFunction() : std::string_view();
        return write.empty() || write == "imatmul"
                   ? std::function<void(Edit&)>()
                   : withTarget(id, std::string(kOperator) + std::string(write));
    }
    return name.starts_with("torch.") && signaturesOfFunction(name) && signaturesOfFunction(name + '_')
               ? withTarget(id, name + '_')
               : std::function<void(Edit&)>();
}

} // namespace

std::function<void(Edit&)> inPlaceForm(const Model& model, ModuleId module, const Node& node) {
    switch (node.opcode) {
    case Opcode::CallFunction:
        return functionInPlace(node);
    case Opcode::CallMethod:
        return findSignatures("torch.Tensor", node.target.name() + '_')
                   ? withTarget(node.id, node.target.name() + '_')
                   : std::function<void(Edit&)>();
    case Opcode::CallModule: {
        const Module* called = calledModule(model, module, node);
        const Argument* flag = called && called->type.starts_with("torch.nn.modules.activation.")
                                   ? called->value("inplace")
                                   : nullptr;
        if (!flag || !(*flag == Argument(false)))
            return {};
        return [path = node.target.name() + ".inplace"](Edit& edit) { edit.setValue(path, Argument(true)); };
    }
    default:
        return {};
    }
}

} // namespace fx
