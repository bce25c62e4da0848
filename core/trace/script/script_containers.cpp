// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/script/script_containers.h"

#include "core/trace/script/script_values.h"
#include "core/trace/tracing_host.h"

#include <algorithm>

namespace fx {

std::optional<size_t> placeIn(size_t count, int64_t index) {
    const auto size = static_cast<int64_t>(count);
    if (index < 0)
        index += size;
    return index >= 0 && index < size ? std::optional(static_cast<size_t>(index)) : std::nullopt;
}

Values sliceOf(const Values& items, const Value& start, const Value& stop, const Value& step) {
    const auto size = static_cast<int64_t>(items.size());
    const int64_t by = step.isInt() ? step.data().toInt() : 1;
    if (by == 0)
        raise("ValueError", "slice step cannot be zero");
    const auto clamp = [&](const Value& given, int64_t otherwise) {
        if (!given.isInt())
            return otherwise;
        int64_t at = given.data().toInt();
        if (at < 0)
            at = at < -size ? -1 : at + size;
        return by > 0 ? std::clamp<int64_t>(at, 0, size) : std::clamp<int64_t>(at, -1, size - 1);
    };
    Values out;
    const int64_t begin = clamp(start, by > 0 ? 0 : size - 1), end = clamp(stop, by > 0 ? size : -1);
    for (int64_t i = begin; by > 0 ? i < end : i > end; i += by)
        out.push_back(items[static_cast<size_t>(i)]);
    return out;
}

namespace {

using Handled = std::optional<Value>;

struct ContainerOperator {
    std::string_view name;
    Handled (*run)(const ContainerCall& call);
};

// --- Lists and tuples

Values& itemsIn(const ContainerCall& call) {
    return call.args[0].as<SequenceObject>()->items;
}

/// Those of the second argument; null where it is no list or tuple.
const Values* otherItems(const ContainerCall& call) {
    const auto* other = call.args.size() > 1 ? call.args[1].as<SequenceObject>() : nullptr;
    return other ? &other->items : nullptr;
}

size_t indexOf(const ContainerCall& call) {
    const Value& index = call.args[1];
    const auto at = index.isInt() ? placeIn(itemsIn(call).size(), index.data().toInt()) : std::nullopt;
    if (!at)
        call.tracer.fail("IndexError", "list index out of range");
    return *at;
}

void checkLength(const ContainerCall& call, size_t length) {
    constexpr size_t kLongest = 5'000'000;
    if (length > kLongest)
        call.tracer.fail("MemoryError", "a list of the program is too long");
}

bool isSameOrEqual(const Value& a, const Value& b) {
    if (isProxy(a) || isProxy(b))
        return isProxy(a) && isProxy(b) && a.isSame(b);
    return areEqual(a, b);
}

Values::iterator found(const ContainerCall& call) {
    return std::ranges::find_if(itemsIn(call),
                                [&](const Value& item) { return isSameOrEqual(item, call.args[1]); });
}

Values::iterator foundOrFail(const ContainerCall& call) {
    const auto at = found(call);
    if (at == itemsIn(call).end())
        call.tracer.fail("ValueError", "value is not in the list");
    return at;
}

Handled listLength(const ContainerCall& call) {
    return makeInt(static_cast<int64_t>(itemsIn(call).size()));
}

Handled listItem(const ContainerCall& call) {
    return itemsIn(call)[indexOf(call)];
}

Handled appendItem(const ContainerCall& call) {
    checkLength(call, itemsIn(call).size() + 1);
    itemsIn(call).push_back(call.args[1]);
    return call.args[0];
}

Handled extendList(const ContainerCall& call) {
    const Values more =
        otherItems(call) ? *otherItems(call) : Values(); // a copy, as it may be the list itself
    checkLength(call, itemsIn(call).size() + more.size());
    itemsIn(call).insert(itemsIn(call).end(), more.begin(), more.end());
    return call.args[0];
}

Handled extendInPlace(const ContainerCall& call) {
    return otherItems(call) ? extendList(call) : std::nullopt;
}

Handled insertItem(const ContainerCall& call) {
    Values& items = itemsIn(call);
    checkLength(call, items.size() + 1);
    const auto size = static_cast<int64_t>(items.size());
    int64_t at = call.args[1].data().toInt();
    at = std::clamp<int64_t>(at < 0 ? at + size : at, 0, size);
    items.insert(items.begin() + at, call.args[2]);
    return Value();
}

Handled popItem(const ContainerCall& call) {
    const auto at = itemsIn(call).begin() + static_cast<ptrdiff_t>(indexOf(call));
    const Value popped = *at;
    itemsIn(call).erase(at);
    return popped;
}

Handled deleteItem(const ContainerCall& call) {
    popItem(call);
    return Value();
}

Handled setListItem(const ContainerCall& call) {
    itemsIn(call)[indexOf(call)] = call.args[2];
    return call.args[0];
}

Handled clearList(const ContainerCall& call) {
    itemsIn(call).clear();
    return Value();
}

Handled reverseList(const ContainerCall& call) {
    std::ranges::reverse(itemsIn(call));
    return Value();
}

Handled copyList(const ContainerCall& call) {
    return makeList(itemsIn(call));
}

Handled dictOfPairs(const ContainerCall& call) {
    DictObject made;
    for (const Value& item : itemsIn(call))
        if (const auto* pair = item.as<SequenceObject>(); pair && pair->items.size() == 2)
            made.set(pair->items[0], pair->items[1]);
    return Value(Object{std::move(made)});
}

Handled sliceList(const ContainerCall& call) {
    Values items = sliceOf(itemsIn(call), call.args[1], call.args[2], call.args[3]);
    return call.args[0].as<SequenceObject>()->isList ? makeList(std::move(items))
                                                     : makeTuple(std::move(items));
}

Handled addLists(const ContainerCall& call) {
    const Values* more = otherItems(call);
    if (!more)
        return std::nullopt;
    Values both = itemsIn(call);
    checkLength(call, both.size() + more->size());
    both.insert(both.end(), more->begin(), more->end());
    return makeList(std::move(both));
}

Handled repeatList(const ContainerCall& call) {
    if (call.args.size() != 2 || !call.args[1].isInt())
        return std::nullopt;
    const Values& items = itemsIn(call);
    const auto times = static_cast<uint64_t>(std::max<int64_t>(call.args[1].data().toInt(), 0));
    size_t length = 0;
    checkLength(call, __builtin_mul_overflow(items.size(), times, &length) ? SIZE_MAX : length);
    Values out;
    for (uint64_t i = 0; i < times && !items.empty(); ++i)
        out.insert(out.end(), items.begin(), items.end());
    return makeList(std::move(out));
}

Handled holdsItem(const ContainerCall& call) {
    if (found(call) != itemsIn(call).end())
        return c10::IValue(true);
    const bool isKnown = !isProxy(call.args[1]) && std::ranges::none_of(itemsIn(call), isProxy);
    return isKnown
               ? Value(c10::IValue(false))
               : call.tracer.record(Opcode::CallFunction, "operator.contains", {call.args[0], call.args[1]});
}

Handled indexOfItem(const ContainerCall& call) {
    if (otherItems(call)) // a tensor's subscript
        return std::nullopt;
    return makeInt(foundOrFail(call) - itemsIn(call).begin());
}

Handled removeItem(const ContainerCall& call) {
    itemsIn(call).erase(foundOrFail(call));
    return Value();
}

Handled countItem(const ContainerCall& call) {
    return makeInt(std::ranges::count_if(
        itemsIn(call), [&](const Value& item) { return isSameOrEqual(item, call.args[1]); }));
}

Handled sortList(const ContainerCall& call) {
    if (call.args.size() != 2)
        return std::nullopt;
    const Value& list = call.args[0];
    if (!toIValue(list, call.type) || holdsTensor(list) || holdsProxy(list))
        call.tracer.fail("", "a list of traced values is sorted");
    const bool isReversed = call.args[1].isBool() && call.args[1].data().toBool();
    const auto number = [](const Value& value) {
        return value.isInt() ? static_cast<double>(value.data().toInt()) : value.data().toDouble();
    };
    std::ranges::stable_sort(itemsIn(call), [&](const Value& a, const Value& b) {
        const Value &x = isReversed ? b : a, &y = isReversed ? a : b;
        return x.isString() ? x.text() < y.text() : number(x) < number(y);
    });
    return Value();
}

constexpr ContainerOperator kListOperators[] = {
    {"len", listLength},    {"__getitem__", listItem},  {"select", listItem},        {"append", appendItem},
    {"extend", extendList}, {"add_", extendInPlace},    {"insert", insertItem},      {"pop", popItem},
    {"Delete", deleteItem}, {"_set_item", setListItem}, {"clear", clearList},        {"reverse", reverseList},
    {"copy", copyList},     {"list", copyList},         {"dict", dictOfPairs},       {"slice", sliceList},
    {"add", addLists},      {"mul", repeatList},        {"__contains__", holdsItem}, {"index", indexOfItem},
    {"remove", removeItem}, {"count", countItem},       {"sort", sortList}};

// --- Dicts

DictObject& dictIn(const ContainerCall& call) {
    return *call.args[0].as<DictObject>();
}

/// The value of the key that is the second argument; null where there is none.
Value* valueIn(const ContainerCall& call) {
    return dictIn(call).find(call.args[1]);
}

[[noreturn]] void failKey(const ContainerCall& call) {
    call.tracer.fail("KeyError", "the dict has no such key");
}

Handled dictLength(const ContainerCall& call) {
    return makeInt(static_cast<int64_t>(dictIn(call).size()));
}

Handled dictItem(const ContainerCall& call) {
    const Value* value = valueIn(call);
    if (!value)
        failKey(call);
    return *value;
}

Handled getItem(const ContainerCall& call) {
    const Value* value = valueIn(call);
    return value ? *value : call.args.size() > 2 ? call.args[2] : Value();
}

Handled holdsKey(const ContainerCall& call) {
    return Value(c10::IValue(valueIn(call) != nullptr));
}

Handled setDictItem(const ContainerCall& call) {
    dictIn(call).set(call.args[1], call.args[2]);
    return call.args[0];
}

Handled setDefault(const ContainerCall& call) {
    if (!valueIn(call))
        dictIn(call).set(call.args[1], call.args[2]);
    return *valueIn(call);
}

Handled popKey(const ContainerCall& call) {
    const Value* value = valueIn(call);
    if (!value && call.args.size() < 3)
        failKey(call);
    const Value popped = value ? *value : call.args[2];
    dictIn(call).erase(call.args[1]);
    return popped;
}

/// TorchScript takes the first item, Python the last one.
Handled popFirst(const ContainerCall& call) {
    if (dictIn(call).empty())
        failKey(call);
    const DictObject::Entry first = dictIn(call).entries().front();
    dictIn(call).erase(first.key);
    return makeTuple({first.key, first.value});
}

Handled clearDict(const ContainerCall& call) {
    dictIn(call).clear();
    return Value();
}

Handled updateDict(const ContainerCall& call) {
    if (const auto* other = call.args[1].as<DictObject>())
        for (const DictObject::Entry& entry : std::vector(other->entries())) // which may be the dict itself
            dictIn(call).set(entry.key, entry.value);
    return Value();
}

template <class Part>
Handled listOf(const ContainerCall& call, Part part) {
    Values out;
    for (const DictObject::Entry& entry : dictIn(call).entries())
        out.push_back(part(entry));
    return makeList(std::move(out));
}

Handled keysOf(const ContainerCall& call) {
    return listOf(call, [](const DictObject::Entry& entry) { return entry.key; });
}

Handled valuesOf(const ContainerCall& call) {
    return listOf(call, [](const DictObject::Entry& entry) { return entry.value; });
}

Handled pairsOf(const ContainerCall& call) {
    return listOf(call, [](const DictObject::Entry& entry) { return makeTuple({entry.key, entry.value}); });
}

Handled copyDict(const ContainerCall& call) {
    DictObject copied;
    for (const DictObject::Entry& entry : dictIn(call).entries())
        copied.set(entry.key, entry.value);
    return Value(Object{std::move(copied)});
}

constexpr ContainerOperator kDictOperators[] = {{"len", dictLength},
                                                {"__getitem__", dictItem},
                                                {"get", getItem},
                                                {"__contains__", holdsKey},
                                                {"_set_item", setDictItem},
                                                {"setdefault", setDefault},
                                                {"pop", popKey},
                                                {"Delete", popKey},
                                                {"popitem", popFirst},
                                                {"clear", clearDict},
                                                {"update", updateDict},
                                                {"keys", keysOf},
                                                {"values", valuesOf},
                                                {"items", pairsOf},
                                                {"copy", copyDict},
                                                {"dict", copyDict},
                                                {"list", keysOf}};

Handled runRow(std::span<const ContainerOperator> rows, std::string_view name, const ContainerCall& call) {
    const auto row = std::ranges::find(rows, name, &ContainerOperator::name);
    return row == rows.end() ? std::nullopt : row->run(call);
}

} // namespace

std::optional<Value> callOnContainer(std::string_view name, const ContainerCall& call) {
    if (call.args[0].as<SequenceObject>())
        return runRow(kListOperators, name, call);
    if (!call.args[0].as<DictObject>())
        return std::nullopt;
    return runRow(kDictOperators, name, call);
}

} // namespace fx
