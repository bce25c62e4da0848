// SPDX-License-Identifier: GPL-3.0-or-later
// The type dict and its methods.
#include "core/python/types/mappings.h"
#include "core/python/types/sequences.h"

namespace fx {

namespace {

const Value& dictOf(const Value& self) {
    const Value& plain = plainOf(self);
    if (!plain.as<DictObject>())
        throw WrongSelf("dict", self);
    return plain;
}

DictObject& tableOf(const Value& self) {
    return *dictOf(self).as<DictObject>();
}

void fill(Evaluator& evaluator, const Value& dict, const char* name, const Values& args, size_t skipped,
          NamedValues& kwargs) {
    if (args.size() > skipped + 1)
        raise("TypeError", std::string(name) + " expected at most 1 argument, got " +
                               std::to_string(args.size() - skipped));
    if (args.size() > skipped)
        updateDict(evaluator, dict, args[skipped]);
    for (auto& [key, value] : kwargs)
        dict.as<DictObject>()->set(key, value);
}

Value getItem(Evaluator& evaluator, Values& args) {
    if (const Value* found = tableOf(args[0]).find(args[1]))
        return *found;
    if (args[0].as<InstanceObject>() && evaluator.classOf(args[0]).find("__missing__"))
        return evaluator.callMethod(args[0], "__missing__", {args[1]});
    raiseKeyError(evaluator, args[1]);
}

void addReading(ClassData& dict) {
    addMethod(dict, "get", 1, 2, [](Evaluator&, Values& args) {
        const Value* found = tableOf(args[0]).find(args[1]);
        return found ? *found : args.size() > 2 ? args[2] : Value();
    });
    addMethod(dict, "copy", 0, 0,
              [](Evaluator&, Values& args) -> Value { return Object{DictObject(tableOf(args[0]))}; });
    addMethod(dict, "__getitem__", 1, 1, getItem);
    static constexpr std::pair<const char*, DictView> kViews[] = {
        {"keys", DictView::Keys}, {"values", DictView::Values}, {"items", DictView::Items}};
    for (const auto& [name, kind] : kViews)
        addMethod(dict, name, 0, 0, [kind = kind](Evaluator& evaluator, Values& args) {
            return makeDictView(evaluator, dictOf(args[0]), kind);
        });
    addMethod(dict, "__reversed__", 0, 0, [](Evaluator&, Values& args) {
        const Value self = dictOf(args[0]);
        const size_t size = self.as<DictObject>()->size();
        return makeIterator("dict_reversekeyiterator",
                            [self, size, left = size]() mutable -> std::optional<Value> {
                                const DictObject& table = *self.as<DictObject>();
                                if (table.size() != size)
                                    raise("RuntimeError", "dictionary changed size during iteration");
                                return left == 0 ? std::nullopt : std::optional(table.entries()[--left].key);
                            });
    });
    dict.addClassMethod("fromkeys", [](Evaluator& evaluator, Values& args, NamedValues& kwargs) {
        refuseKeywords("fromkeys", kwargs);
        if (args.size() < 2 || args.size() > 3)
            raise("TypeError",
                  "fromkeys expected at least 1 argument, got " + std::to_string(args.size() - 1));
        const Value value = args.size() > 2 ? args[2] : Value();
        const Value made = evaluator.call(args[0]);
        const bool isPlain = made.as<DictObject>() != nullptr;
        for (const Value& key : evaluator.items(args[1])) {
            evaluator.step();
            if (isPlain)
                made.as<DictObject>()->set(key, value);
            else
                setSubscript(evaluator, made, key, value);
        }
        return made;
    });
}

void addEdits(ClassData& dict) {
    addMethod(dict, "setdefault", 1, 2, [](Evaluator&, Values& args) {
        DictObject& table = tableOf(args[0]);
        if (const Value* found = table.find(args[1]))
            return *found;
        const Value value = args.size() > 2 ? args[2] : Value();
        table.set(args[1], value);
        return value;
    });
    addMethod(dict, "pop", 1, 2, [](Evaluator& evaluator, Values& args) {
        DictObject& table = tableOf(args[0]);
        if (const Value* found = table.find(args[1])) {
            const Value out = *found;
            table.erase(args[1]);
            return out;
        }
        if (args.size() < 3)
            raiseKeyError(evaluator, args[1]);
        return args[2];
    });
    addMethod(dict, "popitem", 0, 0, [](Evaluator& evaluator, Values& args) -> Value {
        DictObject& table = tableOf(args[0]);
        if (table.empty())
            raiseKeyError(evaluator, makeText("popitem(): dictionary is empty"));
        const DictObject::Entry last = table.entries().back();
        table.erase(last.key);
        return makeTuple({last.key, last.value});
    });
    addMethod(dict, "clear", 0, 0, [](Evaluator&, Values& args) -> Value {
        DictObject& table = tableOf(args[0]);
        const DictObject removed = table; // the ends of its values may run the program's code
        table.clear();
        return {};
    });
    dict.add("update", [](Evaluator& evaluator, Values& args, NamedValues& kwargs) -> Value {
        fill(evaluator, dictOf(args.at(0)), "update", args, 1, kwargs);
        return {};
    });
    dict.add("__init__", [](Evaluator& evaluator, Values& args, NamedValues& kwargs) -> Value {
        fill(evaluator, dictOf(args.at(0)), "dict", args, 1, kwargs);
        return {};
    });
    addMethod(dict, "__setitem__", 2, 2, [](Evaluator&, Values& args) -> Value {
        tableOf(args[0]).set(args[1], args[2]);
        return {};
    });
    addMethod(dict, "__delitem__", 1, 1, [](Evaluator& evaluator, Values& args) -> Value {
        deleteItemPlain(evaluator, dictOf(args[0]), args[1]);
        return {};
    });
    addMethod(dict, "__ior__", 1, 1, [](Evaluator& evaluator, Values& args) {
        updateDict(evaluator, dictOf(args[0]), args[1]);
        return args[0];
    });
}

} // namespace

void addDictType(Evaluator& evaluator) {
    ClassData& dict = evaluator.types().add("dict");
    setConstructor(dict, [](Evaluator& e, Values& args, NamedValues& kwargs) -> Value {
        const Value made = Object{DictObject()};
        fill(e, made, "dict", args, 0, kwargs);
        return made;
    });
    dict.isFilledByInit = true;
    addContainerMethods(dict);
    addTextMethods(dict);
    addComparisonMethods(dict, false);
    addOperatorMethods(dict, {Operator::Or});
    dict.dict.as<DictObject>()->set("__hash__", Value());
    addReading(dict);
    addEdits(dict);
}

} // namespace fx
