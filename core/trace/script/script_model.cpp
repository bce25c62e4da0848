// SPDX-License-Identifier: GPL-3.0-or-later
// The modules, tensors, packed weights and settings of a TorchScript program in the model of its graph.
#include "core/torch/values/script_objects.h"
#include "core/trace/script/script_tracer.h"
#include "core/trace/script/script_values.h"
#include "core/trace/script_object_module.h"

#include <ATen/ATen.h>

namespace fx {

void ScriptTracer::copyModel() {
    std::map<const void*, ModuleId> modules;
    std::map<TensorKey, TensorId> tensors;
    const auto tensorId = [&](const at::Tensor& tensor) {
        const auto [known, isNew] = tensors.try_emplace(keyOf(tensor));
        if (isNew)
            known->second = edit().createTensor(TensorSlot(tensor));
        return known->second;
    };
    std::map<const void*, std::pair<Value, ModuleId>> objects; // alive, as their addresses are the keys
    const std::function<ModuleId(const Value&)> objectId = [&](const Value& object) {
        auto& [held, made] = objects[scriptObjectIdentity(object)];
        held = object;
        const auto tensorOf = [&](const Value& tensor) { return tensorId(tensor.data().toTensor()); };
        if (!made)
            made = addScriptObject(edit(), object, tensorOf, objectId);
        return made;
    };
    const std::function<void(const torch::jit::Module&, const std::string&)> fill =
        [&](const torch::jit::Module& module, const std::string& path) {
            const std::string prefix = path.empty() ? "" : path + '.';
            const c10::ClassTypePtr type = module.type();
            const auto setValue = [&](const std::string& name, const c10::IValue& given) {
                if (name == "_is_full_backward_hook" || (name == "training" && path.empty()))
                    return;
                const Value value = fromIValue(given);
                if (holdsTensor(value) || holdsInstance(value))
                    return;
                if (std::optional<Argument> plain = plainArgument(value))
                    edit().setValue(prefix + name, std::move(plain));
            };
            for (size_t i = 0; i < type->numConstants(); ++i)
                setValue(type->getConstantName(i), type->getConstant(i));
            for (size_t i = 0; i < type->numAttributes(); ++i) {
                const c10::IValue& value = module._ivalue()->getSlot(i);
                const std::string name = type->getAttributeName(i);
                const TensorRole role = type->is_parameter(i) ? TensorRole::Parameter
                                        : type->is_buffer(i)  ? TensorRole::Buffer
                                                              : TensorRole::Constant;
                const bool isTensor = type->getAttribute(i)->isSubtypeOf(*c10::OptionalType::ofTensor());
                if (value.isTensor() && value.toTensor().defined()) {
                    edit().setTensor(prefix + name, tensorId(value.toTensor()), role);
                } else if (value.isModule()) {
                    const torch::jit::Module child = value.toModule();
                    const auto [known, isNew] = modules.try_emplace(child._ivalue().get());
                    if (isNew)
                        known->second = edit().createModule(typeOf(child));
                    edit().addSubmodule(prefix + name, known->second);
                    if (isNew)
                        fill(child, prefix + name);
                } else if (value.isCustomClass()) {
                    edit().addSubmodule(prefix + name, objectId(value));
                } else if (value.isNone() &&
                           (isTensor || type->getAttribute(i)->kind() == c10::TypeKind::NoneType) &&
                           name != "_is_full_backward_hook" && role != TensorRole::Constant) {
                    edit().setTensor(prefix + name, TensorId(), role);
                } else {
                    setValue(name, value);
                }
            }
            if (path.empty() && module.hasattr("training") && module.attr("training").isBool())
                edit().setTraining(module.attr("training").toBool());
        };
    fill(m_root, "");
    for (const auto& [path, value] : m_values)
        if (value)
            edit().setValue(path, value);
    for (const auto& [node, module] : m_graphs)
        if (graph().contains(node))
            edit().addSubmodule(graph().node(node).target.name(), module);
    for (const auto& [name, object] : m_objectConstants)
        edit().addSubmodule(name, objectId(object));
    for (const auto& [name, tensor] : m_constants)
        edit().setTensor(name, tensorId(tensor), TensorRole::Buffer);
}

} // namespace fx
