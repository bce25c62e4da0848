// SPDX-License-Identifier: GPL-3.0-or-later
// The types set and frozenset and their methods.
#include "core/python/containers.h"
#include "core/python/types/mappings.h"
#include "core/python/types/operations.h"
#include "core/python/types/sequences.h"

namespace fx {

namespace {

SetObject& setOf(const Value& self) {
    if (auto* set = plainOf(self).as<SetObject>())
        return *set;
    throw WrongSelf("set", self);
}

/// A method that gives a new set from this one and any number of iterables.
using Combine = SetTable (*)(Evaluator&, const SetTable&, const Value&);
void addCombining(ClassData& type, const char* name, size_t most, Combine combine) {
    addMethod(type, name, most == 1 ? 1 : 0, most, [combine](Evaluator& evaluator, Values& args) {
        SetTable out = args.size() > 1 ? combine(evaluator, setOf(args[0]).table, args[1])
                                       : setOf(args[0]).table.copied();
        for (size_t i = 2; i < args.size(); ++i)
            out = combine(evaluator, out, args[i]);
        return makeSet(std::move(out), setOf(args[0]).isFrozen);
    });
}

/// A method that changes the set by each of the iterables.
using SetChange = void (*)(Evaluator&, SetTable&, const Value&);
void addChanging(ClassData& type, const char* name, size_t most, SetChange change) {
    addMethod(type, name, most == 1 ? 1 : 0, most, [change](Evaluator& evaluator, Values& args) -> Value {
        for (size_t i = 1; i < args.size(); ++i)
            change(evaluator, setOf(args[0]).table, args[i]);
        return {};
    });
}

void intersect(Evaluator& evaluator, SetTable& table, const Value& iterable) {
    table = intersection(evaluator, table, iterable);
}

/// repr() of a set; a subclass is named.
std::string textOfSet(Evaluator& evaluator, const Value& self) {
    const SetObject& set = setOf(self);
    const std::string text = evaluator.repr(plainOf(self));
    if (!self.as<InstanceObject>())
        return text;
    const size_t open = text.find('(');
    const bool isCalled = set.isFrozen || set.table.empty();
    return typeName(self) + (isCalled ? text.substr(open) : '(' + text + ')');
}

void addSetReading(ClassData& type) {
    addCombining(type, "union", SIZE_MAX, unionOf);
    addCombining(type, "intersection", SIZE_MAX, intersection);
    addCombining(type, "difference", SIZE_MAX, difference);
    addCombining(type, "symmetric_difference", 1, symmetricDifference);
    addMethod(type, "copy", 0, 0, [](Evaluator&, Values& args) -> Value {
        return makeSet(setOf(args[0]).table.copied(), setOf(args[0]).isFrozen);
    });
    addMethod(type, "issubset", 1, 1, [](Evaluator& evaluator, Values& args) {
        const SetTable other = setTableOf(evaluator, args[1]);
        return makeBool(isSubset(setOf(args[0]).table, other));
    });
    addMethod(type, "issuperset", 1, 1, [](Evaluator& evaluator, Values& args) {
        const SetTable other = setTableOf(evaluator, args[1]);
        return makeBool(isSubset(other, setOf(args[0]).table));
    });
    addMethod(type, "isdisjoint", 1, 1, [](Evaluator& evaluator, Values& args) {
        return makeBool(intersection(evaluator, setOf(args[0]).table, args[1]).empty());
    });
    addContainerMethods(type);
    type.dict.as<DictObject>()->erase("__getitem__");
    addTextMethods(type);
    for (const char* name : {"__repr__", "__str__"})
        addMethod(type, name, 0, 0,
                  [](Evaluator& evaluator, Values& args) { return makeText(textOfSet(evaluator, args[0])); });
    addComparisonMethods(type, true);
    addOperatorMethods(type, {Operator::Or, Operator::And, Operator::Sub, Operator::Xor});
}

/// A set as a key stands for the frozenset of its items.
Value asKey(const Value& item) {
    const auto* set = item.as<SetObject>();
    return set && !set->isFrozen ? makeSet(set->table, true) : item;
}

void addSetEdits(ClassData& type) {
    addMethod(type, "add", 1, 1, [](Evaluator&, Values& args) -> Value {
        setOf(args[0]).table.add(args[1]);
        return {};
    });
    addMethod(type, "discard", 1, 1, [](Evaluator&, Values& args) -> Value {
        setOf(args[0]).table.erase(asKey(args[1]));
        return {};
    });
    addMethod(type, "remove", 1, 1, [](Evaluator& evaluator, Values& args) -> Value {
        if (!setOf(args[0]).table.erase(asKey(args[1])))
            raiseKeyError(evaluator, args[1]);
        return {};
    });
    addMethod(type, "pop", 0, 0, [](Evaluator& evaluator, Values& args) {
        SetTable& table = setOf(args[0]).table;
        if (table.empty())
            raiseKeyError(evaluator, makeText("pop from an empty set"));
        return table.pop();
    });
    addMethod(type, "clear", 0, 0, [](Evaluator&, Values& args) -> Value {
        setOf(args[0]).table.clear();
        return {};
    });
    addChanging(type, "update", SIZE_MAX, updateSet);
    addChanging(type, "intersection_update", SIZE_MAX, intersect);
    addChanging(type, "difference_update", SIZE_MAX, subtract);
    addChanging(type, "symmetric_difference_update", 1, toggle);
    for (const Operator op : {Operator::Or, Operator::And, Operator::Sub, Operator::Xor}) {
        const std::string name(operatorName(op));
        addMethod(type, "__i" + name.substr(0, name.find('_')) + "__", 1, 1,
                  [op](Evaluator& evaluator, Values& args) {
                      const bool isDone =
                          operatePlainInPlace(evaluator, op, plainOf(args[0]), args[1]).has_value();
                      return isDone ? args[0] : notImplemented();
                  });
    }
    type.isFilledByInit = true;
    addMethod(type, "__init__", 0, 1, [](Evaluator& evaluator, Values& args) -> Value {
        SetTable table;
        if (args.size() > 1)
            updateSet(evaluator, table, args[1]);
        setOf(args[0]).table = std::move(table);
        return {};
    });
    type.dict.as<DictObject>()->set("__hash__", Value());
}

} // namespace

void addSetTypes(Evaluator& evaluator) {
    for (const bool isFrozen : {false, true}) {
        const char* const name = isFrozen ? "frozenset" : "set";
        ClassData& type = evaluator.types().add(name);
        setConstructor(type, [isFrozen, name](Evaluator& e, Values& args, NamedValues& kwargs) {
            refuseKeywords(name, kwargs);
            requireArguments(name, args, 0, 1);
            if (const auto* given = args.empty() ? nullptr : args[0].as<SetObject>();
                isFrozen && given && given->isFrozen)
                return args[0];
            SetTable table;
            if (!args.empty())
                updateSet(e, table, args[0]);
            return makeSet(std::move(table), isFrozen);
        });
        addSetReading(type);
        if (!isFrozen)
            addSetEdits(type);
    }
}

} // namespace fx
