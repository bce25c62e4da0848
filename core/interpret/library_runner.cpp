// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/library_runner.h"

#include "core/base/error.h"

#include <ATen/ATen.h>

namespace fx {

LibraryRunner::LibraryRunner(const Model& model, RunState& state, EvaluationLimits limits)
    : m_model(model), m_state(state), m_evaluator(m_host, limits) {
    m_host.prepare(m_evaluator);
}

Value LibraryRunner::instanceOf(ModuleId id) {
    if (const auto known = m_instances.find(id); known != m_instances.end())
        return known->second;
    const Module& module = m_model.module(id);
    std::optional<Value> type = m_evaluator.libraryClass(module.type);
    if (!type)
        type = parametrizedClass(module);
    const std::optional<Value> base = m_evaluator.libraryClass("torch.nn.modules.module.Module");
    if (!type || !base || !m_evaluator.isSubclass(*type, *base))
        throw Error("", "a module of class " + module.type + " cannot be run here");
    const Value instance = m_evaluator.makeInstance(*type);
    m_instances[id] = instance;
    m_evaluator.call(m_evaluator.attribute(*base, "__init__"), {instance});
    DictObject& fields = *instance.as<InstanceObject>()->dict.as<DictObject>();
    for (const NamedValue& attribute : module.values)
        fields.set(attribute.name, makeValue(attribute.value, nullptr));
    fields.set("training", c10::IValue(module.isTraining));
    if (const Argument* training = module.value("training"))
        fields.set("training", makeValue(*training, nullptr));
    for (const NamedTensor& entry : module.tensors) {
        Value value;
        if (entry.tensor) {
            const at::Tensor tensor = m_state.tensor(entry.tensor, entry.role);
            // A run leaves the model as it is: statistics that are updated are copies.
            value = c10::IValue(entry.role == TensorRole::Parameter ? tensor : tensor.clone());
        }
        if (entry.role == TensorRole::Constant)
            fields.set(entry.name, value);
        else if (entry.role == TensorRole::Parameter)
            moduleTable(instance, "_parameters")
                ->set(entry.name, value.isNone()
                                      ? value
                                      : m_evaluator.makeInstance(m_evaluator.type("Parameter"), value));
        else
            moduleTable(instance, "_buffers")->set(entry.name, value);
    }
    for (const NamedModule& child : module.children)
        moduleTable(instance, "_modules")->set(child.name, instanceOf(child.module));
    // As when a module is unpickled: what it derives from its state, such as the list of an LSTM's weights.
    m_evaluator.callMethod(instance, "__setstate__", {Object{DictObject(fields)}});
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
    const std::optional<Value> classAgain = m_evaluator.libraryClass(kHome + "_class_again");
    return m_evaluator.call(*classAgain, {makeText(module.type.substr(kPrefix.size())), makeList(names)});
}

bool LibraryRunner::knows(Target function) {
    return isPythonInTorch(function);
}

/// Each call has a budget of its own: a model may make any number of them.
Value LibraryRunner::request(const std::function<Value()>& work) {
    m_evaluator.startRequest();
    return m_evaluator.runOutside(work);
}

Value LibraryRunner::callFunction(Target function, Values args, NamedValues kwargs) {
    return request([&] {
        return m_evaluator.call(Object{FunctionObject{function}}, std::move(args), std::move(kwargs));
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
        return m_evaluator.callMethod(instance, "forward", std::move(args), std::move(kwargs));
    });
}

} // namespace fx
