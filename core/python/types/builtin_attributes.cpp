// SPDX-License-Identifier: GPL-3.0-or-later
// The builtin functions about attributes and types of values.
#include "core/python/set_attributes.h"
#include "core/python/types/builtin_functions.h"
#include "core/python/types/object_type.h"

#include <algorithm>
#include <set>

namespace fx {

namespace {

const std::string& attributeName(const Value& name) {
    if (!plainOf(name).isString())
        raise("TypeError", "attribute name must be string, not '" + typeName(name) + '\'');
    return plainOf(name).text();
}

void addNames(std::set<std::string>& names, const Value& dict) {
    if (const auto* table = dict.as<DictObject>())
        for (const DictObject::Entry& entry : table->entries())
            if (entry.key.isString())
                names.insert(entry.key.text());
}

void addClassNames(std::set<std::string>& names, const ClassData& type) {
    addNames(names, type.dict);
    for (const Value& base : type.mro)
        addNames(names, base.as<ClassObject>()->data->dict);
}

} // namespace

bool isCallable(Evaluator& evaluator, const Value& value) {
    if (value.as<DefinedObject>() || value.as<NativeObject>() || value.as<BoundMethodObject>() ||
        value.as<ClassObject>() || value.as<StaticMethodObject>() || value.as<AliasObject>())
        return true;
    if (value.as<InstanceObject>())
        return evaluator.classOf(evaluator.typeOf(value)).find("__call__") != nullptr;
    return value.as<FunctionObject>() || value.as<MethodObject>() || value.as<ModuleObject>() ||
           value.as<ProxyObject>();
}

Value attributeNames(Evaluator& evaluator, const Value& value) {
    std::set<std::string> names;
    if (const auto* instance = value.as<InstanceObject>())
        addNames(names, instance->dict);
    if (const auto* module = value.as<SourceModuleObject>())
        addNames(names, module->dict);
    else if (const auto* type = value.as<ClassObject>())
        addClassNames(names, *type->data);
    else
        addClassNames(names, evaluator.classOf(evaluator.typeOf(value)));
    if (const auto* defined = value.as<DefinedObject>())
        addNames(names, defined->function->dict);
    Values out;
    for (const std::string& name : names)
        out.push_back(makeText(name));
    return makeList(std::move(out));
}

namespace {

Value dir(Evaluator& evaluator, Values& args) {
    if (args.empty()) {
        const std::optional<Value> globals = evaluator.frames().callerModuleGlobals(0);
        if (!globals)
            raise("NotImplementedError", "not supported: 'dir' without an argument in a function");
        std::set<std::string> names;
        addNames(names, *globals);
        Values out;
        for (const std::string& name : names)
            out.push_back(makeText(name));
        return makeList(std::move(out));
    }
    ValueHost* host = evaluator.hostOf(args[0]);
    if (const auto names = host ? host->names(evaluator, args[0]) : std::nullopt) {
        Values out;
        for (const std::string& name : *names)
            out.push_back(makeText(name));
        return makeList(std::move(out));
    }
    if (args[0].as<InstanceObject>()) {
        const Value* own = evaluator.classOf(evaluator.typeOf(args[0])).find("__dir__");
        if (own && own->as<DefinedObject>()) {
            const Value held = *own;
            return evaluator.call(*evaluator.builtins().find("sorted"), {evaluator.call(held, {args[0]})});
        }
    }
    return attributeNames(evaluator, args[0]);
}

Value vars(Evaluator& evaluator, Values& args) {
    if (args.empty())
        return evaluator.frames().localNames();
    if (const std::optional<Value> dict = evaluator.findAttribute(args[0], "__dict__"))
        return *dict;
    raise("TypeError", "vars() argument must have __dict__ attribute");
}

} // namespace

void addAttributeFunctions(Evaluator& evaluator) {
    addFunction(evaluator, "getattr", 2, 3, [](Evaluator& e, Values& args) {
        const std::string name = attributeName(args[1]);
        if (args.size() == 2)
            return e.attribute(args[0], name);
        return e.findAttribute(args[0], name).value_or(args[2]);
    });
    addFunction(evaluator, "hasattr", 2, 2, [](Evaluator& e, Values& args) {
        return makeBool(e.findAttribute(args[0], attributeName(args[1])).has_value());
    });
    addFunction(evaluator, "setattr", 3, 3, [](Evaluator& e, Values& args) -> Value {
        setAttribute(e, args[0], attributeName(args[1]), args[2]);
        return {};
    });
    addFunction(evaluator, "delattr", 2, 2, [](Evaluator& e, Values& args) -> Value {
        deleteAttribute(e, args[0], attributeName(args[1]));
        return {};
    });
    addFunction(evaluator, "isinstance", 2, 2,
                [](Evaluator& e, Values& args) { return makeBool(e.isInstance(args[0], args[1])); });
    addFunction(evaluator, "issubclass", 2, 2,
                [](Evaluator& e, Values& args) { return makeBool(isSubclass(e, args[0], args[1])); });
    addFunction(evaluator, "callable", 1, 1,
                [](Evaluator& e, Values& args) { return makeBool(isCallable(e, args[0])); });
    addFunction(evaluator, "dir", 0, 1, dir);
    addFunction(evaluator, "vars", 0, 1, vars);
    addFunction(evaluator, "globals", 0, 0, [](Evaluator& e, Values&) { return e.frames().globalNames(); });
    addFunction(evaluator, "locals", 0, 0, [](Evaluator& e, Values&) { return e.frames().localNames(); });
}

} // namespace fx
