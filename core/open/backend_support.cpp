// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/open/backend_support.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/script/module_lowering.h"
#include "core/open/support_file.h"
#include "core/passes/split/parts.h"
#include "core/torch/bind/inductor_operators.h"
#include "core/torch/bind/operator_bounds.h"

namespace fx {

namespace {

Refusals byTorchScript(const Model& model, ModuleId module) {
    Refusals out;
    for (const auto& [node, call] : scriptedCalls(model, module))
        if (!call.whyNot.empty() && isCallNode(model.graph(module).node(node)))
            out.emplace(node, call.whyNot);
    return out;
}

/// "aten::relu" of torch.ops.aten.relu.default.
std::string operatorOf(const Target& target) {
    const std::vector<std::string_view> atoms = split(target.name(), '.');
    return std::string(atoms.at(2)) + "::" + std::string(atoms.at(3));
}

/// Quantized dtypes have no place in what torch.export makes.
bool isQuantized(const Node& node) {
    const ValueMeta* value = knownValue(node.meta);
    const auto* tensor = value ? std::get_if<TensorMeta>(&value->value) : nullptr;
    return tensor && c10::isQIntType(tensor->dtype);
}

std::string refusedByInductor(const Node& node, const ScriptedCall& call) {
    if (isQuantized(node))
        return "a tensor of a quantized dtype is none of Inductor's";
    std::set<std::string> operators = call.operators;
    if (node.target.isOperatorOverload())
        operators = {operatorOf(node.target)};
    else if (!call.whyNot.empty())
        return "it is not known which operators it calls: " + call.whyNot;
    for (const std::string& name : operators)
        if (const std::string why = boundsRefusal(name); !why.empty())
            return name + " is not compiled: " + why;
    std::erase_if(operators, isLoweredByInductor);
    return operators.empty() ? std::string()
                             : "Inductor has nothing for " +
                                   join(std::vector<std::string>(operators.begin(), operators.end()), ", ");
}

Refusals byInductor(const Model& model, ModuleId module) {
    Refusals out;
    const auto calls = scriptedCalls(model, module);
    for (const Node& node : model.graph(module)) {
        const auto call = calls.find(node.id);
        if (!isCallNode(node) || call == calls.end())
            continue;
        if (std::string why = refusedByInductor(node, call->second); !why.empty())
            out.emplace(node.id, std::move(why));
    }
    return out;
}

} // namespace

Refusals refusalsBy(const std::string& name, const Model& model, ModuleId module) {
    if (name == "torchscript")
        return byTorchScript(model, module);
    if (name == "aotinductor")
        return byInductor(model, module);
    if (name.find('.') == std::string::npos)
        throw Error("--support", "there is no table '" + name + "'")
            .hint(
                "the tables are onednn, quantizable, torchscript, aotinductor; or give a file: .json, .yaml, "
                "FILE.py:NAME");
    return refusalsByFile(name, model, module);
}

} // namespace fx
