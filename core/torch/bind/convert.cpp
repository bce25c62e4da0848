// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/convert.h"

#include "core/torch/bind/unpack.h"
#include "core/torch/values/symbolic_tensors.h"

#include <ATen/ATen.h>

namespace fx {

namespace {

using c10::IValue;
using c10::TypeKind;

bool isNumber(const Value& value) {
    return value.isInt() || value.isDouble() || value.isBool() ||
           (value.isData() && value.data().isComplexDouble());
}

/// The number of a tensor that has just one.
std::optional<c10::Scalar> itemOf(const Value& value) {
    if (!value.isTensor())
        return std::nullopt;
    const at::Tensor& tensor = value.data().toTensor();
    if (!tensor.defined() || tensor.numel() != 1 || tensor.is_meta())
        return std::nullopt;
    return tensor.item();
}

std::optional<Converted> toTensor(const Value& value, bool takesNumbers) {
    if (value.isTensor())
        return Converted{value.data()};
    if (value.isNone())
        return Converted{IValue(at::Tensor())};
    if (takesNumbers && (isNumber(value) || symbolicNumber(value)))
        return Converted{IValue(numberAsTensor(value.data()))};
    return std::nullopt;
}

std::optional<Converted> toInt(const Value& value) {
    if (SymbolicNumber* number = symbolicNumber(value))
        return Converted{IValue(number->guard_int(__FILE__, __LINE__))};
    if (const auto* leaf = value.as<Argument>()) {
        if (const auto* dtype = leaf->as<c10::ScalarType>())
            return Converted{IValue(static_cast<int64_t>(*dtype))};
        if (const auto* layout = leaf->as<c10::Layout>())
            return Converted{IValue(static_cast<int64_t>(*layout))};
        if (const auto* format = leaf->as<c10::MemoryFormat>())
            return Converted{IValue(static_cast<int64_t>(*format))};
        return std::nullopt;
    }
    if (value.isInt())
        return Converted{value.data()};
    if (value.isBool())
        return Converted{IValue(int64_t(value.data().toBool()))};
    if (const auto item = itemOf(value); item && !item->isComplex())
        return Converted{IValue(item->toLong())};
    return std::nullopt;
}

std::optional<Converted> toFloat(const Value& value) {
    if (value.isDouble())
        return Converted{value.data()};
    if (value.isInt() || value.isBool())
        return Converted{IValue(value.data().toScalar().toDouble())};
    if (const auto item = itemOf(value); item && !item->isComplex())
        return Converted{IValue(item->toDouble())};
    return std::nullopt;
}

/// Python's truth of numbers and None.
std::optional<Converted> toBool(const Value& value) {
    if (value.isBool())
        return Converted{value.data()};
    if (value.isNone() || isNumber(value) || value.isTensor())
        return Converted{IValue(isTrue(value))};
    return std::nullopt;
}

std::optional<Converted> toTuple(const Value& value, const c10::TupleType& type) {
    const std::optional<Values> items = itemsOf(value);
    if (!items || items->size() != type.elements().size())
        return std::nullopt;
    std::vector<IValue> out;
    for (size_t i = 0; i < items->size(); ++i) {
        std::optional<Converted> item = convert((*items)[i], type.elements()[i], false);
        if (!item)
            return std::nullopt;
        out.push_back(std::move(item->value));
    }
    return Converted{c10::ivalue::Tuple::create(std::move(out))};
}

std::optional<Converted> toList(const Value& value, const c10::TypePtr& elementType) {
    if (value.isData() && value.data().isTensorList() && elementType->kind() == TypeKind::TensorType)
        return Converted{value.data()};
    const std::optional<Values> items = itemsOf(value);
    if (!items)
        return std::nullopt;
    // What holds symbolic numbers in a schema is a list of plain ones when it runs.
    const bool isSymbolic =
        std::ranges::any_of(*items, [](const Value& item) { return symbolicNumber(item); });
    const bool isInts = elementType->kind() == TypeKind::SymIntType && !isSymbolic;
    c10::impl::GenericList list(isInts ? c10::TypePtr(c10::IntType::get()) : elementType);
    list.reserve(items->size());
    for (const Value& item : *items) {
        std::optional<Converted> element = convert(item, elementType, false);
        if (!element)
            return std::nullopt;
        list.push_back(std::move(element->value));
    }
    return Converted{IValue(list)};
}

} // namespace

std::optional<Converted> convert(const Value& given, const c10::TypePtr& type, bool takesNumbers) {
    const Value& value = plainOf(given);
    switch (type->kind()) {
    case TypeKind::OptionalType:
        if (value.isNone())
            return Converted{IValue()};
        return convert(value, type->castRaw<c10::OptionalType>()->getElementType(), takesNumbers);
    case TypeKind::TensorType:
        return toTensor(value, takesNumbers);
    case TypeKind::SymIntType:
        if (symbolicNumber(value))
            return Converted{value.data()};
        return toInt(value);
    case TypeKind::IntType:
    case TypeKind::ScalarTypeType:
    case TypeKind::LayoutType:
    case TypeKind::MemoryFormatType:
        return toInt(value);
    case TypeKind::FloatType:
    case TypeKind::SymFloatType:
        return toFloat(value);
    case TypeKind::BoolType:
    case TypeKind::SymBoolType:
        return toBool(value);
    case TypeKind::NumberType:
        return isNumber(value) || symbolicNumber(value) ? std::optional(Converted{value.data()})
                                                        : std::nullopt;
    case TypeKind::StringType:
        return value.isString() ? std::optional(Converted{value.data()}) : std::nullopt;
    case TypeKind::DeviceObjType:
        if (value.isString() || (value.isData() && value.data().isDevice()))
            return Converted{IValue(deviceOf(value))};
        return std::nullopt;
    case TypeKind::ListType:
        return toList(value, type->castRaw<c10::ListType>()->getElementType());
    case TypeKind::TupleType:
        return toTuple(value, type->expectRef<c10::TupleType>());
    case TypeKind::AnyType:
        return value.isData() ? std::optional(Converted{value.data()}) : std::nullopt;
    default:
        // Generators, streams and class instances: whatever data has just that type.
        if (value.isData() && value.data().type()->isSubtypeOf(*type))
            return Converted{value.data()};
        return std::nullopt;
    }
}

std::optional<Converted> convert(const Value& given, const c10::Argument& parameter, bool takesNumbers) {
    const Value& value = plainOf(given);
    const c10::TypePtr& type = parameter.real_type();
    std::optional<Converted> out = convert(value, type, takesNumbers);
    if (out || !parameter.N() || !value.isInt())
        return out;
    // One int stands for a list of fixed size: dim=2 for int[1].
    c10::TypePtr listType = type;
    if (const auto* optional = listType->castRaw<c10::OptionalType>())
        listType = optional->getElementType();
    const auto* list = listType->castRaw<c10::ListType>();
    if (!list || list->getElementType()->kind() != TypeKind::IntType)
        return std::nullopt;
    const std::vector<int64_t> same(static_cast<size_t>(*parameter.N()), value.data().toInt());
    return Converted{IValue(c10::List<int64_t>(c10::IntArrayRef(same)))};
}

bool takesTensorOnly(const c10::Argument& parameter) {
    c10::TypePtr type = parameter.real_type();
    if (const auto* optional = type->castRaw<c10::OptionalType>())
        type = optional->getElementType();
    return type->kind() == TypeKind::TensorType;
}

} // namespace fx
