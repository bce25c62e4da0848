// SPDX-License-Identifier: GPL-3.0-or-later
// `object.name = value` and `del object.name` for each kind of object.
#include "core/python/set_attributes.h"

#include "core/python/evaluator.h"

#include <algorithm>

namespace fx {

namespace {

/// Whether __slots__ let an instance have the name.
bool mayHave(const ClassData& data, const std::string& name) {
    const auto allows = [&](const ClassData& type) {
        const Value* slots = type.own("__slots__");
        if (!slots)
            return true;
        if (slots->isString())
            return slots->text() == name || slots->text() == "__dict__";
        const std::optional<Values> names = itemsOf(*slots);
        return !names || std::any_of(names->begin(), names->end(), [&](const Value& slot) {
            return slot.isString() && (slot.text() == name || slot.text() == "__dict__");
        });
    };
    if (allows(data))
        return true;
    return std::any_of(data.mro.begin(), data.mro.end(), [&](const Value& type) {
        const ClassData& base = *type.as<ClassObject>()->data;
        return !(base.name == "object" && base.isBuiltin) && allows(base);
    });
}

bool isPython(const Value* function) {
    return function && (function->as<DefinedObject>() || function->as<StaticMethodObject>());
}

} // namespace

void setAttribute(Evaluator& evaluator, const Value& object, const std::string& name, Value value) {
    if (const auto* instance = object.as<InstanceObject>()) {
        const Value type = instance->type;
        const Value* setter = evaluator.classOf(type).find("__setattr__");
        if (setter &&
            !(setter->as<NativeObject>() && setter->as<NativeObject>()->name == "object.__setattr__")) {
            const Value held = *setter;
            evaluator.call(bindAttribute(evaluator, held, object, type), {makeText(name), std::move(value)});
            return;
        }
        ValueHost* host = evaluator.hostOf(instance->payload);
        if (host && name != "__class__" && name != "__dict__")
            host->setAttribute(evaluator, object, name, value);
        else
            setPlainly(evaluator, object, name, std::move(value));
        return;
    }
    if (ValueHost* host = evaluator.hostOf(object)) {
        host->setAttribute(evaluator, object, name, value);
        return;
    }
    if (auto* type = object.as<ClassObject>()) {
        if (type->data->isBuiltin)
            raise("TypeError",
                  "cannot set '" + name + "' attribute of immutable type '" + type->data->name + '\'');
        const Value metaclass = evaluator.typeOf(object);
        if (const Value* setter = evaluator.classOf(metaclass).find("__setattr__"); isPython(setter)) {
            evaluator.call(bindAttribute(evaluator, *setter, object, metaclass),
                           {makeText(name), std::move(value)});
            return;
        }
        setOnClass(object, name, std::move(value));
        return;
    }
    if (auto* module = object.as<SourceModuleObject>()) {
        module->dict.as<DictObject>()->set(name, std::move(value));
        return;
    }
    if (auto* defined = object.as<DefinedObject>()) {
        DefinedFunction& function = *defined->function;
        if (name == "__name__")
            function.name = value.text();
        else if (name == "__qualname__")
            function.qualifiedName = value.text();
        else if (name == "__module__")
            function.module = value.isString() ? value.text() : "";
        else if (name == "__doc__")
            function.doc = std::move(value);
        else if (name == "__annotations__" && value.as<DictObject>())
            function.annotations = std::move(value);
        else if (name == "__dict__" && value.as<DictObject>())
            function.dict = std::move(value);
        else if (name == "__defaults__" || name == "__kwdefaults__")
            setDefaults(evaluator, function, name == "__kwdefaults__", value);
        else
            function.dict.as<DictObject>()->set(name, std::move(value));
        return;
    }
    if (auto* cell = object.as<CellObject>(); cell && name == "cell_contents") {
        cell->value = std::move(value);
        return;
    }
    if (const Value* onClass = evaluator.classOf(object).find(name);
        onClass && onClass->as<PropertyObject>()) {
        if (object.as<RangeObject>() || object.as<SliceObject>() ||
            (object.isData() && object.data().isComplexDouble()))
            raise("AttributeError", "readonly attribute");
        raise("AttributeError",
              "attribute '" + name + "' of '" + typeName(object) + "' objects is not writable");
    }
    if (findAttribute(evaluator, object, name))
        raise("AttributeError", '\'' + typeName(object) + "' object attribute '" + name + "' is read-only");
    raise("AttributeError", '\'' + typeName(object) + "' object has no attribute '" + name + '\'');
}

void setPlainly(Evaluator& evaluator, const Value& object, const std::string& name, Value value) {
    auto* instance = object.as<InstanceObject>();
    if (!instance)
        raise("TypeError", "can't apply this __setattr__ to " + typeName(object) + " object");
    const Value type = instance->type;
    if (const Value* onClass = evaluator.classOf(type).find(name)) {
        if (const auto* property = onClass->as<PropertyObject>()) {
            if (property->setter.isNone())
                raise("AttributeError",
                      "property '" + name + "' of '" + typeName(object) + "' object has no setter");
            const Value setter = property->setter;
            evaluator.call(setter, {object, std::move(value)});
            return;
        }
        if (onClass->as<InstanceObject>()) {
            const Value descriptor = *onClass;
            const Value descriptorType = evaluator.typeOf(descriptor);
            if (const Value* set = evaluator.classOf(descriptorType).find("__set__")) {
                evaluator.call(bindAttribute(evaluator, *set, descriptor, descriptorType),
                               {object, std::move(value)});
                return;
            }
        }
    }
    if (name == "__class__" && value.as<ClassObject>())
        instance->type = std::move(value);
    else if (!mayHave(*type.as<ClassObject>()->data, name))
        raise("AttributeError", '\'' + typeName(object) + "' object has no attribute '" + name + '\'');
    else if (name == "__dict__" && value.as<DictObject>())
        instance->dict = std::move(value);
    else
        instance->dict.as<DictObject>()->set(name, std::move(value));
}

void setOnClass(const Value& object, const std::string& name, Value value) {
    ClassData& data = *object.as<ClassObject>()->data;
    if (name == "__name__" && value.isString())
        data.name = value.text();
    else if (name == "__qualname__" && value.isString())
        data.qualifiedName = value.text();
    else if (name == "__module__" && value.isString())
        data.module = value.text();
    else
        data.dict.as<DictObject>()->set(name, std::move(value));
}

void deleteAttribute(Evaluator& evaluator, const Value& object, const std::string& name) {
    if (const auto* instance = object.as<InstanceObject>()) {
        const Value type = instance->type;
        const Value* deleter = evaluator.classOf(type).find("__delattr__");
        if (deleter &&
            !(deleter->as<NativeObject>() && deleter->as<NativeObject>()->name == "object.__delattr__")) {
            const Value held = *deleter;
            evaluator.call(bindAttribute(evaluator, held, object, type), {makeText(name)});
            return;
        }
        deletePlainly(evaluator, object, name);
        return;
    }
    DictObject* names = nullptr;
    if (auto* type = object.as<ClassObject>(); type && !type->data->isBuiltin)
        names = type->data->dict.as<DictObject>();
    else if (auto* module = object.as<SourceModuleObject>())
        names = module->dict.as<DictObject>();
    else if (auto* defined = object.as<DefinedObject>())
        names = defined->function->dict.as<DictObject>();
    if (!names || !names->erase(name))
        raise("AttributeError", object.as<ClassObject>()
                                    ? "type object '" + object.as<ClassObject>()->data->name +
                                          "' has no attribute '" + name + '\''
                                    : '\'' + typeName(object) + "' object has no attribute '" + name + '\'');
}

void deletePlainly(Evaluator& evaluator, const Value& object, const std::string& name) {
    auto* instance = object.as<InstanceObject>();
    const Value type = instance->type;
    if (const Value* onClass = evaluator.classOf(type).find(name))
        if (const auto* property = onClass->as<PropertyObject>()) {
            if (property->deleter.isNone())
                raise("AttributeError",
                      "property '" + name + "' of '" + typeName(object) + "' object has no deleter");
            const Value deleter = property->deleter;
            evaluator.call(deleter, {object});
            return;
        }
    if (const Value* onClass = evaluator.classOf(type).find(name); onClass && onClass->as<InstanceObject>()) {
        const Value descriptor = *onClass;
        const Value descriptorType = evaluator.typeOf(descriptor);
        if (const Value* deleter = evaluator.classOf(descriptorType).find("__delete__")) {
            evaluator.call(bindAttribute(evaluator, *deleter, descriptor, descriptorType), {object});
            return;
        }
    }
    if (!instance->dict.as<DictObject>()->erase(name))
        raise("AttributeError", '\'' + typeName(object) + "' object has no attribute '" + name + '\'');
}

} // namespace fx
