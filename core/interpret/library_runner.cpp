// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/library_runner.h"

#include "core/base/error.h"
#include "core/interpret/restored_hooks.h"
#include "core/interpret/restored_values.h"
#include "core/module/model.h"
#include "core/torch/bind/call.h"
#include "core/torch/values/script_objects.h"

#include <ATen/ATen.h>

namespace fx {

LibraryRunner::LibraryRunner(const Model& model, RunState& state, EvaluationLimits limits)
    : m_model(model), m_state(state), m_sources(model.sources()), m_evaluator(limits) {
    m_torch.addTo(m_evaluator);
    m_sources.addTo(m_evaluator);
}

Value LibraryRunner::instanceOf(ModuleId id) {
    if (const auto known = m_instances.find(id); known != m_instances.end())
        return known->second;
    const Module& module = m_model.module(id);
    std::optional<Value> type = m_evaluator.modules().libraryClass(module.type);
    if (!type)
        type = parametrizedClass(module);
    if (!type)
        type = m_sources.find(m_evaluator, module.type);
    const std::optional<Value> base = m_evaluator.modules().libraryClass(kPlainModule);
    if (!type || !base || !isSubclass(m_evaluator, *type, *base))
        throw Error("", "a module of class " + module.type + " cannot be run here")
            .hint(module.type.starts_with("torch.")
                      ? "run the graph in Python"
                      : "open the model with the source that defines the class: --source FILE.py");
    const Value instance = makeInstance(*type);
    m_instances[id] = instance;
    m_evaluator.call(m_evaluator.attribute(*base, "__init__"), {instance});
    DictObject& fields = *instance.as<InstanceObject>()->dict.as<DictObject>();
    const auto findName = [this](const std::string& name) { return m_sources.find(m_evaluator, name); };
    for (const NamedValue& attribute : module.values)
        if (!isRecordedHooks(attribute.name))
            if (std::optional<Value> value = restoredValue(m_evaluator, attribute.value, findName))
                fields.set(attribute.name, std::move(*value));
    fields.set("training", c10::IValue(module.isTraining));
    if (const Argument* training = module.value("training"))
        fields.set("training", makeValue(*training, nullptr));
    for (const NamedTensor& entry : module.tensors) {
        Value value;
        // Module.to moves what is registered, and no other attribute.
        if (entry.tensor)
            value = c10::IValue(m_state.tensor(entry.tensor, entry.role, entry.role != TensorRole::Constant));
        if (entry.role == TensorRole::Constant)
            fields.set(entry.name, value);
        else if (entry.role == TensorRole::Parameter)
            moduleTable(instance, "_parameters")
                ->set(entry.name,
                      value.isNone() ? value : makeInstance(m_evaluator.type("Parameter"), value));
        else
            moduleTable(instance, "_buffers")->set(entry.name, value);
    }
    for (const NamedModule& child : module.children)
        if (isScriptClass(m_model.module(child.module).type))
            fields.set(child.name, m_state.scriptObject(child.module));
        else
            moduleTable(instance, "_modules")->set(child.name, instanceOf(child.module));
    // As when a module is unpickled: what it derives from its state, such as the list of an LSTM's weights.
    m_evaluator.callMethod(instance, "__setstate__", {Object{DictObject(fields)}});
    restoreHooks(m_evaluator, module, instance, findName);
    return instance;
}

std::optional<Value> LibraryRunner::parametrizedClass(const Module& module) {
    static const std::string kHome = "torch.nn.utils.parametrize.", kPrefix = kHome + "Parametrized";
    const ModuleId made = module.child("parametrizations");
    if (!made || !module.type.starts_with(kPrefix))
        return std::nullopt;
    Values names;
    for (const NamedModule& child : m_model.module(made).children)
        names.push_back(makeText(child.name));
    const std::optional<Value> classAgain = m_evaluator.modules().libraryClass(kHome + "_class_again");
    return m_evaluator.call(*classAgain, {makeText(module.type.substr(kPrefix.size())), makeList(names)});
}

std::optional<at::Tensor> LibraryRunner::tensor(ModuleId module, const NamedTensor& entry) const {
    const auto known = m_instances.find(module);
    if (known == m_instances.end())
        return std::nullopt;
    const DictObject* table =
        moduleTable(known->second, entry.role == TensorRole::Parameter ? "_parameters" : "_buffers");
    const Value* now = table ? table->find(entry.name) : nullptr;
    return now && plainOf(*now).isTensor() ? std::optional(plainOf(*now).data().toTensor()) : std::nullopt;
}

bool LibraryRunner::knows(Target function) {
    return isPythonInTorch(function) || userFunction(function);
}

/// A function of the model's source: what torch.fx.wrap has kept as a call.
std::optional<Value> LibraryRunner::userFunction(Target function) {
    if (m_model.sources().empty() || function.name().starts_with("torch.") ||
        function.name().find('.') == std::string::npos || isKnownFunction(function))
        return std::nullopt;
    const auto [known, isNew] = m_userFunctions.try_emplace(function);
    if (isNew)
        request([&] {
            known->second = m_sources.find(m_evaluator, function.name());
            return Value();
        });
    return known->second;
}

/// Each call has a budget of its own: a model may make any number of them.
Value LibraryRunner::request(const std::function<Value()>& work) {
    m_evaluator.startRequest();
    return m_evaluator.runOutside(work);
}

/// A module among the arguments is an instance for the function.
Value LibraryRunner::argument(Value value) {
    const auto* module = value.as<ModuleObject>();
    if (!module)
        return value;
    if (m_model.module(module->module).graph)
        throw Error("", "a function of Python's cannot be given a module with a graph here")
            .hint("run the graph in Python");
    return instanceOf(module->module);
}

Value LibraryRunner::callFunction(Target function, Values args, NamedValues kwargs) {
    const std::optional<Value> own = isPythonInTorch(function) ? std::nullopt : userFunction(function);
    return request([&] {
        for (Value& value : args)
            value = argument(std::move(value));
        for (auto& [name, value] : kwargs)
            value = argument(std::move(value));
        return m_evaluator.call(own ? *own : Value(Object{FunctionObject{function}}), std::move(args),
                                std::move(kwargs));
    });
}

bool LibraryRunner::knowsMethod(const std::string& name) {
    return isPythonInTorch("torch.Tensor." + name);
}

Value LibraryRunner::callMethod(const Value& self, const std::string& name, Values args, NamedValues kwargs) {
    return request([&] {
        return m_evaluator.call(Object{MethodObject{self, name}}, std::move(args), std::move(kwargs));
    });
}

Value LibraryRunner::callModule(ModuleId module, Values args, NamedValues kwargs) {
    return request([&] {
        const Value instance = instanceOf(module);
        return m_evaluator.call(instance, std::move(args), std::move(kwargs)); // with its hooks
    });
}

} // namespace fx
