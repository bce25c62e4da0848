// SPDX-License-Identifier: GPL-3.0-or-later
// The types that everything else rests on: object, type, super, and the types of None, functions and modules.
// Descriptors are in descriptor_types.cpp.
#include "core/python/types/object_type.h"

#include "core/python/class_building.h"
#include "core/python/generic_alias.h"
#include "core/python/set_attributes.h"

namespace fx {

namespace {

const std::string& nameArgument(const Value& name) {
    if (!plainOf(name).isString())
        raise("TypeError", "attribute name must be string, not '" + typeName(name) + '\'');
    return plainOf(name).text();
}

/// Of builtin values too, which have no names of their own to look up plainly.
Value plainAttribute(Evaluator& evaluator, const Value& self, const std::string& name) {
    if (!self.as<InstanceObject>())
        return evaluator.attribute(self, name);
    if (std::optional<Value> found = findPlainly(evaluator, self, name))
        return std::move(*found);
    raise("AttributeError", '\'' + typeName(self) + "' object has no attribute '" + name + '\'');
}

Value newObject(Evaluator& evaluator, Values& args, NamedValues&) {
    if (args.empty() || !args[0].as<ClassObject>())
        raise("TypeError", args.empty()
                               ? "object.__new__(): not enough arguments"
                               : "object.__new__(X): X is not a type object (" + typeName(args[0]) + ')');
    const Value made = makeInstance(args[0]);
    if (isSubclass(evaluator, args[0], evaluator.type("BaseException")))
        made.as<InstanceObject>()->dict.as<DictObject>()->set(
            "args", makeTuple(Values(args.begin() + 1, args.end())));
    return made;
}

Value initObject(Evaluator& evaluator, Values& args, NamedValues& kwargs) {
    // Python lets arguments pass where __new__ is the class's own, which has taken them.
    const bool hasArguments = args.size() > 1 || !kwargs.empty();
    if (!hasArguments || !args[0].as<InstanceObject>())
        return {};
    const ClassData& type = evaluator.classOf(evaluator.typeOf(args[0]));
    const Value* init = type.find("__init__");
    const Value* maker = type.find("__new__");
    if (init && !init->as<NativeObject>())
        raise("TypeError", "object.__init__() takes exactly one argument (the instance to initialize)");
    if (!maker || maker->as<NativeObject>())
        raise("TypeError", type.name + "() takes no arguments");
    return {};
}

void addObjectAttributes(ClassData& object) {
    addMethod(object, "__getattribute__", 1, 1,
              [](Evaluator& e, Values& args) { return plainAttribute(e, args[0], nameArgument(args[1])); });
    addMethod(object, "__setattr__", 2, 2, [](Evaluator& e, Values& args) -> Value {
        if (args[0].as<InstanceObject>())
            setPlainly(e, args[0], nameArgument(args[1]), args[2]);
        else
            setAttribute(e, args[0], nameArgument(args[1]), args[2]);
        return {};
    });
    addMethod(object, "__delattr__", 1, 1, [](Evaluator& e, Values& args) -> Value {
        if (args[0].as<InstanceObject>())
            deletePlainly(e, args[0], nameArgument(args[1]));
        else
            deleteAttribute(e, args[0], nameArgument(args[1]));
        return {};
    });
    addMethod(object, "__dir__", 0, 0, [](Evaluator& e, Values& args) { return attributeNames(e, args[0]); });
    for (const char* name : {"__reduce__", "__reduce_ex__"})
        addMethod(object, name, 0, 1, [name = std::string(name)](Evaluator&, Values&) -> Value {
            raise("NotImplementedError", "not supported: '" + name + "': objects are not pickled");
        });
}

void addObjectTexts(ClassData& object) {
    addMethod(object, "__repr__", 0, 0, [](Evaluator& e, Values& args) {
        return makeText(args[0].as<InstanceObject>() ? defaultRepr(e, args[0]) : e.repr(args[0]));
    });
    addMethod(object, "__str__", 0, 0, [](Evaluator& e, Values& args) {
        // What __repr__ gives is not looked at here: str() finds fault with it.
        const Value* own =
            args[0].as<InstanceObject>() ? e.classOf(e.typeOf(args[0])).find("__repr__") : nullptr;
        const Value held = own ? *own : Value();
        return own ? e.call(held, {args[0]}) : makeText(e.repr(args[0]));
    });
    addMethod(object, "__format__", 1, 1, [](Evaluator& e, Values& args) {
        if (!plainOf(args[1]).text().empty())
            raise("TypeError", "unsupported format string passed to " + typeName(args[0]) + ".__format__");
        return makeText(e.str(args[0]));
    });
    addMethod(object, "__hash__", 0, 0, [](Evaluator&, Values& args) {
        return makeInt(static_cast<int64_t>(
            args[0].object() ? std::hash<const void*>()(args[0].object().get()) : hashOf(args[0])));
    });
    addMethod(object, "__eq__", 1, 1, [](Evaluator&, Values& args) {
        return args[0].isSame(args[1]) ? makeBool(true) : notImplemented();
    });
    addMethod(object, "__ne__", 1, 1, [](Evaluator& e, Values& args) {
        const Value* equal = e.classOf(e.typeOf(args[0])).find("__eq__");
        const Value held = equal ? *equal : Value();
        const Value answer = equal ? e.call(held, {args[0], args[1]}) : notImplemented();
        return isNotImplementedValue(answer) ? answer : makeBool(!e.isTrue(answer));
    });
}

void addObject(Evaluator& evaluator) {
    ClassData& object = evaluator.classOf(evaluator.type("object"));
    object.construct = [](Evaluator&, const Value& type, Values& args, NamedValues& kwargs) {
        if (!args.empty() || !kwargs.empty())
            raise("TypeError", "object() takes no arguments");
        return makeInstance(type);
    };
    object.add("__init__", initObject);
    object.add("__new__", newObject);
    object.dict.as<DictObject>()->find("__new__")->as<NativeObject>()->bindsSelf = false;
    addObjectAttributes(object);
    addObjectTexts(object);
    object.addClassMethod("__init_subclass__", [](Evaluator&, Values& args, NamedValues& kwargs) -> Value {
        if (!kwargs.empty())
            raise("TypeError", typeName(args[0]) + ".__init_subclass__() takes no keyword arguments");
        return {};
    });
    object.addClassMethod("__subclasshook__",
                          [](Evaluator&, Values&, NamedValues&) { return notImplemented(); });
}

ClassObject& classArgument(const Value& value, const char* function) {
    if (auto* type = value.as<ClassObject>())
        return *type;
    raise("TypeError", std::string("descriptor '") + function + "' for 'type' objects doesn't apply to a '" +
                           typeName(value) + "' object");
}

/// type.__new__(metaclass, name, bases, dict)
Value newType(Evaluator& evaluator, Values& args, NamedValues& kwargs) {
    if (args.size() == 2)
        return evaluator.typeOf(args[1]);
    if (args.size() != 4)
        raise("TypeError", "type() takes 1 or 3 arguments");
    const Value& dict = plainOf(args[3]);
    if (!plainOf(args[1]).isString())
        raise("TypeError", "type.__new__() argument 1 must be str, not " + typeName(args[1]));
    if (!isTupleValue(args[2]))
        raise("TypeError", "type.__new__() argument 2 must be tuple, not " + typeName(args[2]));
    if (!dict.as<DictObject>())
        raise("TypeError", "type.__new__() argument 3 must be dict, not " + typeName(args[3]));
    return buildClass(evaluator, args[0], plainOf(args[1]).text(), *itemsOf(args[2]), dict,
                      std::move(kwargs));
}

void addType(Evaluator& evaluator) {
    ClassData& type = evaluator.types().add("type");
    type.construct = [](Evaluator& e, const Value& wanted, Values& args, NamedValues& kwargs) -> Value {
        if (args.size() == 1 && kwargs.empty())
            return e.typeOf(args[0]);
        if (args.size() == 3 && plainOf(args[0]).isString() && isTupleValue(args[1]) &&
            plainOf(args[2]).as<DictObject>())
            return makeClass(e, plainOf(args[0]).text(), *itemsOf(args[1]), plainOf(args[2]), kwargs);
        args.insert(args.begin(), wanted);
        return newType(e, args, kwargs);
    };
    type.addStatic("__new__", newType);
    type.add("__init__", [](Evaluator&, Values&, NamedValues&) -> Value { return {}; });
    type.add("__call__", [](Evaluator& e, Values& args, NamedValues& kwargs) {
        const Value wanted = args.at(0);
        args.erase(args.begin());
        return makeInstanceOf(e, wanted, args, kwargs);
    });
    type.addProperty("__base__", [](Evaluator&, Values& args, NamedValues&) {
        const Values& bases = classArgument(args[0], "__base__").data->bases;
        return bases.empty() ? Value() : bases[0];
    });
    addMethod(type, "mro", 0, 0, [](Evaluator&, Values& args) {
        Values order{args[0]};
        const Values& rest = classArgument(args[0], "mro").data->mro;
        order.insert(order.end(), rest.begin(), rest.end());
        return makeList(std::move(order));
    });
    addMethod(type, "__setattr__", 2, 2, [](Evaluator&, Values& args) -> Value {
        classArgument(args[0], "__setattr__");
        setOnClass(args[0], nameArgument(args[1]), args[2]);
        return {};
    });
    addMethod(type, "__getattribute__", 1, 1,
              [](Evaluator& e, Values& args) { return e.attribute(args[0], nameArgument(args[1])); });
    addMethod(type, "__instancecheck__", 1, 1, [](Evaluator& e, Values& args) {
        const ClassData* wanted = classArgument(args[0], "__instancecheck__").data.get();
        return makeBool(e.classOf(e.typeOf(args[1])).isSubclassOf(wanted));
    });
    addMethod(type, "__subclasscheck__", 1, 1, [](Evaluator&, Values& args) {
        const ClassData* wanted = classArgument(args[0], "__subclasscheck__").data.get();
        return makeBool(classArgument(args[1], "__subclasscheck__").data->isSubclassOf(wanted));
    });
    addMethod(type, "__repr__", 0, 0,
              [](Evaluator& e, Values& args) { return makeText(classText(e, args[0])); });
    addMethod(type, "__subclasses__", 0, 0, [](Evaluator&, Values& args) {
        return makeList(classArgument(args[0], "__subclasses__").data->heirs());
    });
    type.addClassMethod("__prepare__",
                        [](Evaluator&, Values&, NamedValues&) -> Value { return Object{DictObject()}; });
}

void addSuper(Evaluator& evaluator) {
    ClassData& super = evaluator.types().add("super");
    super.construct = [](Evaluator& e, const Value&, Values& args, NamedValues& kwargs) -> Value {
        refuseKeywords("super", kwargs);
        if (args.size() != 2)
            raise(args.empty() ? "RuntimeError" : "TypeError",
                  args.empty() ? "super(): no arguments" : "super() needs a class and an instance");
        if (!args[0].as<ClassObject>())
            raise("TypeError", "super() argument 1 must be a type, not " + typeName(args[0]));
        const bool fits = args[1].as<ClassObject>()
                              ? isSubclass(e, args[1], args[0]) ||
                                    e.classOf(e.typeOf(args[1])).isSubclassOf(&e.classOf(args[0]))
                              : e.classOf(e.typeOf(args[1])).isSubclassOf(&e.classOf(args[0]));
        if (!fits)
            raise("TypeError", "super(type, obj): obj must be an instance or subtype of type");
        return Object{SuperObject{args[0], args[1]}};
    };
}

/// Types that programs meet by type(value) alone, and that are no names among the builtins.
void addHiddenTypes(Evaluator& evaluator) {
    for (const char* name :
         {"NoneType", "NotImplementedType", "ellipsis", "function", "method", "builtin_function_or_method",
          "module", "cell", "types.GenericAlias", "types.UnionType"}) {
        ClassData& type = evaluator.types().add(name);
        evaluator.builtins().erase(name);
        const std::string_view kind = name;
        if (kind == "function")
            addMethod(type, "__get__", 1, 2, [](Evaluator&, Values& args) -> Value {
                return args[1].isNone() ? args[0] : Value(Object{BoundMethodObject{args[1], args[0]}});
            });
        if (kind == "function" || kind == "method" || kind == "builtin_function_or_method")
            type.add("__call__", [](Evaluator& e, Values& args, NamedValues& kwargs) {
                const Value function = args.at(0);
                return e.call(function, Values(args.begin() + 1, args.end()), std::move(kwargs));
            });
    }
    for (const std::string name : {"GenericAlias", "UnionType"}) {
        ClassData& type = evaluator.classOf(evaluator.type("types." + name));
        type.name = type.qualifiedName = name;
        type.module = "types";
    }
    ClassData& alias = evaluator.classOf(evaluator.type("types.GenericAlias"));
    alias.construct = [](Evaluator& e, const Value&, Values& args, NamedValues&) -> Value {
        requireArguments("GenericAlias", args, 2, 2);
        return makeAlias(e, args[0], args[1]);
    };
    evaluator.classOf(evaluator.type("method")).construct = [](Evaluator&, const Value&, Values& args,
                                                               NamedValues&) -> Value {
        requireArguments("method", args, 2, 2);
        return Object{BoundMethodObject{args[1], args[0]}};
    };
    evaluator.classOf(evaluator.type("cell"))
        .addProperty("cell_contents", [](Evaluator&, Values& args, NamedValues&) {
            const std::optional<Value>& held = args[0].as<CellObject>()->value;
            if (!held)
                raise("ValueError", "Cell is empty");
            return *held;
        });
    ClassData& none = evaluator.classOf(evaluator.type("NoneType"));
    none.construct = [](Evaluator&, const Value&, Values&, NamedValues&) { return Value(); };
    addMethod(none, "__bool__", 0, 0, [](Evaluator&, Values&) { return makeBool(false); });
    evaluator.classOf(evaluator.type("module")).construct = [](Evaluator&, const Value&, Values& args,
                                                               NamedValues&) -> Value {
        DictObject names;
        const std::string name = args.empty() ? "" : textArgument("module() argument 1", args[0]);
        names.set("__name__", makeText(name));
        names.set("__doc__", args.size() > 1 ? args[1] : Value());
        return Object{SourceModuleObject{name, Object{std::move(names)}}};
    };
}

} // namespace

void addObjectType(Evaluator& evaluator) {
    addObject(evaluator);
    addType(evaluator);
    addSuper(evaluator);
    addDescriptorTypes(evaluator);
    addHiddenTypes(evaluator);
}

} // namespace fx
