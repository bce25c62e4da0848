// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/random_draws.h"

#include "core/torch/bind/call_facts.h"
#include "core/torch/bind/purity.h"
#include "core/torch/bind/tensor_overloads.h"
#include "core/torch/host/torch_names.h"
#include "core/trace/recorded_hooks.h"

#include <ATen/core/function_schema.h>

#include <algorithm>

namespace fx {

bool mayDrawRandomNumbers(const TorchOperator& op) {
    if (!op.schema->name().starts_with("aten::") || drawsRandomNumbers(op))
        return true;
    return std::ranges::any_of(op.schema->arguments(), [](const c10::Argument& parameter) {
        const c10::Type* type = parameter.type().get();
        if (const auto* optional = type->castRaw<c10::OptionalType>())
            type = optional->getElementType().get();
        return type->kind() == c10::TypeKind::GeneratorType || parameter.name().starts_with("dropout") ||
               parameter.name() == "train";
    });
}

namespace {

/// "relu" of "torch._C._nn.relu", of whatever overload a call takes.
bool mayDrawByName(std::string_view name) {
    const auto overloads = findTensorOverloads("aten::" + std::string(name.substr(name.rfind('.') + 1)));
    return overloads.empty() ||
           std::ranges::any_of(overloads, [](const TorchOperator* op) { return mayDrawRandomNumbers(*op); });
}

bool isPlainPython(Target target) {
    return target.isBuiltin() || target.name().starts_with("operator.") || target.name().starts_with("math.");
}

bool mayDrawModule(const Model& model, ModuleId called) {
    if (!called)
        return true;
    bool found = false;
    model.forEachModule(called, [&](ModuleId id, const std::string&) {
        const Module& module = model.module(id);
        found |= module.graph || factsOf(module).drawsRandom || hasUserHook(module.values);
    });
    return found;
}

bool mayDrawFunction(const Model& model, Target target) {
    // Objects of a user's classes may have an __add__ that draws.
    if (isPlainPython(target))
        return !model.sources().empty();
    return !target.name().starts_with("torch.") || target.isHigherOrder() || isPythonInTorch(target) ||
           mayDrawByName(target.name());
}

} // namespace

bool mayDrawRandomNumbers(const Model& model, ModuleId module, const Instruction& instruction,
                          const Node& node) {
    switch (node.opcode) {
    case Opcode::Placeholder:
    case Opcode::GetAttr:
    case Opcode::Output:
        return false;
    case Opcode::CallFunction:
        return instruction.op ? mayDrawRandomNumbers(*instruction.op) : mayDrawFunction(model, node.target);
    case Opcode::CallMethod:
        if (instruction.op)
            return mayDrawRandomNumbers(*instruction.op);
        return !model.sources().empty() || isPythonInTorch("torch.Tensor." + node.target.name()) ||
               mayDrawByName(node.target.name());
    case Opcode::CallModule:
        return mayDrawModule(model, model.resolve(module, node.target.name()).module);
    }
    return true;
}

} // namespace fx
