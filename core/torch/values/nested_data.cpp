// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/values/nested_data.h"

#include "core/base/error.h"
#include "core/python/big_int.h"
#include "core/torch/bind/argument_faults.h"
#include "core/torch/bind/argument_parser.h"
#include "core/torch/values/arrays.h"

#include <ATen/ATen.h>

#include <cmath>
#include <limits>

namespace fx {

namespace {

using Complex = c10::complex<double>;

Values rowsOf(const at::Tensor& tensor) {
    Values rows;
    for (const at::Tensor& part : tensor.unbind(0))
        rows.push_back(part.dim() > 0 ? makeList(rowsOf(part)) : Value(c10::IValue(part.item())));
    return rows;
}

/// The items of what Python takes for a sequence; none for tensors and numbers.
std::optional<Values> sequenceItems(const Value& given) {
    if (const auto array = isArray(given) ? tensorOfArray(given) : std::nullopt; array && array->dim() > 0)
        return rowsOf(*array);
    const Value& value = plainOf(given);
    if (const auto* range = value.as<RangeObject>()) {
        Values items;
        for (int64_t i = 0; i < range->length(); ++i)
            items.push_back(makeInt(range->start + i * range->step));
        return items;
    }
    if (const auto* bytes = value.as<BytesObject>()) {
        Values items;
        for (const char c : bytes->bytes)
            items.push_back(makeInt(static_cast<unsigned char>(c)));
        return items;
    }
    return itemsOf(value);
}

std::vector<int64_t> sizesOf(Value data) {
    std::vector<int64_t> sizes;
    while (true) {
        if (plainOf(data).isString()) // whose first item is a str again
            raise("ValueError", "too many dimensions 'str'");
        const std::optional<Values> items = sequenceItems(data);
        if (!items)
            return sizes;
        sizes.push_back(static_cast<int64_t>(items->size()));
        constexpr size_t kMostDimensions = 128; // a list may hold itself
        if (sizes.size() > kMostDimensions)
            raise("ValueError", "too many dimensions '" + typeName(data) + '\'');
        if (items->empty())
            return sizes;
        data = Value(items->front());
    }
}

c10::ScalarType inferredType(const Value& given) {
    if (const std::optional<at::Tensor> array = tensorOfArray(given))
        return array->scalar_type();
    const Value& value = plainOf(given);
    if (value.isTensor())
        return value.data().toTensor().scalar_type();
    if (value.isDouble())
        return c10::get_default_dtype_as_scalartype();
    if (value.isBool())
        return c10::ScalarType::Bool;
    if (isPythonInt(value))
        return c10::ScalarType::Long;
    if (isPythonNumber(value))
        return c10::toComplexType(c10::get_default_dtype_as_scalartype());
    if (value.isString())
        raise("TypeError", "new(): invalid data type 'str'");
    const std::optional<Values> items = sequenceItems(value);
    if (!items)
        raise("RuntimeError", "Could not infer dtype of " + pythonTypeName(given));
    if (items->empty())
        return c10::get_default_dtype_as_scalartype();
    std::optional<c10::ScalarType> out;
    for (const Value& item : *items) {
        if (item.object() && item.isSame(value))
            raise("TypeError", "new(): self-referential lists are incompatible");
        const c10::ScalarType type = inferredType(item);
        out = out ? c10::promoteTypes(*out, type) : type;
    }
    return *out;
}

std::string integerName(c10::ScalarType type) {
    static constexpr std::pair<c10::ScalarType, const char*> kNames[] = {
        {c10::ScalarType::Byte, "uint8"},    {c10::ScalarType::Char, "int8"},
        {c10::ScalarType::Short, "int16"},   {c10::ScalarType::Int, "int32"},
        {c10::ScalarType::UInt16, "uint16"}, {c10::ScalarType::UInt32, "uint32"},
        {c10::ScalarType::UInt64, "uint64"}};
    for (const auto& [each, name] : kNames)
        if (each == type)
            return name;
    return "int64_t";
}

void checkRange(int64_t number, c10::ScalarType type) {
    const auto size = static_cast<int>(8 * c10::elementSize(type));
    if (size == 64)
        return;
    const bool isSigned = c10::isSignedType(type);
    const int64_t most = (int64_t(1) << (isSigned ? size - 1 : size)) - 1;
    const int64_t least = isSigned ? -most - 1 : -most; // -1 for 255 is let through, as PyTorch does
    if (number > most || number < least)
        raise("RuntimeError", "value cannot be converted to type " + integerName(type) + " without overflow");
}

/// The numbers of nested sequences one after the other.
template <class Number>
class Flattened {
public:
    Flattened(const std::vector<int64_t>& sizes, c10::ScalarType type) : m_sizes(sizes), m_type(type) {}

