// SPDX-License-Identifier: GPL-3.0-or-later
// The types list, tuple, range and slice with their methods.
#include "core/python/big_int.h"
#include "core/python/containers.h"
#include "core/python/types/operations.h"
#include "core/python/types/sequences.h"

#include <algorithm>

namespace fx {

namespace {

Values& listOf(const Value& self) {
    if (Values* items = listItems(plainOf(self)))
        return *items;
    throw WrongSelf("list", self);
}

/// Where the item is within [start, stop) of a sequence that comparing may change.
std::optional<size_t> findItem(Evaluator& evaluator, const Value& sequence, const Value& item, int64_t start,
                               int64_t stop) {
    const Values* list = listItems(sequence);
    const Values own = list ? Values() : itemsOf(sequence).value_or(Values());
    const auto& items = [&]() -> const Values& { return list ? *list : own; };
    const auto size = static_cast<int64_t>(items().size());
    const auto bound = [size](int64_t at) { return at < 0 ? std::max<int64_t>(at + size, 0) : at; };
    stop = bound(stop);
    for (auto i = static_cast<size_t>(bound(start)); i < items().size() && static_cast<int64_t>(i) < stop;
         ++i) {
        const Value held = items()[i];
        evaluator.step();
        if (areSameOrEqual(&evaluator, held, item))
            return i;
    }
    return std::nullopt;
}

Value indexMethod(Evaluator& evaluator, Values& args, const char* missing) {
    const Value& self = plainOf(args[0]);
    const int64_t start = args.size() > 2 ? clampedIndex(evaluator, args[2]) : 0;
    const int64_t stop = args.size() > 3 ? clampedIndex(evaluator, args[3]) : INT64_MAX;
    if (const std::optional<size_t> found = findItem(evaluator, self, args[1], start, stop))
        return makeInt(static_cast<int64_t>(*found));
    raise("ValueError", missing ? missing : evaluator.repr(args[1]) + " is not in list");
}

Value countMethod(Evaluator& evaluator, Values& args) {
    int64_t count = 0;
    for (const Value& item : itemsOf(args[0]).value_or(Values())) {
        evaluator.step();
        count += areSameOrEqual(&evaluator, item, args[1]);
    }
    return makeInt(count);
}

void addListEdits(ClassData& list) {
    addMethod(list, "append", 1, 1, [](Evaluator& evaluator, Values& args) -> Value {
        Values& items = listOf(args[0]);
        if (items.size() == items.capacity() && items.size() > 65536)
            evaluator.reserve(items.size() * sizeof(Value));
        items.push_back(args[1]);
        return {};
    });
    addMethod(list, "extend", 1, 1, [](Evaluator& evaluator, Values& args) -> Value {
        listOf(args[0]);
        extendList(evaluator, plainOf(args[0]), args[1]);
        return {};
    });
    addMethod(list, "insert", 2, 2, [](Evaluator& evaluator, Values& args) -> Value {
        int64_t at = clampedIndex(evaluator, args[1]);
        Values& items = listOf(args[0]);
        const auto size = static_cast<int64_t>(items.size());
        at = std::clamp<int64_t>(at < 0 ? at + size : at, 0, size);
        items.insert(items.begin() + at, args[2]);
        return {};
    });
    addMethod(list, "remove", 1, 1, [](Evaluator& evaluator, Values& args) -> Value {
        listOf(args[0]);
        const std::optional<size_t> found = findItem(evaluator, plainOf(args[0]), args[1], 0, INT64_MAX);
        if (!found)
            raise("ValueError", "list.remove(x): x not in list");
        Values& items = listOf(args[0]);
        const Value removed = items[*found];
        items.erase(items.begin() + static_cast<ptrdiff_t>(*found));
        return {};
    });
    addMethod(list, "pop", 0, 1, [](Evaluator& evaluator, Values& args) -> Value {
        const int64_t index = args.size() > 1 ? indexArgument(evaluator, args[1]) : -1;
        Values& items = listOf(args[0]);
        if (items.empty())
            raise("IndexError", "pop from empty list");
        const size_t at = positionIn(index, items.size(), "pop index out of range");
        Value out = std::move(items[at]);
        items.erase(items.begin() + static_cast<ptrdiff_t>(at));
        return out;
    });
    addMethod(list, "clear", 0, 0, [](Evaluator&, Values& args) -> Value {
        const Values removed = std::exchange(listOf(args[0]), {});
        return {};
    });
    addMethod(list, "reverse", 0, 0, [](Evaluator&, Values& args) -> Value {
        Values& items = listOf(args[0]);
        std::reverse(items.begin(), items.end());
        return {};
    });
    list.add("sort", [](Evaluator& evaluator, Values& args, NamedValues& kwargs) -> Value {
        if (args.size() > 1)
            raise("TypeError", "sort() takes no positional arguments");
        const BoundArguments given("sort", args, kwargs, {"key", "reverse"});
        // The list is empty while it is sorted, as Python has it.
        Values items = std::exchange(listOf(args[0]), {});
        const auto putBack = [&] {
            Values& now = listOf(args[0]);
            const bool wasChanged = !now.empty();
            now = std::move(items);
            return wasChanged;
        };
        try {
            sortValues(evaluator, items, given[0], given[1] && evaluator.isTrue(*given[1]));
        } catch (...) {
            putBack();
            throw;
        }
        if (putBack())
            raise("ValueError", "list modified during sort");
        return {};
    });
}

void addList(Evaluator& evaluator) {
    ClassData& list = evaluator.types().add("list");
    setConstructor(list, [](Evaluator& e, Values& args, NamedValues& kwargs) {
        refuseKeywords("list", kwargs);
        requireArguments("list", args, 0, 1);
        return makeList(args.empty() ? Values() : e.items(args[0]));
    });
    list.isFilledByInit = true;
    addMethod(list, "__init__", 0, 1, [](Evaluator& e, Values& args) -> Value {
        Values items = args.size() > 1 ? e.items(args[1]) : Values();
        listOf(args[0]) = std::move(items);
        return {};
    });
    addListEdits(list);
    addMethod(list, "copy", 0, 0, [](Evaluator&, Values& args) { return makeList(listOf(args[0])); });
    addMethod(list, "index", 1, 3, [](Evaluator& e, Values& args) { return indexMethod(e, args, nullptr); });
    addMethod(list, "count", 1, 1, countMethod);
    addMethod(list, "__setitem__", 2, 2, [](Evaluator& e, Values& args) -> Value {
        setItemPlain(e, plainOf(args[0]), args[1], args[2]);
        return {};
    });
    addMethod(list, "__delitem__", 1, 1, [](Evaluator& e, Values& args) -> Value {
        deleteItemPlain(e, plainOf(args[0]), args[1]);
        return {};
    });
    addMethod(list, "__reversed__", 0, 0, [](Evaluator&, Values& args) {
        const Value self = plainOf(args[0]);
        auto left = static_cast<int64_t>(listOf(self).size());
        return makeIterator("list_reverseiterator", [self, left]() mutable -> std::optional<Value> {
            const Values& items = *listItems(self);
            if (left <= 0 || left > static_cast<int64_t>(items.size()))
                return std::nullopt;
            return items[static_cast<size_t>(--left)];
        });
    });
    addMethod(list, "__iadd__", 1, 1, [](Evaluator& e, Values& args) {
        extendList(e, plainOf(args[0]), args[1]);
        return args[0];
    });
    addMethod(list, "__imul__", 1, 1, [](Evaluator& e, Values& args) {
        operatePlainInPlace(e, Operator::Mul, plainOf(args[0]), args[1]);
        return args[0];
    });
    addContainerMethods(list);
    addTextMethods(list);
    addComparisonMethods(list, true);
    addOperatorMethods(list, {Operator::Add, Operator::Mul});
    list.dict.as<DictObject>()->erase("__radd__");
    list.dict.as<DictObject>()->set("__hash__", Value());
}

void addTuple(Evaluator& evaluator) {
    ClassData& tuple = evaluator.types().add("tuple");
    setConstructor(tuple, [](Evaluator& e, Values& args, NamedValues& kwargs) {
        refuseKeywords("tuple", kwargs);
        requireArguments("tuple", args, 0, 1);
        if (!args.empty() && args[0].as<SequenceObject>() && !args[0].as<SequenceObject>()->isList)
            return args[0];
        return makeTuple(args.empty() ? Values() : e.items(args[0]));
    });
    addMethod(tuple, "index", 1, 3, [](Evaluator& e, Values& args) {
        return indexMethod(e, args, "tuple.index(x): x not in tuple");
    });
    addMethod(tuple, "count", 1, 1, countMethod);
    addContainerMethods(tuple);
    addTextMethods(tuple);
    addComparisonMethods(tuple, true);
    addOperatorMethods(tuple, {Operator::Add, Operator::Mul});
    tuple.dict.as<DictObject>()->erase("__radd__");
}

RangeObject& rangeOf(const Value& self) {
    if (auto* range = self.as<RangeObject>())
        return *range;
    throw WrongSelf("range", self);
}

void addRange(Evaluator& evaluator) {
    ClassData& range = evaluator.types().add("range");
    setConstructor(range, [](Evaluator& e, Values& args, NamedValues& kwargs) -> Value {
        refuseKeywords("range", kwargs);
        if (args.empty())
            raise("TypeError", "range expected at least 1 argument, got 0");
        requireArguments("range", args, 1, 3);
        RangeObject out;
        const auto part = [&](size_t i) { return indexArgument(e, args[i]); };
        out.start = args.size() > 1 ? part(0) : 0;
        out.stop = part(args.size() > 1 ? 1 : 0);
        out.step = args.size() > 2 ? part(2) : 1;
        if (out.step == 0)
            raise("ValueError", "range() arg 3 must not be zero");
        return Object{out};
    });
    const auto find = [](Evaluator& e, const Value& self, const Value& item) -> std::optional<int64_t> {
        const RangeObject& bounds = rangeOf(self);
        const std::optional<bool> isInside = containsPlain(&e, self, item);
        if (isInside && *isInside)
            return (smallInt(item) - bounds.start) / bounds.step;
        for (int64_t i = 0; !isInside && i < bounds.length(); ++i) {
            e.step();
            if (areEqualItems(&e, makeInt(bounds.start + i * bounds.step), item))
                return i;
        }
        return std::nullopt;
    };
    addMethod(range, "index", 1, 1, [find](Evaluator& e, Values& args) {
        if (const std::optional<int64_t> found = find(e, args[0], args[1]))
            return makeInt(*found);
        raise("ValueError", e.repr(args[1]) + " is not in range");
    });
    addMethod(range, "count", 1, 1,
              [find](Evaluator& e, Values& args) { return makeInt(find(e, args[0], args[1]).has_value()); });
    addMethod(range, "__reversed__", 0, 0, [](Evaluator& e, Values& args) {
        const RangeObject bounds = rangeOf(args[0]);
        const int64_t length = bounds.length();
        const int64_t last = bounds.start + (length - 1) * bounds.step;
        return e.iterator(length == 0
                              ? Value(Object{RangeObject{0, 0, 1}})
                              : Value(Object{RangeObject{last, bounds.start - bounds.step, -bounds.step}}));
    });
    using Part = int64_t RangeObject::*;
    static constexpr std::pair<const char*, Part> kParts[] = {
        {"start", &RangeObject::start}, {"stop", &RangeObject::stop}, {"step", &RangeObject::step}};
    for (const auto& [name, part] : kParts)
        range.addProperty(name, [part = part](Evaluator&, Values& args, NamedValues&) {
            return makeInt(rangeOf(args[0]).*part);
        });
    addContainerMethods(range);
    addTextMethods(range);
    addComparisonMethods(range, false);
}

void addSlice(Evaluator& evaluator) {
    ClassData& slice = evaluator.types().add("slice");
    setConstructor(slice, [](Evaluator&, Values& args, NamedValues& kwargs) -> Value {
        refuseKeywords("slice", kwargs);
        requireArguments("slice", args, 1, 3);
        if (args.size() == 1)
            return Object{SliceObject{Value(), args[0], Value()}};
        return Object{SliceObject{args[0], args[1], args.size() > 2 ? args[2] : Value()}};
    });
    addMethod(slice, "indices", 1, 1, [](Evaluator& e, Values& args) -> Value {
        const int64_t length = indexArgument(e, args[1]);
        if (length < 0)
            raise("ValueError", "length should not be negative");
        const SliceRange range = sliceParts(e, *args[0].as<SliceObject>()).over(static_cast<size_t>(length));
        return makeTuple({makeInt(range.start), makeInt(range.stop), makeInt(range.step)});
    });
    addTextMethods(slice);
    addComparisonMethods(slice, false);
}

} // namespace

void extendList(Evaluator& evaluator, const Value& list, const Value& iterable) {
    Values more = evaluator.items(iterable);
    Values& items = *listItems(list);
    if (items.size() + more.size() > items.capacity() && items.size() + more.size() > 65536)
        evaluator.reserve((items.size() + more.size()) * sizeof(Value));
    items.insert(items.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void addSequenceTypes(Evaluator& evaluator) {
    addList(evaluator);
    addTuple(evaluator);
    addRange(evaluator);
    addSlice(evaluator);
}

} // namespace fx
