// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/script/script_instances.h"

#include "core/trace/script/script_values.h"

#include <ATen/ATen.h>

namespace fx {

Value ScriptInstances::make(c10::ClassTypePtr type) {
    const Value made = Object{InstanceObject{{}, Object{DictObject()}, {}}};
    m_classes[made.object().get()] = std::move(type);
    m_kept.push_back(made);
    return made;
}

Value ScriptInstances::instanceOf(const c10::IValue& object) {
    const auto& shared = object.toObject();
    if (const auto known = m_instances.find(shared.get()); known != m_instances.end())
        return known->second;
    const Value made = make(shared->type());
    m_instances[shared.get()] = made;
    m_kept.push_back(object);
    DictObject& fields = *made.as<InstanceObject>()->dict.as<DictObject>();
    for (size_t i = 0; i < shared->type()->numAttributes(); ++i) {
        Value field =
            fromIValue(shared->getSlot(i), [&](const c10::IValue& inner) { return instanceOf(inner); });
        forEachTensor(field, [&](const at::Tensor& tensor) {
            if (tensor.defined())
                m_tracer.addConstant(tensor);
        });
        fields.set(shared->type()->getAttributeName(i), std::move(field));
    }
    return made;
}

Value ScriptInstances::attribute(const Value& object, const std::string& name, bool isShadow) {
    if (const auto* instance = object.as<InstanceObject>()) {
        const Value* found = instance->dict.as<DictObject>()->find(name);
        if (!found)
            m_tracer.fail("AttributeError", "the object has no attribute '" + name + '\'');
        return *found;
    }
    if (!object.isData() || !object.data().isObject())
        m_tracer.fail("", "the attribute '" + name + "' of a value that the program gets cannot be read");
    const auto& shared = object.data().toObject();
    if (const auto kept = m_attributes.find({shared.get(), name}); kept != m_attributes.end())
        return kept->second;
    const c10::IValue held = shared->getAttr(name);
    if (held.isTensor() && held.toTensor().defined()) {
        if (isShadow)
            return c10::IValue(held.toTensor().to(at::kMeta));
        return m_tracer.readAttribute(held.toTensor());
    }
    Value read = fromIValue(held, [&](const c10::IValue& inner) { return instanceOf(inner); });
    if (!read.isData()) {
        forEachTensor(read, [&](const at::Tensor& tensor) {
            if (tensor.defined() && !m_tracer.isOfModel(tensor))
                m_tracer.addConstant(tensor);
        });
        m_attributes[{shared.get(), name}] = read;
    }
    return read;
}

void ScriptInstances::setAttribute(const Value& object, const std::string& name, const Value& value,
                                   bool isShadow) {
    if (auto* instance = object.as<InstanceObject>()) {
        instance->dict.as<DictObject>()->set(name, value);
        return;
    }
    if (!object.isData() || !object.data().isObject())
        m_tracer.fail("", "an attribute of a value that the program gets cannot be set");
    m_attributes[{object.data().toObject().get(), name}] = value;
    ++m_sets;
    if (!isShadow)
        m_tracer.note(
            "the program sets self." + name + ", which the graph does not do" +
            (m_tracer.currentPlace().file.empty() ? std::string() : ": " + m_tracer.currentPlace().name()));
}

} // namespace fx
