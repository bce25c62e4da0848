// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/lower/activations.h"

#include "core/passes/clean/call_names.h"
#include "core/torch/bind/parameters.h"

#include <algorithm>

namespace fx {

namespace {

struct ActivationRow {
    std::string_view type;     ///< the class in torch.nn.modules.activation
    std::string_view function; ///< without the underscore of what is in place
    std::string_view word;
    std::string_view first = {}, second = {}; ///< parameters that are its numbers
};
constexpr ActivationRow kActivations[] = {
    {"ReLU", "relu", "relu"},
    {"GELU", "gelu", "gelu"},
    {"SiLU", "silu", "swish"},
    {"Sigmoid", "sigmoid", "sigmoid"},
    {"Tanh", "tanh", "tanh"},
    {"Hardswish", "hardswish", "hardswish"},
    {"Hardsigmoid", "hardsigmoid", "hardsigmoid"},
    {"LeakyReLU", "leaky_relu", "leaky_relu", "negative_slope"},
    {"Hardtanh", "hardtanh", "hardtanh", "min_val", "max_val"},
    {"ReLU6", "hardtanh", "hardtanh", "min_val", "max_val"},
};

/// "relu" of torch.relu, torch.ops.aten.relu_.default and x.relu_().
std::string_view functionName(const Node& node) {
    std::string_view name =
        node.opcode == Opcode::CallMethod ? std::string_view(node.target.name()) : functionOfTorch(node);
    if (name.ends_with('_'))
        name.remove_suffix(1);
    return name;
}

} // namespace

std::optional<Activation> activationAt(const Model& model, ModuleId owner, const Node& node) {
    const Module* module = calledModule(model, owner, node);
    constexpr std::string_view kHead = "torch.nn.modules.activation.";
    if (node.args.empty() || !node.args[0].node() ||
        (module && (!module->type.starts_with(kHead) || hasHooks(*module) || node.args.size() != 1)))
        return std::nullopt;
    const std::string_view name =
        module ? std::string_view(module->type).substr(kHead.size()) : functionName(node);
    const auto* row = std::ranges::find_if(kActivations, [&](const ActivationRow& each) {
        return (module ? each.type : each.function) == name;
    });
    if (row == std::end(kActivations) || node.opcode == Opcode::GetAttr || name.empty())
        return std::nullopt;
    Activation out{node.args[0].node(), std::string(row->word), {}, {}};
    for (const std::string_view parameter : {row->first, row->second}) {
        if (parameter.empty())
            continue;
        const Argument* value = module ? module->value(parameter) : givenArgument(node, parameter);
        const bool isNumber = value && (value->as<double>() || value->as<int64_t>());
        if (!isNumber) // a default, or computed
            return std::nullopt;
        out.scalars.push_back(*value);
    }
    if (row->word == "gelu") {
        const Argument* kind = module ? module->value("approximate") : givenArgument(node, "approximate");
        out.algorithm = kind && kind->as<std::string>() ? *kind->as<std::string>() : "none";
    }
    return out;
}

} // namespace fx
