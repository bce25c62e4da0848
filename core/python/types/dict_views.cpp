// SPDX-License-Identifier: GPL-3.0-or-later
// What dict.keys(), values() and items() give: instances that look into the dict each time they are asked.
#include "core/python/types/mappings.h"
#include "core/python/types/operations.h"

namespace fx {

namespace {

constexpr std::string_view kDictName = "<dict>"; ///< of the instance; no program can write it as an attribute
constexpr const char* kTypeNames[] = {"dict_keys", "dict_values", "dict_items"};

std::pair<Value, DictView> viewOf(const Value& self) {
    if (auto view = viewedDict(self))
        return std::move(*view);
    raise("TypeError", "a dict view is wanted, not '" + typeName(self) + '\'');
}

Value entryOf(const DictObject::Entry& entry, DictView kind) {
    return kind == DictView::Keys     ? entry.key
           : kind == DictView::Values ? entry.value
                                      : makeTuple({entry.key, entry.value});
}

Value iterate(const Value& dict, DictView kind, bool isReversed) {
    static constexpr const char* kNames[] = {"dict_keyiterator", "dict_valueiterator", "dict_itemiterator"};
    const size_t size = dict.as<DictObject>()->size();
    const auto version = dict.as<DictObject>()->version();
    return makeIterator(kNames[static_cast<size_t>(kind)],
                        [=, at = size_t(0)]() mutable -> std::optional<Value> {
                            const DictObject& table = *dict.as<DictObject>();
                            if (at > size)
                                return std::nullopt;
                            if (table.size() != size)
                                raise("RuntimeError", "dictionary changed size during iteration");
                            if (at == size) {
                                ++at;
                                return std::nullopt;
                            }
                            if (table.version() != version)
                                raise("RuntimeError", "dictionary keys changed during iteration");
                            const size_t index = isReversed ? size - 1 - at : at;
                            ++at;
                            return entryOf(table.entries()[index], kind);
                        });
}

bool containsEntry(Evaluator& evaluator, const Value& dict, DictView kind, const Value& item) {
    DictObject& table = *dict.as<DictObject>();
    if (kind == DictView::Keys)
        return table.find(item) != nullptr;
    if (kind == DictView::Items) {
        const std::optional<Values> pair = itemsOf(item);
        if (!pair || pair->size() != 2)
            return false;
        const Value* found = table.find((*pair)[0]);
        const Value held = found ? *found : Value();
        return found && areEqualItems(&evaluator, held, (*pair)[1]);
    }
    for (size_t i = 0; i < table.size(); ++i) {
        evaluator.step();
        if (const Value held = table.entries()[i].value; areEqualItems(&evaluator, held, item))
            return true;
    }
    return false;
}

/// A set of what the left operand has: of a view of keys as of the dict itself.
SetTable leftOf(Evaluator& evaluator, const Value& left) {
    SetTable out;
    if (const auto view = viewedDict(left); view && view->second == DictView::Keys)
        out.expect(static_cast<size_t>(lengthOf(evaluator, left)));
    updateSet(evaluator, out, left);
    return out;
}

/// Of the two operands, one of them a view; in CPython's ways, which decide in what order the results are.
SetTable commonOf(Evaluator& evaluator, Value left, Value right) {
    if (!viewedDict(left))
        std::swap(left, right);
    if (const auto* set = right.as<SetObject>();
        set && static_cast<size_t>(lengthOf(evaluator, left)) <= set->table.size())
        return intersection(evaluator, set->table, left);
    const SetTable own = setTableOf(evaluator, left);
    return intersection(evaluator, own, makeList(evaluator.items(right)));
}

template <void (*Change)(Evaluator&, SetTable&, const Value&)>
SetTable changed(Evaluator& evaluator, Value left, Value right) {
    SetTable out = leftOf(evaluator, left);
    Change(evaluator, out, right);
    return out;
}

void addSetAlgebra(ClassData& type) {
    using Operation = SetTable (*)(Evaluator&, Value, Value);
    static constexpr std::pair<const char*, Operation> kOperations[] = {
        {"and__", commonOf},
        {"sub__", changed<subtract>},
        {"xor__", changed<toggle>},
        {"or__", changed<updateSet>},
    };
    for (const auto& [name, operation] : kOperations)
        for (const bool isReflected : {false, true})
            addMethod(type, std::string(isReflected ? "__r" : "__") + name, 1, 1,
                      [operation = operation, isReflected](Evaluator& evaluator, Values& args) -> Value {
                          const size_t left = isReflected ? 1 : 0;
                          if (!isIterable(evaluator, args[1]))
                              return notImplemented();
                          return makeSet(operation(evaluator, args[left], args[1 - left]));
                      });
    for (const Operator op :
         {Operator::Eq, Operator::Ne, Operator::Lt, Operator::Le, Operator::Gt, Operator::Ge})
        addMethod(type, "__" + std::string(operatorName(op)) + "__", 1, 1,
                  [op](Evaluator& evaluator, Values& args) {
                      std::optional<SetTable> a = asSetTable(evaluator, args[0]);
                      std::optional<SetTable> b = asSetTable(evaluator, args[1]);
                      if (!a || !b)
                          return notImplemented();
                      return *operatePlain(&evaluator, op, makeSet(std::move(*a)), makeSet(std::move(*b)));
                  });
    addMethod(type, "isdisjoint", 1, 1, [](Evaluator& evaluator, Values& args) {
        return makeBool(intersection(evaluator, setTableOf(evaluator, args[0]), args[1]).empty());
    });
    type.dict.as<DictObject>()->set("__hash__", Value());
}

} // namespace

Value makeDictView(Evaluator& evaluator, const Value& dict, DictView kind) {
    DictObject holder;
    holder.set(kDictName, dict);
    return Object{InstanceObject{evaluator.type(kTypeNames[static_cast<size_t>(kind)]),
                                 Object{std::move(holder)}, Value()}};
}

std::optional<std::pair<Value, DictView>> viewedDict(const Value& view) {
    const auto* instance = view.as<InstanceObject>();
    const Value* dict = instance ? instance->dict.as<DictObject>()->find(kDictName) : nullptr;
    if (!dict)
        return std::nullopt;
    const std::string& name = instance->type.as<ClassObject>()->data->name;
    return std::pair(*dict, name == kTypeNames[0]   ? DictView::Keys
                            : name == kTypeNames[1] ? DictView::Values
                                                    : DictView::Items);
}

void addDictViews(Evaluator& evaluator) {
    for (const DictView kind : {DictView::Keys, DictView::Values, DictView::Items}) {
        const std::string name = kTypeNames[static_cast<size_t>(kind)];
        ClassData& type = evaluator.types().add(name);
        evaluator.builtins().erase(name);
        addMethod(type, "__iter__", 0, 0,
                  [kind](Evaluator&, Values& args) { return iterate(viewOf(args[0]).first, kind, false); });
        addMethod(type, "__reversed__", 0, 0,
                  [kind](Evaluator&, Values& args) { return iterate(viewOf(args[0]).first, kind, true); });
        addMethod(type, "__len__", 0, 0, [](Evaluator&, Values& args) {
            return makeInt(static_cast<int64_t>(viewOf(args[0]).first.as<DictObject>()->size()));
        });
        addMethod(type, "__contains__", 1, 1, [kind](Evaluator& e, Values& args) {
            return makeBool(containsEntry(e, viewOf(args[0]).first, kind, args[1]));
        });
        addMethod(type, "__repr__", 0, 0, [kind, name](Evaluator& e, Values& args) {
            const Value dict = viewOf(args[0]).first;
            Values items;
            for (const DictObject::Entry& entry : dict.as<DictObject>()->entries())
                items.push_back(entryOf(entry, kind));
            return makeText(name + '(' + e.repr(makeList(std::move(items))) + ')');
        });
        type.addProperty("mapping",
                         [](Evaluator&, Values& args, NamedValues&) { return viewOf(args[0]).first; });
        if (kind != DictView::Values)
            addSetAlgebra(type);
    }
}

} // namespace fx
