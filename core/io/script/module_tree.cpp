// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/script/module_tree.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/module/known_faults.h"
#include "core/torch/values/script_objects.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

bool isOfLetters(std::string_view name) {
    return !name.empty() &&
           std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

/// Children of a Sequential are called "0", "1".
void requireLetters(const std::string& name, const std::string& place) {
    if (!isOfLetters(name))
        throw Error(place,
                    "has the attribute " + pythonRepr(name) + ", whose name TorchScript does not take");
}

/// What TorchScript has a value for: numbers, texts, None, and tuples and lists of them.
std::optional<c10::IValue> attributeValue(const Argument& argument) {
    const Value value = makeValue(argument, nullptr);
    if (value.isData())
        return value.data();
    const Arguments* items = argument.items();
    if (!items || argument.as<NamedTupleValue>())
        return std::nullopt;
    std::vector<c10::IValue> parts;
    for (const Argument& item : *items) {
        std::optional<c10::IValue> part = attributeValue(item);
        if (!part)
            return std::nullopt;
        parts.push_back(std::move(*part));
    }
    if (argument.as<TupleValue>())
        return c10::ivalue::Tuple::create(std::move(parts));
    if (parts.empty() ||
        std::ranges::any_of(parts, [&](const c10::IValue& part) { return *part.type() != *parts[0].type(); }))
        return std::nullopt;
    c10::impl::GenericList list(parts[0].type());
    for (c10::IValue& part : parts)
        list.push_back(std::move(part));
    return list;
}

} // namespace

c10::QualifiedName scriptName(const std::string& qualified) {
    std::string out = "__torch__";
    for (const std::string_view atom : split(qualified, '.')) {
        std::string name(atom);
        std::ranges::replace_if(
            name, [](unsigned char c) { return !std::isalnum(c) && c != '_'; }, '_');
        out += '.' + (isIdentifier(name) && !isKeyword(name) ? name : '_' + name);
    }
    return c10::QualifiedName(out);
}

ScriptModuleTree::ScriptModuleTree(const Model& model) : m_model(model) {
    make(model.root(), "");
}

torch::jit::Module ScriptModuleTree::make(ModuleId id, const std::string& path) {
    if (const auto known = m_modules.find(id); known != m_modules.end())
        return known->second;
    const Module& module = m_model.module(id);
    const std::string place = path.empty() ? "the model" : "module '" + path + "'";
    if (isScriptClass(module.type))
        throw Error(place, "is an object of torch.classes, which is not written");
    torch::jit::Module out(scriptName(module.type), m_unit, /*shouldMangle=*/true);
    m_modules.emplace(id, out);
    out.register_attribute("training", c10::BoolType::get(), module.isTraining);
    for (const NamedTensor& entry : module.tensors) {
        requireLetters(entry.name, place);
        addTensor(out, entry, path);
    }
    for (const NamedModule& child : module.children) {
        requireLetters(child.name, place);
        out.register_module(child.name,
                            make(child.module, path.empty() ? child.name : path + '.' + child.name));
    }
    if (!module.graph)
        for (const NamedValue& entry : module.values)
            if (const auto value = attributeValue(entry.value);
                value && isOfLetters(entry.name) && !out.hasattr(entry.name))
                out.register_attribute(entry.name, value->type(), *value);
    return out;
}

void ScriptModuleTree::addTensor(torch::jit::Module& module, const NamedTensor& entry,
                                 const std::string& path) {
    if (!entry.tensor) {
        module.register_attribute(entry.name, c10::NoneType::get(), c10::IValue());
        return;
    }
    const TensorSlot& slot = m_model.tensor(entry.tensor);
    at::Tensor& tensor = m_tensors[&slot.meta()];
    if (!tensor.defined()) {
        tensor = slot.value().detach();
        if (tensor.is_meta())
            throw Error("tensor '" + (path.empty() ? path : path + '.') + entry.name + "'",
                        "has no data, so that it cannot be saved");
        tensor.set_requires_grad(slot.meta().requiresGrad);
    }
    if (entry.role == TensorRole::Parameter)
        module.register_parameter(entry.name, tensor, false);
    else if (entry.role == TensorRole::Constant)
        module.register_attribute(entry.name, c10::TensorType::get(), tensor);
    else
        module.register_buffer(entry.name, tensor);
}

} // namespace fx
