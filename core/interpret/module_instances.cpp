// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/module_instances.h"

#include "core/base/error.h"
#include "core/interpret/restored_hooks.h"
#include "core/interpret/restored_values.h"
#include "core/torch/host/nn_modules.h"
#include "core/torch/values/script_objects.h"

#include <ATen/ATen.h>

namespace fx {

ModuleInstances::ModuleInstances(const Model& model, Evaluator& evaluator, SourceModules& sources,
                                 Parts parts)
    : m_model(model), m_evaluator(evaluator), m_sources(sources), m_parts(std::move(parts)) {}

const Value* ModuleInstances::known(ModuleId module) const {
    const auto found = m_instances.find(module);
    return found == m_instances.end() ? nullptr : &found->second;
}

Value ModuleInstances::classOf(const Module& module) {
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
    return *type;
}

Value ModuleInstances::of(ModuleId id) {
    if (const auto known = m_instances.find(id); known != m_instances.end())
        return known->second;
    const Module& module = m_model.module(id);
    const Value base = *m_evaluator.modules().libraryClass(kPlainModule);
    const Value instance =
        module.graph && m_parts.graphModule ? m_parts.graphModule(id) : makeInstance(classOf(module));
    m_instances[id] = instance;
    m_evaluator.call(m_evaluator.attribute(base, "__init__"), {instance});
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
        if (entry.tensor)
            value = c10::IValue(m_parts.tensor(entry.tensor, entry.role));
        if (entry.role == TensorRole::Constant)
            fields.set(entry.name, value);
        else if (entry.role == TensorRole::Parameter)
            moduleTable(instance, "_parameters")
                ->set(entry.name,
                      value.isNone() ? value : makeParameter(m_evaluator, value.data().toTensor()));
        else
            moduleTable(instance, "_buffers")->set(entry.name, value);
        if (entry.role == TensorRole::TransientBuffer)
            m_evaluator.callMethod(m_evaluator.attribute(instance, "_non_persistent_buffers_set"), "add",
                                   {makeText(entry.name)});
    }
    for (const NamedModule& child : module.children)
        if (isScriptClass(m_model.module(child.module).type))
            fields.set(child.name, m_parts.scriptObject(child.module));
        else
            moduleTable(instance, "_modules")->set(child.name, of(child.module));
    // As when a module is unpickled: what it derives from its state, such as the list of an LSTM's weights.
    m_evaluator.callMethod(instance, "__setstate__", {Object{DictObject(fields)}});
    try {
        addHooks(module, instance);
    } catch (...) {
        m_instances.erase(id); // else the next call would run it without its hooks
        throw;
    }
    return instance;
}

void ModuleInstances::addHooks(const Module& module, const Value& instance) {
    restoreHooks(m_evaluator, module, instance, placesOf(module), m_captured);
}

CapturedPlaces ModuleInstances::placesOf(const Module& module) {
    return {[this](const std::string& name) { return m_sources.find(m_evaluator, name); },
            [this](const std::string& path) -> std::optional<Value> {
                const ModuleId found = m_model.resolve(m_model.root(), path).module;
                return found && !m_model.module(found).graph ? std::optional(of(found)) : std::nullopt;
            },
            [this, &module](const std::string& name, bool isParameter) -> std::optional<Value> {
                const NamedTensor* entry = module.tensor(name);
                if (!entry || !entry->tensor)
                    return std::nullopt;
                const TensorRole role = isParameter ? TensorRole::Parameter : entry->role;
                const at::Tensor tensor = m_parts.tensor(entry->tensor, role);
                return isParameter ? makeParameter(m_evaluator, tensor) : Value(c10::IValue(tensor));
            },
            [this](int64_t number) { return shared(number); }};
}

std::optional<Value> ModuleInstances::shared(int64_t number) {
    if (!m_shared) {
        m_shared.emplace();
        m_model.forEachModule(m_model.root(), [&](ModuleId id, const std::string&) {
            for (const NamedValue& hooks : m_model.module(id).values)
                if (isRecordedHooks(hooks.name))
                    forEachPart(hooks.value, [&](const Argument& part) {
                        const auto* captured = part.as<NamedTupleValue>();
                        if (captured && captured->type.name() == "captured.shared" &&
                            captured->items.size() == 2 && captured->items[0].as<int64_t>())
                            m_shared->try_emplace(*captured->items[0].as<int64_t>(),
                                                  SharedContent{id, &part});
                    });
        });
    }
    const auto found = m_shared->find(number);
    if (found == m_shared->end())
        return std::nullopt;
    return restoredObject(m_evaluator, *found->second.value, placesOf(m_model.module(found->second.module)),
                          m_captured);
}

std::optional<Value> ModuleInstances::parametrizedClass(const Module& module) {
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

} // namespace fx
