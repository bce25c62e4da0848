// SPDX-License-Identifier: GPL-3.0-or-later
// hash(value): CPython's own numbers for numbers, and for tuples and frozensets of them, as the order of a
// set shows them; for all else whatever tells values apart.
#include "core/base/error.h"
#include "core/python/big_int.h"
#include "core/python/evaluator.h"
#include "core/python/types/operations.h"

#include <algorithm>

namespace fx {

namespace {

constexpr size_t kNone = ~size_t(0); ///< -1 is no hash in CPython

size_t combine(size_t seed, size_t hash) {
    return (seed ^ hash) * 0x9E3779B97F4A7C15ull + (seed >> 7);
}

size_t hashSmall(int64_t value) {
    constexpr int64_t kModulus = (int64_t(1) << 61) - 1;
    const int64_t hash = value % kModulus;
    return static_cast<size_t>(hash == -1 ? -2 : hash);
}

size_t hashNumber(double value) {
    const auto whole = static_cast<int64_t>(std::abs(value) < 9e18 ? value : 0);
    return static_cast<double>(whole) == value ? hashSmall(whole) : hashDouble(value);
}

/// As CPython hashes a tuple: xxHash over the hashes of its items.
class TupleHash {
public:
    void add(size_t hash) {
        m_sum += hash * 14029467366897019727ull;
        m_sum = ((m_sum << 31) | (m_sum >> 33)) * 11400714785074694791ull;
        ++m_count;
    }
    size_t value() const {
        const size_t sum = m_sum + (m_count ^ (kStart ^ 3527539ull));
        return sum == kNone ? 1546275796 : sum;
    }

private:
    static constexpr size_t kStart = 2870177450012600261ull;
    size_t m_sum = kStart, m_count = 0;
};

template <class Items, class Hash>
size_t hashItems(const Items& items, Hash hash) {
    TupleHash sum;
    for (const auto& item : items)
        sum.add(hash(item));
    return sum.value();
}

size_t hashFrozen(const SetTable& table) {
    size_t hash = 0;
    for (const SetTable::Entry& entry : table.entries()) {
        const size_t key = hashOf(entry.key);
        hash ^= ((key ^ 89869747ull) ^ (key << 16)) * 3644798167ull;
    }
    hash ^= (table.size() + 1) * 1927868237ull;
    hash ^= (hash >> 11) ^ (hash >> 25);
    hash = hash * 69069ull + 907133923ull;
    return hash == kNone ? 590923713 : hash;
}

[[noreturn]] void unhashable(const Value& value) {
    raise("TypeError", "unhashable type: '" + typeName(value) + '\'');
}

/// Lists, dicts, sets and slices have no hash.
bool isUnhashable(const Value& value) {
    const auto* sequence = value.as<SequenceObject>();
    const auto* set = value.as<SetObject>();
    const auto* bytes = value.as<BytesObject>();
    return (sequence && sequence->isList) || (set && !set->isFrozen) || (bytes && bytes->isArray) ||
           value.as<DictObject>() || value.as<SliceObject>();
}

size_t hashObject(const Value& value) {
    if (isUnhashable(value))
        unhashable(value);
    if (const auto* sequence = value.as<SequenceObject>())
        return hashItems(sequence->items, hashOf);
    if (const auto* set = value.as<SetObject>())
        return hashFrozen(set->table);
    if (const auto* size = value.as<SizeObject>())
        return hashItems(size->sizes, hashSmall);
    if (const auto* bytes = value.as<BytesObject>())
        return hashText(bytes->bytes) + 1;
    if (const auto* range = value.as<RangeObject>())
        return combine(static_cast<size_t>(range->start), static_cast<size_t>(range->length()));
    if (const auto* leaf = value.as<Argument>()) {
        if (const auto* dtype = leaf->as<c10::ScalarType>())
            return 1000 + static_cast<size_t>(*dtype);
        return 999;
    }
    if (const auto* function = value.as<FunctionObject>())
        return std::hash<Target>()(function->target);
    if (const auto* space = value.as<NamespaceObject>())
        return hashText(space->path);
    if (const auto* alias = value.as<AliasObject>()) {
        size_t sum = hashOf(alias->origin); // in any order, as a union's are equal
        for (const Value& argument : alias->arguments)
            sum += hashOf(argument);
        return sum;
    }
    if (const auto* method = value.as<BoundMethodObject>())
        return combine(hashOf(method->function), reinterpret_cast<size_t>(method->self.object().get()));
    return std::hash<const void*>()(value.object().get());
}

size_t hashComplex(c10::complex<double> number) {
    const size_t hash = hashNumber(number.real()) + 1000003 * hashNumber(number.imag());
    return hash == kNone ? static_cast<size_t>(-2) : hash;
}

} // namespace

size_t hashOf(const Value& value) {
    if (const auto* big = value.as<BigIntObject>())
        return hashInteger(*big->value);
    if (value.as<InstanceObject>())
        if (Evaluator* evaluator = Evaluator::current())
            return hashValue(*evaluator, value);
    if (value.object()) {
        if (Evaluator* evaluator = Evaluator::current()) {
            evaluator->step(); // tuples that hold one another twice take as long as they are large
            evaluator->frames().checkStack();
        }
        return hashObject(value);
    }
    const c10::IValue& data = value.data();
    if (data.isString())
        return hashText(data.toStringRef());
    if (data.isInt())
        return hashSmall(data.toInt());
    if (data.isBool())
        return hashSmall(data.toBool());
    if (data.isDouble())
        return hashNumber(data.toDouble());
    if (data.isComplexDouble())
        return hashComplex(data.toComplexDouble());
    if (data.isTensor())
        return std::hash<const void*>()(data.toTensor().unsafeGetTensorImpl());
    if (const std::optional<Values> items = itemsOf(value))
        return hashItems(*items, hashOf);
    if (data.isSymInt())
        raise("TypeError", "unhashable type: non-nested SymInt");
    return data.isDevice() ? hashText(data.toDevice().str()) : 7;
}

bool isHashPythons(const Value& value) {
    if (value.as<BigIntObject>() || value.as<SizeObject>())
        return true;
    if (const auto* set = value.as<SetObject>())
        return std::all_of(set->table.entries().begin(), set->table.entries().end(),
                           [](const SetTable::Entry& entry) { return isHashPythons(entry.key); });
    if (value.object() && !value.as<SequenceObject>())
        return false;
    const c10::IValue& data = value.data();
    if (!value.object() && (data.isInt() || data.isBool() || data.isComplexDouble()))
        return true;
    if (value.isDouble())
        return !std::isnan(data.toDouble()); // a NaN is hashed by where it lies
    const std::optional<Values> items = itemsOf(value);
    return items && std::all_of(items->begin(), items->end(), isHashPythons);
}

} // namespace fx