    void read(const Value& data, size_t depth = 0) {
        if (depth == m_sizes.size()) {
            m_numbers.push_back(number(plainOf(data)));
            return;
        }
        const std::optional<Values> items = sequenceItems(data);
        if (!items)
            raise("TypeError", "not a sequence");
        if (static_cast<int64_t>(items->size()) != m_sizes[depth])
            raise("ValueError", "expected sequence of length " + std::to_string(m_sizes[depth]) + " at dim " +
                                    std::to_string(depth) + " (got " + std::to_string(items->size()) + ")");
        for (const Value& item : *items)
            read(item, depth + 1);
    }

    at::Tensor tensor() {
        return at::from_blob(m_numbers.data(), m_sizes, c10::CppTypeToScalarType<Number>::value)
            .to(m_type, false, true);
    }

private:
    Number number(Value value) const {
        if (value.isTensor()) {
            const at::Tensor& tensor = value.data().toTensor();
            if (tensor.numel() != 1)
                raise("ValueError", "only one element tensors can be converted to Python scalars");
            value = c10::IValue(tensor.item());
        }
        if (const auto* big = value.as<BigIntObject>()) {
            const bool isWord = std::is_same_v<Number, int64_t> && m_type == c10::ScalarType::UInt64 &&
                                big->value->sign() > 0 && big->value->bitLength() <= 64;
            if (!isWord)
                raise("ValueError", "Overflow when unpacking long long");
            return static_cast<Number>(static_cast<int64_t>(mpz_get_ui(big->value->get())));
        }
        if (!isPythonNumber(value))
            refuse(value);
        const c10::Scalar scalar = value.data().toScalar();
        if constexpr (std::is_same_v<Number, Complex>) {
            return scalar.toComplexDouble();
        } else {
            if (scalar.isComplex())
                refuse(value);
            return real(scalar);
        }
    }
    Number real(const c10::Scalar& scalar) const {
        if constexpr (std::is_same_v<Number, int64_t>) {
            if (m_type == c10::ScalarType::Bool)
                return scalar.toDouble() != 0;
            const int64_t whole = scalar.isFloatingPoint()
                                      ? static_cast<int64_t>(std::trunc(scalar.toDouble()))
                                      : scalar.toLong();
            checkRange(whole, m_type);
            return whole;
        } else if constexpr (std::is_same_v<Number, double>) {
            return scalar.toDouble();
        }
        return {};
    }
    [[noreturn]] static void refuse(const Value& value) {
        if (value.isString() && std::is_same_v<Number, int64_t>)
            raise("TypeError", "new(): invalid data type 'str'");
        if (std::is_same_v<Number, int64_t>)
            raise("TypeError", '\'' + pythonTypeName(value) + "' object cannot be interpreted as an integer");
        raise("TypeError", "must be real number, not " + pythonTypeName(value));
    }

    const std::vector<int64_t>& m_sizes;
    const c10::ScalarType m_type;
    std::vector<Number> m_numbers;
};

template <class Number>
at::Tensor made(const Value& data, const std::vector<int64_t>& sizes, c10::ScalarType type) {
    Flattened<Number> numbers(sizes, type);
    numbers.read(data);
    return numbers.tensor();
}

} // namespace

at::Tensor tensorFromData(const Value& data, std::optional<c10::ScalarType> dtype,
                          std::optional<c10::Device> device) {
    if (plainOf(data).isString())
        raise("TypeError", "new(): invalid data type 'str'");
    const std::vector<int64_t> sizes = sizesOf(data);
    const c10::ScalarType type = dtype ? *dtype : inferredType(data);
    at::Tensor out = c10::isComplexType(type)          ? made<Complex>(data, sizes, type)
                     : c10::isIntegralType(type, true) ? made<int64_t>(data, sizes, type)
                                                       : made<double>(data, sizes, type);
    return device ? out.to(*device) : out;
}

} // namespace fx
