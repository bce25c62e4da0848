// SPDX-License-Identifier: GPL-3.0-or-later
// Operators on lists, tuples, ranges and torch.Size; membership in any builtin container.
#include "core/python/types/sequences.h"

#include "core/python/big_int.h"
#include "core/python/exceptions.h"
#include "core/python/types/operations.h"
#include "core/python/types/text_units.h"

#include <algorithm>

namespace fx {

namespace {

/// The items without a copy, where the value has them in that form.
class ItemsView {
public:
    explicit ItemsView(const Value& value) {
        if (const auto* sequence = value.as<SequenceObject>())
            m_items = &sequence->items;
        else
            m_own = itemsOf(value).value_or(Values());
    }
    const Values& get() const { return m_items ? *m_items : m_own; }

private:
    const Values* m_items = nullptr;
    Values m_own;
};

std::optional<Value> compareSequences(Evaluator* evaluator, Operator op, const Value& a, const Value& b) {
    const RecursionGuard guard("in comparison");
    const ItemsView left(a), right(b);
    const bool isEquality = op == Operator::Eq || op == Operator::Ne;
    if (isEquality && left.get().size() != right.get().size())
        return makeBool(op == Operator::Ne);
    for (size_t i = 0; i < left.get().size() && i < right.get().size(); ++i) {
        const Value x = left.get()[i], y = right.get()[i]; // comparing may change the lists
        if (evaluator)
            evaluator->step();
        if (areSameOrEqual(evaluator, x, y))
            continue;
        if (isEquality)
            return makeBool(op == Operator::Ne);
        return evaluator ? evaluator->operate(op, x, y) : operatePlain(nullptr, op, x, y);
    }
    const size_t m = left.get().size(), n = right.get().size();
    return makeBool(orderHolds(op, m < n ? -1 : m > n));
}

std::optional<Value> compareRanges(Operator op, const RangeObject& a, const RangeObject& b) {
    if (op != Operator::Eq && op != Operator::Ne)
        return std::nullopt;
    const int64_t length = a.length();
    const bool areEqual =
        length == b.length() && (length == 0 || a.start == b.start) && (length <= 1 || a.step == b.step);
    return makeBool(areEqual == (op == Operator::Eq));
}

bool isSequence(const Value& value) {
    return isListValue(value) || isTupleValue(value);
}

} // namespace

Value makeSize(Evaluator* evaluator, const Values& items) {
    SizeObject size;
    for (size_t i = 0; i < items.size(); ++i) {
        std::optional<int64_t> number;
        try {
            if (isSmallInt(items[i]))
                number = smallInt(items[i]);
            else if (evaluator)
                number = evaluator->index(items[i]);
        } catch (const Error& error) { // the message is torch.Size's own
            if (!isCatchable(error))
                throw;
        }
        if (!number)
            raise("TypeError", "torch.Size() takes an iterable of 'int' (item " + std::to_string(i) +
                                   " is '" + typeName(items[i]) + "')");
        size.sizes.push_back(*number);
    }
    return Object{std::move(size)};
}

namespace {

Value withItems(Evaluator* evaluator, const Value& like, Values items) {
    if (like.as<SizeObject>())
        return makeSize(evaluator, items);
    return isListValue(like) ? makeList(std::move(items)) : makeTuple(std::move(items));
}

Value concatenated(Evaluator* evaluator, const Value& a, const Value& b) {
    const bool isList = isListValue(a);
    if (isList ? !isListValue(b) : !isTupleValue(b)) {
        const bool isSize = a.as<SizeObject>() != nullptr;
        const std::string quote = isSize ? "" : "\"";
        raise("TypeError", "can only concatenate " + std::string(isList ? "list" : "tuple") + " (not " +
                               quote + typeName(b) + quote + ") to " + typeName(a));
    }
    Values items = itemsOf(a).value(), more = itemsOf(b).value();
    if (evaluator && items.size() + more.size() > 4096)
        evaluator->reserve((items.size() + more.size()) * sizeof(Value));
    items.insert(items.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    return withItems(evaluator, b.as<SizeObject>() ? b : a, std::move(items));
}

} // namespace

Value repetitions(Evaluator* evaluator, const Value& count) {
    if (isWhole(count))
        return count;
    if (evaluator && count.as<InstanceObject>() && evaluator->findAttribute(count, "__index__"))
        return makeInt(evaluator->index(count));
    raise("TypeError", "can't multiply sequence by non-int of type '" + typeName(count) + '\'');
}

Values repeated(Evaluator* evaluator, const Values& items, int64_t count) {
    Values out;
    if (count <= 0 || items.empty())
        return out;
    size_t size = 0, bytes = 0;
    if (__builtin_mul_overflow(items.size(), static_cast<size_t>(count), &size) ||
        __builtin_mul_overflow(size, sizeof(Value), &bytes))
        bytes = SIZE_MAX / 4;
    if (evaluator && bytes > 65536)
        evaluator->reserve(bytes);
    else if (bytes >= SIZE_MAX / 4)
        raise("MemoryError", "");
    out.reserve(size);
    for (int64_t i = 0; i < count; ++i)
        out.insert(out.end(), items.begin(), items.end());
    return out;
}

std::optional<Value> operateSequences(Evaluator* evaluator, Operator op, const Value& a, const Value& b) {
    if (isComparison(op)) {
        if ((isListValue(a) && isListValue(b)) || (isTupleValue(a) && isTupleValue(b)))
            return compareSequences(evaluator, op, a, b);
        const auto *x = a.as<RangeObject>(), *y = b.as<RangeObject>();
        if (x && y)
            return compareRanges(op, *x, *y);
        const auto *p = a.as<SliceObject>(), *q = b.as<SliceObject>();
        if (p && q)
            return compareSequences(evaluator, op, makeTuple({p->start, p->stop, p->step}),
                                    makeTuple({q->start, q->stop, q->step}));
        return std::nullopt;
    }
    if (op == Operator::Add && isSequence(a))
        return concatenated(evaluator, a, b);
    if (op != Operator::Mul || (!isSequence(a) && !isSequence(b)))
        return std::nullopt;
    const Value& sequence = isSequence(a) ? a : b;
    const Value count = repetitions(evaluator, isSequence(a) ? b : a);
    if (count.as<BigIntObject>() && bigIntOf(count).sign() > 0 && !itemsOf(sequence)->empty())
        raise("OverflowError", "cannot fit 'int' into an index-sized integer");
    return withItems(evaluator, sequence,
                     repeated(evaluator, itemsOf(sequence).value(), isSmallInt(count) ? smallInt(count) : 0));
}

std::optional<bool> containsPlain(Evaluator* evaluator, const Value& container, const Value& item) {
    if (auto* dict = container.as<DictObject>())
        return dict->find(item) != nullptr;
    if (auto* set = container.as<SetObject>()) {
        // A set is looked up in a set as if it were frozen.
        if (const auto* inner = item.as<SetObject>(); inner && !inner->isFrozen)
            return set->table.has(makeSet(inner->table, true));
        return set->table.has(item);
    }
    if (const auto* range = container.as<RangeObject>(); range && isSmallInt(item)) {
        const int64_t value = smallInt(item);
        const bool isInside = range->step > 0 ? value >= range->start && value < range->stop
                                              : value <= range->start && value > range->stop;
        return isInside && (value - range->start) % range->step == 0;
    }
    if (container.isString()) {
        if (!plainOf(item).isString())
            raise("TypeError", "'in <string>' requires string as left operand, not " + typeName(item));
        return container.text().find(plainOf(item).text()) != std::string::npos;
    }
    if (const auto* bytes = container.as<BytesObject>()) {
        if (const auto* part = plainOf(item).as<BytesObject>())
            return bytes->bytes.find(part->bytes) != std::string::npos;
        if (!isSmallInt(item))
            raise("TypeError", "a bytes-like object is required, not '" + typeName(item) + '\'');
        if (smallInt(item) < 0 || smallInt(item) > 255)
            raise("ValueError", "byte must be in range(0, 256)");
        return bytes->bytes.find(static_cast<char>(smallInt(item))) != std::string::npos;
    }
    if (!isSequence(container))
        return std::nullopt;
    const ItemsView items(container);
    for (size_t i = 0; i < items.get().size(); ++i) {
        const Value held = items.get()[i];
        if (evaluator)
            evaluator->step();
        if (areSameOrEqual(evaluator, held, item))
            return true;
    }
    return false;
}

} // namespace fx
