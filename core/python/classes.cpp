// SPDX-License-Identifier: GPL-3.0-or-later
// Classes: method resolution order, metaclasses, building, instances, isinstance.
#include "core/base/text.h"
#include "core/python/frame.h"

#include <algorithm>
#include <unordered_map>

namespace fx {

const Value* ClassData::find(const TextKey& name) const {
    if (const Value* found = own(name))
        return found;
    for (const Value& type : mro)
        if (const Value* found = type.as<ClassObject>()->data->own(name))
            return found;
    return nullptr;
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

namespace {

const ClassData& dataOf(const Value& type) {
    return *type.as<ClassObject>()->data;
}

/// The C3 linearization: each class before its bases, bases in their order.
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

} // namespace

ClassData& Evaluator::addType(const std::string& name, const std::string& base) {
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
    m_types[name] = type;
    builtins().set(name, type);
    return out;
}

Value Evaluator::type(std::string_view name) const {
    const auto found = m_types.find(std::string(name));
    if (found == m_types.end())
        throw Error("", "no builtin type '" + std::string(name) + '\'');
    return found->second;
}

Value Evaluator::makeClass(const std::string& name, Values bases, Value dict, NamedValues kwargs) {
    for (Value& base : bases) {
        if (const auto* alias = base.as<AliasObject>()) {
            base = Value(alias->origin);
        } else if (base.as<InstanceObject>()) {
            if (const std::optional<Value> entries = findAttribute(base, "__mro_entries__")) {
                const Values replaced = items(call(*entries, {makeTuple(bases)}));
                if (replaced.size() == 1)
                    base = replaced[0];
            }
        }
    }
    // Entries that were replaced by the same class count once.
    for (size_t i = 0; i < bases.size(); ++i)
        for (size_t j = bases.size(); j-- > i + 1;)
            if (bases[i].isSame(bases[j]))
                raise("TypeError", "duplicate base class " + typeNameOfClass(bases[i]));
    Value metaclass = type("type");
    if (std::optional<Value> given = takeKeyword(kwargs, "metaclass")) {
        if (!given->as<ClassObject>())
            return call(*given, {makeText(name), makeTuple(bases), dict}, std::move(kwargs));
        metaclass = *given;
    }
    for (const Value& base : bases) {
        if (!base.as<ClassObject>())
            raise("TypeError", "bases must be types");
        const Value candidate = typeOf(base);
        if (classOf(candidate).isSubclassOf(&classOf(metaclass)))
            metaclass = candidate;
        else if (!classOf(metaclass).isSubclassOf(&classOf(candidate)))
            raise("TypeError", "metaclass conflict: the metaclass of a derived class must be a (non-strict) "
                               "subclass of the metaclasses of all its bases");
    }
    if (metaclass.isSame(type("type")))
        return buildClass(metaclass, name, std::move(bases), dict, std::move(kwargs));
    return call(metaclass, {makeText(name), makeTuple(std::move(bases)), dict}, std::move(kwargs));
}

Value Evaluator::buildClass(const Value& metaclass, const std::string& name, Values bases, const Value& dict,
                            NamedValues kwargs) {
    if (bases.empty())
        bases.push_back(type("object"));
    auto data = std::make_shared<ClassData>();
    data->name = name;
    data->dict = Object{DictObject(*dict.as<DictObject>())};
    DictObject& names = *data->dict.as<DictObject>();
    const Value* qualified = names.find("__qualname__");
    data->qualifiedName = qualified && qualified->isString() ? qualified->text() : name;
    names.erase("__qualname__");
    const Value* module = names.find("__module__");
    data->module = module && module->isString() ? module->text()
                   : m_frames.innermost()       ? m_frames.innermost()->module
                                                : "";
    if (!metaclass.isSame(type("type")))
        data->metaclass = metaclass;
    for (const Value& base : bases) {
        if (!base.as<ClassObject>())
            raise("TypeError", "bases must be types");
        const ClassData& parent = dataOf(base);
        static constexpr std::string_view kFinal[] = {"bool",  "NoneType", "range",
                                                      "slice", "function", "ellipsis"};
        if (parent.isBuiltin &&
            std::find(std::begin(kFinal), std::end(kFinal), parent.name) != std::end(kFinal))
            raise("TypeError", "type '" + parent.name + "' is not an acceptable base type");
        const ClassData* payload = parent.isBuiltin && parent.construct ? &parent : parent.payload;
        if (payload && payload->name != "object" && payload->name != "type")
            data->payload = payload;
        data->members = data->members ? data->members : parent.members;
    }
    data->bases = std::move(bases);
    for (const Value& base : data->bases) {
        const size_t ancestors = dataOf(base).mro.size();
        m_budget.charge(ancestors / 2);
        reserve(sizeof(ClassData) + ancestors * 2 * sizeof(Value));
    }
    step();
    data->mro = linearize(data->bases);
    for (const char* implicit : {"__init_subclass__", "__class_getitem__"})
        if (Value* found = names.find(implicit); found && found->as<DefinedObject>())
            *found = Object{ClassMethodObject{*found}};
    if (Value* maker = names.find("__new__"); maker && maker->as<DefinedObject>())
        *maker = Object{StaticMethodObject{*maker}};
    // A class that defines __eq__ alone cannot be hashed.
    if (names.find("__eq__") && !names.find("__hash__"))
        names.set("__hash__", Value());

    const Value made = Object{ClassObject{data}};
    m_classes.push_back(data);
    const std::vector<DictObject::Entry> entries = names.entries();
    for (const DictObject::Entry& entry : entries)
        if (entry.value.as<InstanceObject>())
            if (const Value* setName = classOf(entry.value).find("__set_name__"))
                call(bindAttribute(*setName, entry.value, typeOf(entry.value)), {made, entry.key});
    const Value super = Object{SuperObject{made, made}};
    if (const std::optional<Value> hook = findAttribute(super, "__init_subclass__")) {
        const auto* bound = hook->as<BoundMethodObject>();
        const bool isPlain = hook->as<NativeObject>() || (bound && bound->function.as<NativeObject>());
        if (isPlain && !kwargs.empty())
            raise("TypeError", name + ".__init_subclass__() takes no keyword arguments");
        if (!isPlain)
            call(*hook, {}, std::move(kwargs));
    }
    return made;
}

std::string Evaluator::typeNameOfClass(const Value& type) const {
    return type.as<ClassObject>() ? type.as<ClassObject>()->data->name : typeName(type);
}

Value Evaluator::makeInstance(const Value& type, Value payload) {
    return Object{InstanceObject{type, Object{DictObject()}, std::move(payload)}};
}

Value Evaluator::typeOf(const Value& value) {
    if (const auto* instance = value.as<InstanceObject>())
        return instance->type;
    if (const auto* type = value.as<ClassObject>())
        return type->data->metaclass.isNone() ? m_types.at("type") : type->data->metaclass;
    if (const ValueHost* host = hostOf(value)) {
        const auto found = m_types.find(host->typeName(value));
        return found == m_types.end() ? m_types.at("object") : found->second;
    }
    // Kinds of one name each share a slot.
    const size_t kind = value.object() ? value.object()->kind.index() + 1 : 0;
    const bool isUniform = kind != 0 && !value.as<SequenceObject>() && !value.as<SetObject>() &&
                           !value.as<BytesObject>() && !value.as<Argument>() && !value.as<IteratorObject>() &&
                           !value.as<BoundMethodObject>();
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

ClassData& Evaluator::classOf(const Value& value) {
    if (const auto* type = value.as<ClassObject>())
        return *type->data;
    return *typeOf(value).as<ClassObject>()->data;
}

bool Evaluator::isSubclass(const Value& type, const Value& wanted) {
    if (const std::optional<Values> options = itemsOf(wanted))
        return std::any_of(options->begin(), options->end(),
                           [&](const Value& o) { return isSubclass(type, o); });
    if (!type.as<ClassObject>())
        raise("TypeError", "issubclass() arg 1 must be a class");
    if (const auto* alias = wanted.as<AliasObject>()) {
        if (alias->origin.isNone() || (alias->origin.isString() && alias->origin.text() == "union"))
            return std::any_of(alias->arguments.begin(), alias->arguments.end(),
                               [&](const Value& o) { return isSubclass(type, o); });
        return isSubclass(type, alias->origin);
    }
    if (wanted.as<InstanceObject>())
        if (const std::optional<Value> hook = findAttribute(wanted, "__subclasscheck__"))
            return isTrue(call(*hook, {type}));
    if (!wanted.as<ClassObject>())
        raise("TypeError", "issubclass() arg 2 must be a class, a tuple of classes, or a union");
    if (const auto* meta = wanted.as<ClassObject>()->data->metaclass.as<ClassObject>())
        if (const Value* hook = meta->data->find("__subclasscheck__"); hook && hook->as<DefinedObject>())
            return isTrue(
                call(bindAttribute(*hook, wanted, wanted.as<ClassObject>()->data->metaclass), {type}));
    return dataOf(type).isSubclassOf(&dataOf(wanted));
}

bool Evaluator::isInstance(const Value& value, const Value& wanted) {
    if (const auto* type = wanted.as<ClassObject>()) {
        const ClassData* data = type->data.get();
        if (const auto* meta = data->metaclass.as<ClassObject>())
            if (const Value* hook = meta->data->find("__instancecheck__"); hook && hook->as<DefinedObject>())
                return isTrue(call(bindAttribute(*hook, wanted, data->metaclass), {value}));
        const Value own = typeOf(value);
        return dataOf(own).isSubclassOf(data);
    }
    if (const std::optional<Values> options = itemsOf(wanted))
        return std::any_of(options->begin(), options->end(),
                           [&](const Value& o) { return isInstance(value, o); });
    if (const auto* alias = wanted.as<AliasObject>()) {
        if (alias->text.find(" | ") != std::string::npos || alias->text.starts_with("typing.Union") ||
            alias->text.starts_with("typing.Optional"))
            return std::any_of(alias->arguments.begin(), alias->arguments.end(), [&](const Value& o) {
                return o.isNone() ? value.isNone() : isInstance(value, o);
            });
        return isInstance(value, alias->origin);
    }
    if (wanted.isNone())
        return value.isNone();
    if (const std::optional<Value> hook = findAttribute(wanted, "__instancecheck__"))
        return isTrue(call(*hook, {value}));
    raise("TypeError", "isinstance() arg 2 must be a type, a tuple of types, or a union");
}

} // namespace fx
