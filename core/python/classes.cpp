// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/classes.h"

#include "core/base/text.h"
#include "core/python/evaluator.h"

#include <algorithm>
#include <unordered_map>

namespace fx {

const Value* ClassData::find(const TextKey& name) const {
    Finding& finding = m_findings[name.hash % m_findings.size()];
    if (finding.moves == DictObject::moves() + 1 && finding.name == name.text)
        return finding.value;
    const auto search = [&](const ClassData& type) {
        const auto& names = *type.dict.as<DictObject>();
        names.watch();
        return names.find(name);
    };
    const Value* found = search(*this);
    for (size_t i = 0; !found && i < mro.size(); ++i)
        found = search(*mro[i].as<ClassObject>()->data);
    finding = {std::string(name.text), DictObject::moves() + 1, found};
    return found;
}

bool ClassData::isSubclassOf(const ClassData* other) const {
    return this == other || std::any_of(mro.begin(), mro.end(), [&](const Value& type) {
               return type.as<ClassObject>()->data.get() == other;
           });
}

void ClassData::add(std::string method, NativeObject::Call call) {
    dict.as<DictObject>()->set(method, Object{NativeObject{name + '.' + method, std::move(call), true}});
}

void ClassData::addStatic(std::string method, NativeObject::Call call) {
    dict.as<DictObject>()->set(method,
                               Object{StaticMethodObject{makeNative(name + '.' + method, std::move(call))}});
}

void ClassData::addClassMethod(std::string method, NativeObject::Call call) {
    dict.as<DictObject>()->set(method,
                               Object{ClassMethodObject{makeNative(name + '.' + method, std::move(call))}});
}

void ClassData::addProperty(std::string property, NativeObject::Call getter) {
    dict.as<DictObject>()->set(
        property,
        Object{PropertyObject{makeNative(name + '.' + property, std::move(getter)), Value(), Value()}});
}

void ClassData::addHeir(const Value& type) {
    if (m_heirs.size() == m_heirs.capacity()) // so that classes that are gone do not add up
        std::erase_if(m_heirs, [](const auto& heir) { return heir.expired(); });
    m_heirs.emplace_back(type.object());
}

Values ClassData::heirs() const {
    Values out;
    for (const c10::weak_intrusive_ptr<Object>& heir : m_heirs)
        if (c10::intrusive_ptr<Object> type = heir.lock())
            out.emplace_back(std::move(type));
    return out;
}

namespace {

const ClassData& dataOf(const Value& type) {
    return *type.as<ClassObject>()->data;
}

} // namespace

Values linearize(const Values& bases) {
    Values out;
    if (bases.size() == 1) {
        out.push_back(bases[0]);
        const Values& rest = dataOf(bases[0]).mro;
        out.insert(out.end(), rest.begin(), rest.end());
        return out;
    }
    struct List {
        Values types;
        size_t head = 0;
    };
    std::vector<List> lists;
    for (const Value& base : bases) {
        Values& types = lists.emplace_back(List{{base}}).types;
        const Values& rest = dataOf(base).mro;
        types.insert(types.end(), rest.begin(), rest.end());
    }
    lists.push_back({bases});
    // How many lists hold a class behind their head.
    std::unordered_map<const ClassData*, size_t> inTails;
    for (const List& list : lists)
        for (size_t i = 1; i < list.types.size(); ++i)
            ++inTails[&dataOf(list.types[i])];
    while (true) {
        std::erase_if(lists, [](const List& list) { return list.head == list.types.size(); });
        if (lists.empty())
            return out;
        const auto chosen = std::find_if(lists.begin(), lists.end(), [&](const List& list) {
            return inTails[&dataOf(list.types[list.head])] == 0;
        });
        if (chosen == lists.end()) {
            std::vector<std::string> names;
            for (const Value& base : bases)
                names.push_back(dataOf(base).name);
            raise("TypeError",
                  "Cannot create a consistent method resolution\norder (MRO) for bases " + join(names, ", "));
        }
        const ClassData* next = &dataOf(chosen->types[chosen->head]);
        out.push_back(chosen->types[chosen->head]);
        for (List& list : lists)
            if (&dataOf(list.types[list.head]) == next && ++list.head < list.types.size())
                --inTails[&dataOf(list.types[list.head])];
    }
}

Value makeInstance(const Value& type, Value payload) {
    return Object{InstanceObject{type, Object{DictObject()}, std::move(payload)}};
}

bool isSubclass(Evaluator& evaluator, const Value& type, const Value& wanted) {
    if (const std::optional<Values> options = itemsOf(wanted))
        return std::any_of(options->begin(), options->end(),
                           [&](const Value& o) { return isSubclass(evaluator, type, o); });
    if (!type.as<ClassObject>())
        raise("TypeError", "issubclass() arg 1 must be a class");
    if (const auto* alias = wanted.as<AliasObject>()) {
        if (alias->origin.isNone() || (alias->origin.isString() && alias->origin.text() == "union"))
            return std::any_of(alias->arguments.begin(), alias->arguments.end(),
                               [&](const Value& o) { return isSubclass(evaluator, type, o); });
        return isSubclass(evaluator, type, alias->origin);
    }
    if (wanted.as<InstanceObject>())
        if (const std::optional<Value> hook = evaluator.findAttribute(wanted, "__subclasscheck__"))
            return evaluator.isTrue(evaluator.call(*hook, {type}));
    if (!wanted.as<ClassObject>())
        raise("TypeError", "issubclass() arg 2 must be a class, a tuple of classes, or a union");
    if (const auto* meta = wanted.as<ClassObject>()->data->metaclass.as<ClassObject>())
        if (const Value* hook = meta->data->find("__subclasscheck__"); hook && hook->as<DefinedObject>())
            return evaluator.isTrue(evaluator.call(
                bindAttribute(evaluator, *hook, wanted, wanted.as<ClassObject>()->data->metaclass), {type}));
    return dataOf(type).isSubclassOf(&dataOf(wanted));
}

bool isInstance(Evaluator& evaluator, const Value& value, const Value& wanted) {
    if (const auto* type = wanted.as<ClassObject>()) {
        const ClassData* data = type->data.get();
        if (const auto* meta = data->metaclass.as<ClassObject>())
            if (const Value* hook = meta->data->find("__instancecheck__"); hook && hook->as<DefinedObject>())
                return evaluator.isTrue(
                    evaluator.call(bindAttribute(evaluator, *hook, wanted, data->metaclass), {value}));
        const Value own = evaluator.typeOf(value);
        return dataOf(own).isSubclassOf(data);
    }
    if (const std::optional<Values> options = itemsOf(wanted))
        return std::any_of(options->begin(), options->end(),
                           [&](const Value& o) { return isInstance(evaluator, value, o); });
    if (const auto* alias = wanted.as<AliasObject>()) {
        if (alias->origin.isNone() || alias->text.starts_with("typing.Union") ||
            alias->text.starts_with("typing.Optional"))
            return std::any_of(alias->arguments.begin(), alias->arguments.end(), [&](const Value& o) {
                return o.isNone() ? value.isNone() : isInstance(evaluator, value, o);
            });
        return isInstance(evaluator, value, alias->origin);
    }
    if (wanted.isNone())
        return value.isNone();
    if (const std::optional<Value> hook = evaluator.findAttribute(wanted, "__instancecheck__"))
        return evaluator.isTrue(evaluator.call(*hook, {value}));
    raise("TypeError", "isinstance() arg 2 must be a type, a tuple of types, or a union");
}

} // namespace fx
