// SPDX-License-Identifier: GPL-3.0-or-later
// What `object.name` means for each kind of object: descriptors, instances, classes, super, modules,
// functions.
#include "core/python/attributes.h"

#include "core/python/evaluator.h"
#include "core/python/exceptions.h"
#include "core/python/super_attributes.h"

#include <algorithm>

namespace fx {

namespace {

/// Whether an error is an AttributeError, as hasattr() and getattr() with a default take it.
bool isMissing(Evaluator& evaluator, const Error& error) {
    if (error.kind() == "AttributeError")
        return true;
    const auto* raised = dynamic_cast<const RaisedError*>(&error);
    return raised && evaluator.isInstance(raised->exception(), evaluator.type("AttributeError"));
}

Value orNone(const std::optional<Value>& value) {
    return value ? *value : Value();
}

} // namespace

Value bindAttribute(Evaluator& evaluator, const Value& found, const Value& self, const Value& type) {
    if (found.as<DefinedObject>())
        return Object{BoundMethodObject{self, found}};
    if (const auto* native = found.as<NativeObject>())
        return native->bindsSelf ? Value(Object{BoundMethodObject{self, found}}) : found;
    if (const auto* method = found.as<StaticMethodObject>())
        return method->function;
    if (const auto* method = found.as<ClassMethodObject>())
        return Object{BoundMethodObject{type, method->function}};
    if (const auto* property = found.as<PropertyObject>()) {
        if (property->getter.isNone())
            raise("AttributeError", "unreadable attribute");
        const Value getter = property->getter;
        return evaluator.call(getter, {self});
    }
    if (const auto* instance = found.as<InstanceObject>()) {
        const Value descriptorType = instance->type;
        if (const Value* get = evaluator.classOf(descriptorType).find("__get__"))
            return evaluator.call(bindAttribute(evaluator, *get, found, descriptorType), {self, type});
    }
    return found;
}

namespace {

/// A descriptor that comes before the instance's own names.
bool isDataDescriptor(Evaluator& evaluator, const Value& found) {
    if (found.as<PropertyObject>())
        return true;
    const auto* instance = found.as<InstanceObject>();
    return instance && evaluator.classOf(found).find("__get__") && evaluator.classOf(found).find("__set__");
}

} // namespace

std::optional<Value> findPlainly(Evaluator& evaluator, const Value& object, const std::string& name) {
    const InstanceObject& instance = *object.as<InstanceObject>();
    const Value type = instance.type;
    const TextKey key(name);
    const Value* onClass = type.as<ClassObject>()->data->find(key);
    if (onClass && isDataDescriptor(evaluator, *onClass))
        return bindAttribute(evaluator, *onClass, object, type);
    if (const Value* own = instance.dict.as<DictObject>()->find(key))
        return *own;
    if (onClass)
        return bindAttribute(evaluator, *onClass, object, type);
    if (name == "__class__")
        return type;
    if (name == "__dict__")
        return instance.dict;
    if (name == "__doc__")
        return Value();
    return std::nullopt;
}

/// What the class's `__getattr__` says, which is asked for what was not found.
static std::optional<Value> findByFallback(Evaluator& evaluator, const Value& object,
                                           const std::string& name) {
    const Value type = object.as<InstanceObject>()->type;
    const ClassData& data = *type.as<ClassObject>()->data;
    static const TextKey kFallback("__getattr__");
    const Value* fallback = data.find(kFallback);
    if (!fallback)
        return std::nullopt;
    if (fallback->as<NativeObject>() && data.members)
        return data.members->find(evaluator, object, TextKey(name));
    return evaluator.call(bindAttribute(evaluator, *fallback, object, type), {makeText(name)});
}

static std::optional<Value> findOnInstance(Evaluator& evaluator, const Value& object,
                                           const std::string& name) {
    const Value type = object.as<InstanceObject>()->type;
    const ClassData& data = *type.as<ClassObject>()->data;
    static const TextKey kCustom("__getattribute__");
    try {
        if (const Value* custom = data.find(kCustom); custom && custom->as<DefinedObject>())
            return evaluator.call(bindAttribute(evaluator, *custom, object, type), {makeText(name)});
        if (std::optional<Value> found = findPlainly(evaluator, object, name))
            return found;
    } catch (const Error& error) {
        // A property that lacks something falls back to __getattr__, as in Python.
        if (!data.find("__getattr__") || !isMissing(evaluator, error))
            throw;
        evaluator.frames().takeTrace();
    }
    return findByFallback(evaluator, object, name);
}

static std::optional<Value> findOnClass(Evaluator& evaluator, const Value& object, const std::string& name) {
    const ClassData& data = *object.as<ClassObject>()->data;
    const Value metaclass = evaluator.typeOf(object);
    const ClassData& meta = *metaclass.as<ClassObject>()->data;
    const Value* onMeta = meta.find(name);
    if (onMeta && isDataDescriptor(evaluator, *onMeta))
        return bindAttribute(evaluator, *onMeta, object, metaclass);
    if (name == "__name__")
        return makeText(data.name);
    if (name == "__qualname__")
        return makeText(data.qualifiedName);
    if (name == "__module__")
        return makeText(data.module);
    if (name == "__bases__")
        return makeTuple(data.bases);
    if (name == "__class__")
        return metaclass;
    if (name == "__dict__")
        return data.dict;
    if (name == "__mro__") {
        Values order{object};
        order.insert(order.end(), data.mro.begin(), data.mro.end());
        return makeTuple(std::move(order));
    }
    if (name == "__annotations__" && !data.own(name))
        return Value(Object{DictObject()});
    if (name == "__doc__" && !data.own(name))
        return Value();
    if (const Value* found = data.find(name)) {
        if (found->as<DefinedObject>() || found->as<NativeObject>() || found->as<PropertyObject>())
            return *found;
        if (const auto* instance = found->as<InstanceObject>()) {
            const Value descriptorType = instance->type;
            if (const Value* get = evaluator.classOf(descriptorType).find("__get__"))
                return evaluator.call(bindAttribute(evaluator, *get, *found, descriptorType),
                                      {Value(), object});
            return *found;
        }
        return bindAttribute(evaluator, *found, object, object);
    }
    if (data.unlisted)
        if (std::optional<Value> found = data.unlisted(name))
            return found;
    if (onMeta)
        return bindAttribute(evaluator, *onMeta, object, metaclass);
    if (const Value* fallback = meta.find("__getattr__"))
        return evaluator.call(bindAttribute(evaluator, *fallback, object, metaclass), {makeText(name)});
    return std::nullopt;
}

std::optional<Value> methodOf(Evaluator& evaluator, Value& object, const std::string& name) {
    const auto isMethod = [](const Value* found) {
        const auto* native = found ? found->as<NativeObject>() : nullptr;
        return (native && native->bindsSelf) || (found && found->as<DefinedObject>());
    };
    if (const auto* instance = object.as<InstanceObject>()) {
        const ClassData& type = *instance->type.as<ClassObject>()->data;
        const TextKey key(name);
        const Value* found = type.find(key);
        static const TextKey kCustom("__getattribute__");
        const Value* custom = isMethod(found) ? type.find(kCustom) : nullptr;
        const bool isPlain = isMethod(found) && !(custom && custom->as<DefinedObject>()) &&
                             !instance->dict.as<DictObject>()->find(key);
        return isPlain ? std::optional(*found) : std::nullopt;
    }
    if (object.as<SuperObject>())
        return methodOfSuper(evaluator, object, name);
    if (object.as<SequenceObject>() || object.as<DictObject>() || object.as<SetObject>() ||
        object.isString()) {
        const Value* found = evaluator.classOf(object).find(name);
        return isMethod(found) ? std::optional(*found) : std::nullopt;
    }
    return std::nullopt;
}

static std::optional<Value> lookUp(Evaluator& evaluator, const Value& object, const std::string& name);

static std::optional<Value> specialAttribute(Evaluator& evaluator, const Value& object,
                                             const std::string& name) {
    if (const auto* defined = object.as<DefinedObject>()) {
        DefinedFunction& function = *defined->function;
        if (const Value* own = function.dict.as<DictObject>()->find(name))
            return *own;
        if (name == "__name__")
            return makeText(function.name);
        if (name == "__qualname__")
            return makeText(function.qualifiedName);
        if (name == "__module__")
            return makeText(function.module);
        if (name == "__doc__")
            return function.doc;
        if (name == "__dict__")
            return function.dict;
        if (name == "__annotations__")
            return function.annotations;
        if (name == "__globals__")
            return function.globals;
        if (name == "__code__")
            return codeOf(evaluator, function);
        if (name == "__closure__")
            return function.cells.empty() ? Value() : makeTuple(function.cells);
        if (name == "__defaults__" || name == "__kwdefaults__") {
            Values positional;
            DictObject keywords;
            for (size_t i = 0; i < function.defaults.size(); ++i) {
                const auto& parameter = function.tree->parameters[i];
                if (!function.defaults[i])
                    continue;
                if (parameter.kind == FunctionTree::Parameter::Kind::KeywordOnly)
                    keywords.set(parameter.name, *function.defaults[i]);
                else
                    positional.push_back(*function.defaults[i]);
            }
            if (name == "__kwdefaults__")
                return keywords.empty() ? Value() : Value(Object{std::move(keywords)});
            return positional.empty() ? Value() : makeTuple(std::move(positional));
        }
        if (name == "__parameters__") { // for the library's `inspect`: (name, kind, has default, default)
            Values out;
            for (size_t i = 0; i < function.tree->parameters.size(); ++i) {
                const auto& parameter = function.tree->parameters[i];
                out.push_back(
                    makeTuple({makeText(parameter.name), makeInt(static_cast<int64_t>(parameter.kind)),
                               c10::IValue(function.defaults[i].has_value()), orNone(function.defaults[i])}));
            }
            return makeTuple(std::move(out));
        }
        if (name == "__get__")
            return makeNative("__get__", [object](Evaluator&, Values& args, NamedValues&) {
                return args.empty() || args[0].isNone() ? object
                                                        : Value(Object{BoundMethodObject{args[0], object}});
            });
        if (name == "__call__")
            return object;
    }
    if (const auto* bound = object.as<BoundMethodObject>()) {
        if (name == "__self__")
            return bound->self;
        if (name == "__func__")
            return bound->function;
        return lookUp(evaluator, bound->function, name);
    }
    if (const auto* native = object.as<NativeObject>()) {
        const size_t dot = native->name.rfind('.');
        if (name == "__name__" || name == "__qualname__")
            return makeText(dot == std::string::npos ? native->name : native->name.substr(dot + 1));
        if (name == "__module__")
            return makeText(dot == std::string::npos                ? "builtins"
                            : native->name.starts_with("operator.") ? "_operator"
                                                                    : native->name.substr(0, dot));
        if (name == "__doc__")
            return Value();
    }
    if (const auto* module = object.as<SourceModuleObject>()) {
        if (const Value* found = module->dict.as<DictObject>()->find(name))
            return *found;
        if (name == "__dict__")
            return module->dict;
        if (const Value* fallback = module->dict.as<DictObject>()->find("__getattr__"))
            return evaluator.call(Value(*fallback), {makeText(name)});
        return std::nullopt;
    }
    const bool isDescriptor =
        object.as<StaticMethodObject>() || object.as<ClassMethodObject>() || object.as<PropertyObject>();
    if (isDescriptor && name == "__get__")
        return makeNative("__get__", [object](Evaluator& e, Values& args, NamedValues&) {
            const Value self = args.empty() ? Value() : args[0];
            const Value type = args.size() > 1 ? args[1] : e.typeOf(self);
            return self.isNone() && object.as<PropertyObject>() ? object
                                                                : bindAttribute(e, object, self, type);
        });
    if (object.as<PropertyObject>() && name == "__set__")
        return makeNative("__set__", [object](Evaluator& e, Values& args, NamedValues&) {
            return e.call(object.as<PropertyObject>()->setter, args);
        });
    if (const auto* method = object.as<StaticMethodObject>();
        method && (name == "__func__" || name == "__wrapped__"))
        return method->function;
    if (const auto* method = object.as<ClassMethodObject>();
        method && (name == "__func__" || name == "__wrapped__"))
        return method->function;
    if (const auto* alias = object.as<AliasObject>()) {
        const bool isUnion = alias->origin.isNone();
        if (name == "__origin__")
            return isUnion ? std::nullopt : std::optional(alias->origin);
        if (name == "__args__")
            return makeTuple(alias->arguments);
        if (name == "__mro_entries__" && !isUnion)
            return makeNative("__mro_entries__", [origin = alias->origin](Evaluator&, Values&, NamedValues&) {
                return makeTuple({origin});
            });
        return lookUp(evaluator, alias->origin, name);
    }
    if (const auto* slice = object.as<SliceObject>()) {
        if (name == "start")
            return slice->start;
        if (name == "stop")
            return slice->stop;
        if (name == "step")
            return slice->step;
    }
    return std::nullopt;
}

/// The attribute; none where there is none. Errors of properties and of __getattr__ pass.
static std::optional<Value> lookUp(Evaluator& evaluator, const Value& object, const std::string& name) {
    if (const auto* instance = object.as<InstanceObject>()) {
        if (std::optional<Value> found = findOnInstance(evaluator, object, name))
            return found;
        // A parameter has what its tensor has.
        const Value plain = instance->payload;
        ValueHost* host = evaluator.hostOf(plain);
        std::optional<Value> found = host ? host->attribute(evaluator, plain, name) : std::nullopt;
        // Its methods are called on the parameter, which those that work in place give back.
        if (auto* method = found ? found->as<MethodObject>() : nullptr; method && method->self.isSame(plain))
            method->self = object;
        return found;
    }
    if (ValueHost* host = evaluator.hostOf(object))
        return host->attribute(evaluator, object, name);
    if (object.as<ClassObject>())
        return findOnClass(evaluator, object, name);
    if (object.as<SuperObject>())
        return findOnSuper(evaluator, object, name);
    if (std::optional<Value> found = specialAttribute(evaluator, object, name))
        return found;
    if (object.as<SourceModuleObject>())
        return evaluator.modules().findDeferred(object, name);
    const Value type = evaluator.typeOf(object);
    if (name == "__class__")
        return type;
    if (name == "__doc__" && !object.as<PropertyObject>())
        return Value();
    if (const Value* found = evaluator.classOf(object).find(name))
        return bindAttribute(evaluator, *found, object, type);
    return std::nullopt;
}

std::optional<Value> findAttribute(Evaluator& evaluator, const Value& object, const std::string& name) {
    std::exception_ptr other;
    try {
        return lookUp(evaluator, object, name);
    } catch (const Error& error) {
        if (!isMissing(evaluator, error))
            throw;
    }
    evaluator.frames().takeTrace();
    return std::nullopt;
}

Value attributeOf(Evaluator& evaluator, const Value& object, const std::string& name) {
    if (std::optional<Value> found = lookUp(evaluator, object, name))
        return std::move(*found);
    if (const auto* module = object.as<SourceModuleObject>())
        raise("AttributeError", "module '" + module->name + "' has no attribute '" + name + '\'');
    if (const auto* space = object.as<NamespaceObject>())
        raise("AttributeError", "module '" + space->path + "' has no attribute '" + name + '\'');
    if (const auto* type = object.as<ClassObject>())
        raise("AttributeError", "type object '" + type->data->name + "' has no attribute '" + name + '\'');
    raise("AttributeError", '\'' + typeName(object) + "' object has no attribute '" + name + '\'');
}

} // namespace fx
