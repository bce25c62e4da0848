// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/mutating_calls.h"

#include "core/python/value.h"

#include <torch/csrc/jit/runtime/operator.h>

namespace fx {

namespace {

/// Below aten: "relu_" of torch.relu_, "gelu_" of torch._C._nn.gelu_. Empty: written in Python.
std::string operatorName(const std::string& target) {
    if (!target.starts_with("torch.") || target.starts_with("torch.nn.") ||
        target.starts_with("torch.functional."))
        return {};
    return target.substr(target.rfind('.') + 1);
}

std::string argumentName(const c10::Argument& argument) {
    return argument.name() == "self" ? "input" : argument.name();
}

bool fits(const c10::FunctionSchema& schema, size_t argumentCount, const Keywords& kwargs) {
    size_t place = 0, used = 0;
    for (const c10::Argument& argument : schema.arguments()) {
        const bool isPositional = !argument.kwarg_only() && place++ < argumentCount;
        const bool isNamed = std::any_of(kwargs.begin(), kwargs.end(), [&](const auto& item) {
            return item.first == argumentName(argument);
        });
        if ((isPositional && isNamed) || (!isPositional && !isNamed && !argument.default_value()))
            return false;
        used += isNamed ? 1 : 0;
    }
    return place >= argumentCount && used == kwargs.size();
}

/// Those that the target may mean: torch.ops names one.
std::vector<const c10::FunctionSchema*> schemasOf(const std::string& target,
                                                  std::vector<std::shared_ptr<torch::jit::Operator>>& held) {
    std::string name = "aten::" + operatorName(target), overload;
    const bool isChosen = target.starts_with("torch.ops.");
    if (isChosen) {
        const size_t space = std::string_view("torch.ops.").size(), dot = target.find('.', space);
        const size_t last = dot == std::string::npos ? dot : target.find('.', dot + 1);
        if (last == std::string::npos)
            return {};
        name = target.substr(space, dot - space) + "::" + target.substr(dot + 1, last - dot - 1);
        overload = target.substr(last + 1);
    }
    held = torch::jit::getAllOperatorsFor(c10::Symbol::fromQualString(name));
    std::vector<const c10::FunctionSchema*> out;
    for (const auto& one : held)
        if (const std::string& own = one->schema().overload_name();
            !isChosen || own == overload || (own.empty() && overload == "default"))
            out.push_back(&one->schema());
    return out;
}

} // namespace

void refuseMutatingCall(const std::string& target, size_t argumentCount, const Keywords& kwargs) {
    if (operatorName(target).empty())
        return;
    std::vector<std::shared_ptr<torch::jit::Operator>> held;
    std::vector<const c10::FunctionSchema*> fitting = schemasOf(target, held);
    std::erase_if(fitting, [&](const auto* schema) { return !fits(*schema, argumentCount, kwargs); });
    if (fitting.size() == 1 && fitting[0]->is_mutable())
        raise("RuntimeError",
              "Tried to trace mutable operation " + toString(*fitting[0]) +
                  ". FX only supports functional code, so operations that mutate operands in-place "
                  "(e.g. via `out` arguments) are not supported");
}

} // namespace fx
