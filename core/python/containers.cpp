// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/containers.h"

#include "core/python/types/mappings.h"

namespace fx {

namespace {

size_t characterCount(const std::string& utf8) {
    return static_cast<size_t>(std::count_if(
        utf8.begin(), utf8.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

template <class Table>
Value overKeys(const Value& owner, Table* table, const char* sort) {
    return Object{IteratorObject{
        [owner, table, sort, at = size_t(0), size = table->size()]() mutable -> std::optional<Value> {
            if (table->size() != size)
                raise("RuntimeError", std::string(sort) + " changed size during iteration");
            const DictObject::Entry* entry = table->entryFrom(at);
            if (!entry)
                return std::nullopt;
            ++at;
            return entry->key;
        },
        std::string(sort) == "Set" ? "set_iterator" : "dict_keyiterator"}};
}

/// `a |= b` and its like, of two sets.
std::optional<Value> operateSetInPlace(Evaluator& evaluator, Operator op, SetTable& table,
                                       const Value& other) {
    if (!other.as<SetObject>())
        return std::nullopt;
    switch (op) {
    case Operator::Or:
        updateSet(evaluator, table, other);
        return Value();
    case Operator::And:
        table = intersection(evaluator, table, other);
        return Value();
    case Operator::Sub:
        subtract(evaluator, table, other);
        return Value();
    case Operator::Xor:
        toggle(evaluator, table, other);
        return Value();
    default:
        return std::nullopt;
    }
}

} // namespace

std::optional<int64_t> lengthPlain(const Value& value) {
    const auto size = [](const auto& container) { return static_cast<int64_t>(container.size()); };
    if (const auto* sequence = value.as<SequenceObject>())
        return size(sequence->items);
    if (value.isString())
        return static_cast<int64_t>(characterCount(value.text()));
    if (const auto* dict = value.as<DictObject>())
        return size(*dict);
    if (const auto* set = value.as<SetObject>())
        return size(set->table);
    if (const auto* sizes = value.as<SizeObject>())
        return size(sizes->sizes);
    if (const auto* range = value.as<RangeObject>())
        return range->length();
    if (const auto* bytes = value.as<BytesObject>())
        return size(bytes->bytes);
    if (value.isData() && value.data().isTuple())
        return size(value.data().toTupleRef().elements());
    if (value.isData() && value.data().isList())
        return size(value.data().toListRef());
    return std::nullopt;
}

std::optional<Value> iteratorPlain(Evaluator& evaluator, const Value& iterable) {
    if (auto* sequence = iterable.as<SequenceObject>())
        return Object{IteratorObject{[iterable, sequence, at = size_t(0)]() mutable -> std::optional<Value> {
                                         if (at >= sequence->items.size())
                                             return std::nullopt;
                                         return sequence->items[at++];
                                     },
                                     sequence->isList ? "list_iterator" : "tuple_iterator"}};
    if (const auto* range = iterable.as<RangeObject>())
        return Object{IteratorObject{
            [at = int64_t(0), count = range->length(), r = *range]() mutable -> std::optional<Value> {
                if (at >= count)
                    return std::nullopt;
                return makeInt(r.start + r.step * at++);
            },
            "range_iterator"}};
    if (auto* dict = iterable.as<DictObject>())
        return overKeys(iterable, dict, "dictionary");
    if (auto* set = iterable.as<SetObject>())
        return overKeys(iterable, &set->table, "Set");
    if (iterable.isString())
        return Object{IteratorObject{[text = iterable, at = size_t(0)]() mutable -> std::optional<Value> {
                                         const std::string& all = text.text();
                                         if (at >= all.size())
                                             return std::nullopt;
                                         const size_t start = at++;
                                         while (at < all.size() &&
                                                (static_cast<unsigned char>(all[at]) & 0xC0) == 0x80)
                                             ++at;
                                         return makeText(all.substr(start, at - start));
                                     },
                                     "str_ascii_iterator"}};
    if (const auto* bytes = iterable.as<BytesObject>())
        return Object{IteratorObject{[iterable, bytes, at = size_t(0)]() mutable -> std::optional<Value> {
                                         if (at >= bytes->bytes.size())
                                             return std::nullopt;
                                         return makeInt(static_cast<unsigned char>(bytes->bytes[at++]));
                                     },
                                     "bytes_iterator"}};
    if (std::optional<Values> items = itemsOf(iterable))
        return iteratorPlain(evaluator, makeTuple(std::move(*items)));
    return std::nullopt;
}

std::optional<Value> operatePlainInPlace(Evaluator& evaluator, Operator op, const Value& a, const Value& b) {
    if (auto* sequence = a.as<SequenceObject>(); sequence && sequence->isList) {
        if (op == Operator::Add) {
            if (!isIterable(evaluator, b))
                raise("TypeError", '\'' + typeName(b) + "' object is not iterable");
            Values more = evaluator.items(b);
            if (const size_t size = sequence->items.size() + more.size(); size > sequence->items.capacity())
                evaluator.reserve(2 * size * sizeof(Value));
            sequence->items.insert(sequence->items.end(), more.begin(), more.end());
            return Value();
        }
        if (op == Operator::Mul) {
            std::optional<Value> product = operatePlain(&evaluator, op, a, b);
            if (!product)
                return std::nullopt;
            sequence->items = std::move(product->as<SequenceObject>()->items);
            return Value();
        }
        return std::nullopt;
    }
    if (auto* dict = a.as<DictObject>(); dict && op == Operator::Or) {
        evaluator.callMethod(a, "update", {b}); // takes mappings and pairs
        return Value();
    }
    if (auto* set = a.as<SetObject>(); set && !set->isFrozen) {
        return operateSetInPlace(evaluator, op, set->table, plainOf(b));
    }
    if (auto* bytes = a.as<BytesObject>(); bytes && bytes->isArray && op == Operator::Add)
        if (const auto* other = plainOf(b).as<BytesObject>()) {
            bytes->bytes += std::string(other->bytes);
            return Value();
        }
    return std::nullopt;
}

} // namespace fx
