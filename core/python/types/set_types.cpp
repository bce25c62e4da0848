// SPDX-License-Identifier: GPL-3.0-or-later
// The types set and frozenset and their methods.
#include "core/python/iteration.h"
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
using Combine = DictObject (*)(Evaluator&, const DictObject&, const Value&);
void addCombining(ClassData& type, const char* name, size_t most, Combine combine) {
    addMethod(type, name, most == 1 ? 1 : 0, most, [combine](Evaluator& evaluator, Values& args) {
        DictObject out = setOf(args[0]).table;
        for (size_t i = 1; i < args.size(); ++i)
            out = combine(evaluator, out, args[i]);
        return makeSet(std::move(out), setOf(args[0]).isFrozen);
    });
}

void addChanging(ClassData& type, const char* name, size_t most, Combine combine) {
    addMethod(type, name, most == 1 ? 1 : 0, most, [combine](Evaluator& evaluator, Values& args) -> Value {
        DictObject out = setOf(args[0]).table;
        for (size_t i = 1; i < args.size(); ++i)
            out = combine(evaluator, out, args[i]);
        setOf(args[0]).table = std::move(out);
        return {};
    });
}

DictObject unionOf(Evaluator& evaluator, const DictObject& a, const Value& b) {
    DictObject out = a;
    updateSet(evaluator, out, b);
    return out;
}

void addReading(ClassData& type) {
    addCombining(type, "union", SIZE_MAX, unionOf);
    addCombining(type, "intersection", SIZE_MAX, intersection);
    addCombining(type, "difference", SIZE_MAX, difference);
    addCombining(type, "symmetric_difference", 1, symmetricDifference);
    addMethod(type, "copy", 0, 0,
              [](Evaluator&, Values& args) -> Value { return Object{SetObject(setOf(args[0]))}; });
    addMethod(type, "issubset", 1, 1, [](Evaluator& evaluator, Values& args) {
        DictObject other = setTableOf(evaluator, args[1]);
        return makeBool(isSubset(setOf(args[0]).table, other));
    });
    addMethod(type, "issuperset", 1, 1, [](Evaluator& evaluator, Values& args) {
        DictObject other = setTableOf(evaluator, args[1]);
        return makeBool(isSubset(other, setOf(args[0]).table));
    });
    addMethod(type, "isdisjoint", 1, 1, [](Evaluator& evaluator, Values& args) {
        return makeBool(intersection(evaluator, DictObject(setOf(args[0]).table), args[1]).empty());
    });
    addContainerMethods(type);
    type.dict.as<DictObject>()->erase("__getitem__");
    addTextMethods(type);
    addComparisonMethods(type, true);
    addOperatorMethods(type, {Operator::Or, Operator::And, Operator::Sub, Operator::Xor});
}

/// A set as a key stands for the frozenset of its items.
Value asKey(const Value& item) {
    const auto* set = item.as<SetObject>();
    return set && !set->isFrozen ? makeSet(set->table, true) : item;
}

void addEdits(ClassData& type) {
    addMethod(type, "add", 1, 1, [](Evaluator&, Values& args) -> Value {
        DictObject& table = setOf(args[0]).table;
        if (!table.find(args[1]))
            table.set(args[1], Value());
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
        DictObject& table = setOf(args[0]).table;
        if (table.empty())
            raiseKeyError(evaluator, makeText("pop from an empty set"));
        const Value first = table.entries().front().key;
        table.erase(first);
        return first;
    });
    addMethod(type, "clear", 0, 0, [](Evaluator&, Values& args) -> Value {
        const DictObject removed = std::exchange(setOf(args[0]).table, DictObject());
        return {};
    });
    addMethod(type, "update", 0, SIZE_MAX, [](Evaluator& evaluator, Values& args) -> Value {
        for (size_t i = 1; i < args.size(); ++i)
            updateSet(evaluator, setOf(args[0]).table, args[i]);
        return {};
    });
    addChanging(type, "intersection_update", SIZE_MAX, intersection);
    addChanging(type, "difference_update", SIZE_MAX, difference);
    addChanging(type, "symmetric_difference_update", 1, symmetricDifference);
    for (const Operator op : {Operator::Or, Operator::And, Operator::Sub, Operator::Xor}) {
        const std::string name(operatorName(op));
        addMethod(type, "__i" + name.substr(0, name.find('_')) + "__", 1, 1,
                  [op](Evaluator& evaluator, Values& args) {
                      const bool isDone =
                          operatePlainInPlace(evaluator, op, plainOf(args[0]), args[1]).has_value();
                      return isDone ? args[0] : notImplemented();
                  });
    }
    addMethod(type, "__init__", 0, 1, [](Evaluator& evaluator, Values& args) -> Value {
        DictObject table;
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
        ClassData& type = evaluator.addType(name);
        setConstructor(type, [isFrozen, name](Evaluator& e, Values& args, NamedValues& kwargs) {
            refuseKeywords(name, kwargs);
            requireArguments(name, args, 0, 1);
            if (const auto* given = args.empty() ? nullptr : args[0].as<SetObject>();
                isFrozen && given && given->isFrozen)
                return args[0];
            DictObject table;
            if (!args.empty())
                updateSet(e, table, args[0]);
            return makeSet(std::move(table), isFrozen);
        });
        addReading(type);
        if (!isFrozen)
            addEdits(type);
    }
}

} // namespace fx
