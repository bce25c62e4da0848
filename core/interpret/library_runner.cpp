// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/library_runner.h"

#include "core/base/error.h"
#include "core/interpret/restored_hooks.h"
#include "core/module/model.h"
#include "core/python/items.h"
#include "core/torch/bind/call.h"

#include <ATen/ATen.h>

namespace fx {

LibraryRunner::LibraryRunner(const Model& model, RunTensors& state, EvaluationLimits limits)
    : m_model(model), m_sources(model.sources()), m_evaluator(limits),
      m_instances(model, m_evaluator, m_sources,
                  {// Module.to moves what is registered, and no other attribute.
                   [&state](TensorId tensor, TensorRole role) {
                       return state.tensor(tensor, role, role != TensorRole::Constant);
                   },
                   [&state](ModuleId module) { return state.scriptObject(module); }}) {
    m_torch.addTo(m_evaluator);
    m_tracing.addTo(m_evaluator);
    m_sources.addTo(m_evaluator);
}

std::optional<at::Tensor> LibraryRunner::tensor(ModuleId module, const NamedTensor& entry) const {
    const Value* known = m_instances.known(module);
    if (!known)
        return std::nullopt;
    const DictObject* table =
        moduleTable(*known, entry.role == TensorRole::Parameter ? "_parameters" : "_buffers");
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
    return m_instances.of(module->module);
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

Value LibraryRunner::withMembers(const Argument& argument, Value value) {
    if (const auto* member = argument.as<EnumValue>(); member && !member->type.isFromTorch())
        return request([&] {
            const std::optional<Value> type = m_sources.find(m_evaluator, member->type.name());
            const std::optional<Value> found =
                type ? m_evaluator.findAttribute(*type, member->member) : std::nullopt;
            return found ? *found : value;
        });
    const Arguments* items = argument.items();
    auto* sequence = items ? value.as<SequenceObject>() : nullptr;
    for (size_t i = 0; sequence && i < items->size() && i < sequence->items.size(); ++i)
        sequence->items[i] = withMembers((*items)[i], std::move(sequence->items[i]));
    if (const auto* dict = argument.as<DictValue>()) {
        const std::vector<DictObject::Entry> entries = value.as<DictObject>()->entries();
        if (entries.size() != dict->items.size())
            return value; // keys were alike
        const Value out = Object{DictObject()};
        for (size_t i = 0; i < entries.size(); ++i) {
            const Value key = withMembers(dict->items[i].first, entries[i].key);
            const Value item = withMembers(dict->items[i].second, entries[i].value);
            request([&] { // the class of the key may have a hash of its own
                setSubscript(m_evaluator, out, key, item);
                return Value();
            });
        }
        return out;
    }
    return value;
}

bool LibraryRunner::knowsMethod(const std::string& name) {
    return isPythonInTorch("torch.Tensor." + name);
}

Value LibraryRunner::callMethod(const Value& self, const std::string& name, Values args, NamedValues kwargs) {
    return request([&] {
        if (self.as<ModuleObject>())
            return m_evaluator.callMethod(argument(self), name, std::move(args), std::move(kwargs));
        return m_evaluator.call(Object{MethodObject{self, name}}, std::move(args), std::move(kwargs));
    });
}

Value LibraryRunner::callModule(ModuleId module, Values args, NamedValues kwargs) {
    return request([&] {
        const Value instance = m_instances.of(module);
        if (!m_model.sources().empty())
            forgetGeneralHooks(m_evaluator);
        return m_evaluator.call(instance, std::move(args), std::move(kwargs)); // with its hooks
    });
}

} // namespace fx
