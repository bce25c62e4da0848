// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/type_table.h"

#include "core/base/error.h"
#include "core/python/hosts.h"

namespace fx {

static void empty(ClassData& data) {
    data.dict.as<DictObject>()->clear();
    data.mro.clear();
    data.bases.clear();
    data.construct = nullptr;
    data.unlisted = nullptr;
}

void TypeTable::clear() {
    for (const std::weak_ptr<ClassData>& weak : m_ownClasses)
        if (const std::shared_ptr<ClassData> data = weak.lock())
            empty(*data);
    for (auto& [name, type] : m_types)
        empty(*type.as<ClassObject>()->data);
    builtins().clear();
}

ClassData& TypeTable::add(const std::string& name, const std::string& base) {
    auto data = std::make_shared<ClassData>();
    data->name = data->qualifiedName = name;
    data->module = "builtins";
    data->isBuiltin = true;
    data->dict = Object{DictObject()};
    if (name != "object") {
        const Value parent = m_types.at(base);
        data->bases = {parent};
        data->mro = linearize(data->bases);
    }
    ClassData& out = *data;
    const Value type = Object{ClassObject{std::move(data)}};
    for (const Value& parent : out.bases)
        parent.as<ClassObject>()->data->addHeir(type);
    m_types[name] = type;
    builtins().set(name, type);
    return out;
}

Value TypeTable::named(std::string_view name) const {
    const auto found = m_types.find(std::string(name));
    if (found == m_types.end())
        throw Error("", "no builtin type '" + std::string(name) + '\'');
    return found->second;
}

void TypeTable::addBuiltin(const std::string& name, NativeObject::Call call) {
    builtins().set(name, makeNative(name, std::move(call)));
}

Value TypeTable::of(const Value& value) {
    if (const auto* instance = value.as<InstanceObject>())
        return instance->type;
    if (const auto* type = value.as<ClassObject>())
        return type->data->metaclass.isNone() ? m_types.at("type") : type->data->metaclass;
    if (const ValueHost* host = m_hosts.of(value)) {
        const auto found = m_types.find(host->typeName(value));
        return found == m_types.end() ? m_types.at("object") : found->second;
    }
    // Kinds of one name each share a slot.
    const size_t kind = value.object() ? value.object()->kind.index() + 1 : 0;
    const bool isUniform = kind != 0 && !value.as<SequenceObject>() && !value.as<SetObject>() &&
                           !value.as<BytesObject>() && !value.as<Argument>() && !value.as<IteratorObject>() &&
                           !value.as<BoundMethodObject>() && !value.as<AliasObject>();
    if (isUniform && kind < m_kindTypes.size() && !m_kindTypes[kind].isNone())
        return m_kindTypes[kind];
    const auto found = m_types.find(typeName(value));
    const Value out = found == m_types.end() ? m_types.at("object") : found->second;
    if (isUniform) {
        if (kind >= m_kindTypes.size())
            m_kindTypes.resize(kind + 1);
        m_kindTypes[kind] = out;
    }
    return out;
}

ClassData& TypeTable::classOf(const Value& value) {
    if (const auto* type = value.as<ClassObject>())
        return *type->data;
    return *of(value).as<ClassObject>()->data;
}

} // namespace fx
