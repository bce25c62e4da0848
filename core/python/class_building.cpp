// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/class_building.h"

#include "core/python/class_names.h"
#include "core/python/evaluator.h"
#include "core/python/frame.h"

#include <algorithm>

namespace fx {

static std::string typeNameOfClass(const Value& type) {
    return type.as<ClassObject>() ? type.as<ClassObject>()->data->name : typeName(type);
}

/// The bases with what `__mro_entries__` puts in the place of those that are no classes.
static Values entriesOf(Evaluator& evaluator, const Values& bases) {
    Values out;
    for (const Value& base : bases) {
        const std::optional<Value> entries =
            base.as<InstanceObject>() ? evaluator.findAttribute(base, "__mro_entries__") : std::nullopt;
        if (entries)
            for (Value& entry : evaluator.items(evaluator.call(*entries, {makeTuple(bases)})))
                out.push_back(std::move(entry));
        else
            out.push_back(base.as<AliasObject>() ? base.as<AliasObject>()->origin : base);
    }
    return out;
}

ClassPlan planClass(Evaluator& evaluator, Values bases, NamedValues kwargs) {
    ClassPlan plan{entriesOf(evaluator, bases), {}, evaluator.type("type"), std::move(kwargs)};
    if (!std::ranges::equal(bases, plan.bases, [](const Value& a, const Value& b) { return a.isSame(b); }))
        plan.writtenBases = makeTuple(std::move(bases));
    // Entries that were replaced by the same class count once.
    for (size_t i = 0; i < plan.bases.size(); ++i)
        for (size_t j = plan.bases.size(); j-- > i + 1;)
            if (plan.bases[i].isSame(plan.bases[j]))
                raise("TypeError", "duplicate base class " + typeNameOfClass(plan.bases[i]));
    Value& metaclass = plan.metaclass;
    if (std::optional<Value> given = takeKeyword(plan.kwargs, "metaclass")) {
        metaclass = *given;
        if (!given->as<ClassObject>())
            return plan;
    }
    for (const Value& base : plan.bases) {
        if (!base.as<ClassObject>())
            raise("TypeError", "bases must be types");
        const Value candidate = evaluator.typeOf(base);
        if (evaluator.classOf(candidate).isSubclassOf(&evaluator.classOf(metaclass)))
            metaclass = candidate;
        else if (!evaluator.classOf(metaclass).isSubclassOf(&evaluator.classOf(candidate)))
            raise("TypeError", "metaclass conflict: the metaclass of a derived class must be a (non-strict) "
                               "subclass of the metaclasses of all its bases");
    }
    return plan;
}

Value preparedNames(Evaluator& evaluator, const std::string& name, const ClassPlan& plan) {
    const auto* metaclass = plan.metaclass.as<ClassObject>();
    const Value* found = metaclass ? metaclass->data->find("__prepare__") : nullptr;
    const bool isTypes =
        found && found->isSame(*evaluator.classOf(evaluator.type("type")).own("__prepare__"));
    const std::optional<Value> prepare =
        isTypes ? std::nullopt : evaluator.findAttribute(plan.metaclass, "__prepare__");
    if (!prepare)
        return Object{DictObject()};
    Value names = evaluator.call(*prepare, {makeText(name), makeTuple(plan.bases)}, plan.kwargs);
    const bool isMapping = plainOf(names).as<DictObject>() || evaluator.findAttribute(names, "__getitem__");
    if (!isMapping)
        raise("TypeError", (metaclass ? metaclass->data->name : std::string("<metaclass>")) +
                               ".__prepare__() must return a mapping, not " + typeName(names));
    return names;
}

Value makeClass(Evaluator& evaluator, const std::string& name, ClassPlan plan, Value names) {
    if (!plan.writtenBases.isNone())
        setName(evaluator, names, makeText("__orig_bases__"), plan.writtenBases);
    if (plan.metaclass.isSame(evaluator.type("type")))
        return buildClass(evaluator, plan.metaclass, name, std::move(plan.bases), names,
                          std::move(plan.kwargs));
    return evaluator.call(plan.metaclass, {makeText(name), makeTuple(std::move(plan.bases)), names},
                          std::move(plan.kwargs));
}

Value makeClass(Evaluator& evaluator, const std::string& name, Values bases, Value dict, NamedValues kwargs) {
    return makeClass(evaluator, name, planClass(evaluator, std::move(bases), std::move(kwargs)),
                     std::move(dict));
}

Value buildClass(Evaluator& evaluator, const Value& metaclass, const std::string& name, Values bases,
                 const Value& dict, NamedValues kwargs) {
    if (bases.empty())
        bases.push_back(evaluator.type("object"));
    auto data = std::make_shared<ClassData>();
    data->name = name;
    data->dict = Object{DictObject(*dict.as<DictObject>())};
    DictObject& names = *data->dict.as<DictObject>();
    const Value* qualified = names.find("__qualname__");
    data->qualifiedName = qualified && qualified->isString() ? qualified->text() : name;
    names.erase("__qualname__");
    const Value* module = names.find("__module__");
    data->module = module && module->isString()     ? module->text()
                   : evaluator.frames().innermost() ? evaluator.frames().innermost()->module
                                                    : "";
    if (!metaclass.isSame(evaluator.type("type")))
        data->metaclass = metaclass;
    for (const Value& base : bases) {
        if (!base.as<ClassObject>())
            raise("TypeError", "bases must be types");
        const ClassData& parent = evaluator.classOf(base);
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
        const size_t ancestors = evaluator.classOf(base).mro.size();
        evaluator.budget().charge(ancestors / 2);
        evaluator.reserve(sizeof(ClassData) + ancestors * 2 * sizeof(Value));
    }
    evaluator.step();
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
    evaluator.types().addOwn(data);
    for (const Value& base : data->bases)
        base.as<ClassObject>()->data->addHeir(made);
    const std::vector<DictObject::Entry> entries = names.entries();
    for (const DictObject::Entry& entry : entries)
        if (entry.value.as<InstanceObject>())
            if (const Value* setName = evaluator.classOf(entry.value).find("__set_name__"))
                evaluator.call(bindAttribute(evaluator, *setName, entry.value, evaluator.typeOf(entry.value)),
                               {made, entry.key});
    const Value super = Object{SuperObject{made, made}};
    if (const std::optional<Value> hook = evaluator.findAttribute(super, "__init_subclass__")) {
        const auto* bound = hook->as<BoundMethodObject>();
        const bool isPlain = hook->as<NativeObject>() || (bound && bound->function.as<NativeObject>());
        if (isPlain && !kwargs.empty())
            raise("TypeError", name + ".__init_subclass__() takes no keyword arguments");
        if (!isPlain)
            evaluator.call(*hook, {}, std::move(kwargs));
    }
    return made;
}

} // namespace fx
