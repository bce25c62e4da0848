// SPDX-License-Identifier: GPL-3.0-or-later
// The types property, staticmethod and classmethod. The evaluator knows the objects; this is what programs
// see of them.
#include "core/python/types/object_type.h"

namespace fx {

namespace {

PropertyObject& propertyOf(const Value& self) {
    if (auto* property = plainOf(self).as<PropertyObject>())
        return *property;
    throw WrongSelf("property", self);
}

using Part = Value PropertyObject::*;

Value callPart(Evaluator& evaluator, const Value& self, Part part, Values args, const char* lacking) {
    const Value function = propertyOf(self).*part;
    if (function.isNone())
        raise("AttributeError",
              std::string("property of '") + typeName(args[0]) + "' object has no " + lacking);
    return evaluator.call(function, std::move(args));
}

void addProperty(Evaluator& evaluator) {
    ClassData& property = evaluator.types().add("property");
    setConstructor(property, [](Evaluator&, Values& args, NamedValues& kwargs) -> Value {
        const BoundArguments given("property", args, kwargs, {"fget", "fset", "fdel", "doc"}, 0, 0);
        const auto part = [&](size_t i) { return given[i] ? *given[i] : Value(); };
        return Object{PropertyObject{part(0), part(1), part(2)}};
    });
    struct Row {
        const char *decorator, *attribute;
        Part part;
    };
    static constexpr Row kParts[] = {{"getter", "fget", &PropertyObject::getter},
                                     {"setter", "fset", &PropertyObject::setter},
                                     {"deleter", "fdel", &PropertyObject::deleter}};
    for (const Row& row : kParts) {
        addMethod(property, row.decorator, 1, 1, [part = row.part](Evaluator& e, Values& args) -> Value {
            PropertyObject changed = propertyOf(args[0]);
            changed.*part = args[1];
            if (args[0].as<InstanceObject>())
                return makeInstance(e.typeOf(args[0]), Object{std::move(changed)});
            return Object{std::move(changed)};
        });
        property.addProperty(row.attribute, [part = row.part](Evaluator&, Values& args, NamedValues&) {
            return propertyOf(args[0]).*part;
        });
    }
    property.addProperty("__doc__", [](Evaluator& e, Values& args, NamedValues&) {
        return e.findAttribute(propertyOf(args[0]).getter, "__doc__").value_or(Value());
    });
    addMethod(property, "__get__", 1, 2, [](Evaluator& e, Values& args) {
        return args[1].isNone() ? args[0]
                                : callPart(e, args[0], &PropertyObject::getter, {args[1]}, "getter");
    });
    addMethod(property, "__set__", 2, 2, [](Evaluator& e, Values& args) {
        return callPart(e, args[0], &PropertyObject::setter, {args[1], args[2]}, "setter");
    });
    addMethod(property, "__delete__", 1, 1, [](Evaluator& e, Values& args) {
        return callPart(e, args[0], &PropertyObject::deleter, {args[1]}, "deleter");
    });
}

const Value& wrapped(const Value& self) {
    const Value& plain = plainOf(self);
    if (const auto* method = plain.as<StaticMethodObject>())
        return method->function;
    if (const auto* method = plain.as<ClassMethodObject>())
        return method->function;
    raise("TypeError", "a method descriptor is wanted, not '" + typeName(self) + '\'');
}

void addMethodDescriptor(Evaluator& evaluator, const std::string& name, bool isStatic) {
    ClassData& type = evaluator.types().add(name);
    setConstructor(type, [name, isStatic](Evaluator&, Values& args, NamedValues& kwargs) -> Value {
        refuseKeywords(name.c_str(), kwargs);
        requireArguments(name.c_str(), args, 1, 1);
        if (isStatic)
            return Object{StaticMethodObject{args[0]}};
        return Object{ClassMethodObject{args[0]}};
    });
    addMethod(type, "__get__", 1, 2, [isStatic](Evaluator& e, Values& args) -> Value {
        if (isStatic)
            return wrapped(args[0]);
        const Value owner = args.size() > 2 && !args[2].isNone() ? args[2] : e.typeOf(args[1]);
        return Object{BoundMethodObject{owner, wrapped(args[0])}};
    });
    for (const char* attribute : {"__func__", "__wrapped__"})
        type.addProperty(attribute, [](Evaluator&, Values& args, NamedValues&) { return wrapped(args[0]); });
    for (const char* attribute :
         {"__name__", "__qualname__", "__module__", "__doc__", "__isabstractmethod__"})
        type.addProperty(attribute, [attribute = std::string(attribute)](Evaluator& e, Values& args,
                                                                         NamedValues&) {
            const bool isFlag = attribute == "__isabstractmethod__";
            return e.findAttribute(wrapped(args[0]), attribute).value_or(isFlag ? makeBool(false) : Value());
        });
    if (isStatic)
        type.add("__call__", [](Evaluator& e, Values& args, NamedValues& kwargs) {
            const Value function = wrapped(args.at(0));
            return e.call(function, Values(args.begin() + 1, args.end()), std::move(kwargs));
        });
}

} // namespace

void addDescriptorTypes(Evaluator& evaluator) {
    addProperty(evaluator);
    addMethodDescriptor(evaluator, "staticmethod", true);
    addMethodDescriptor(evaluator, "classmethod", false);
}

} // namespace fx
