// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/convert.h"

#include "core/ir/dtype.h"

#include <ATen/ATen.h>
#include <ATen/ScalarOps.h>

namespace fx {

namespace {

using c10::IValue;
using c10::TypeKind;

/// Steps away from an exact match, smallest first.
enum Effort { kExact = 0, kPromoted = 1, kItem = 4, kBroadcast = 5, kWrapped = 8 };

bool isNumber(const IValue& data) {
    return data.isInt() || data.isDouble() || data.isBool() || data.isComplexDouble();
}

/// A number as the tensor that type promotion treats as a number.
at::Tensor wrapped(const IValue& number) {
    at::Tensor tensor = c10::scalar_to_tensor(number.toScalar());
    tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
    return tensor;
}

std::optional<IValue> itemOf(const Value& value) {
    if (!value.isTensor())
        return std::nullopt;
    const at::Tensor& tensor = value.data().toTensor();
    if (!tensor.defined() || tensor.dim() != 0 || tensor.is_meta())
        return std::nullopt;
    return IValue(tensor.item());
}

std::optional<Converted> toInt(const Value& value) {
    if (const auto* leaf = value.as<Argument>()) {
        if (const auto* dtype = leaf->as<c10::ScalarType>())
            return Converted{IValue(static_cast<int64_t>(*dtype))};
        if (const auto* layout = leaf->as<c10::Layout>())
            return Converted{IValue(static_cast<int64_t>(*layout))};
        if (const auto* format = leaf->as<c10::MemoryFormat>())
            return Converted{IValue(static_cast<int64_t>(*format))};
        return std::nullopt;
    }
    if (!value.isData())
        return std::nullopt;
    if (value.data().isInt())
        return Converted{value.data()};
    if (value.data().isBool())
        return Converted{IValue(int64_t(value.data().toBool())), kPromoted};
    if (const auto item = itemOf(value); item && item->isInt())
        return Converted{*item, kItem};
    return std::nullopt;
}

std::optional<Converted> toFloat(const Value& value) {
    if (!value.isData())
        return std::nullopt;
    const IValue& data = value.data();
    if (data.isDouble())
        return Converted{data};
    if (data.isInt() || data.isBool())
        return Converted{IValue(data.toScalar().toDouble()), kPromoted};
    if (const auto item = itemOf(value); item && !item->isComplexDouble())
        return Converted{IValue(item->toScalar().toDouble()), kItem};
    return std::nullopt;
}

std::optional<Converted> toBool(const Value& value) {
    if (value.isData() && value.data().isBool())
        return Converted{value.data()};
    if (const auto item = itemOf(value); item && item->isBool())
        return Converted{*item, kItem};
    return std::nullopt;
}

std::optional<Converted> toList(const Value& value, const c10::TypePtr& elementType) {
    const std::optional<Values> items = itemsOf(value);
    if (!items)
        return std::nullopt;
    Converted out;
    // What holds symbolic numbers in a schema is a list of plain ones when it runs.
    const bool isInts = elementType->kind() == TypeKind::SymIntType;
    c10::impl::GenericList list(isInts ? c10::TypePtr(c10::IntType::get()) : elementType);
    list.reserve(items->size());
    for (const Value& item : *items) {
        std::optional<Converted> element = convert(item, elementType);
        if (!element)
            return std::nullopt;
        out.effort = std::max(out.effort, element->effort);
        list.push_back(std::move(element->value));
    }
    out.value = IValue(std::move(list));
    return out;
}

std::optional<Converted> toDevice(const Value& value) {
    if (!value.isData())
        return std::nullopt;
    if (value.data().isDevice())
        return Converted{value.data()};
    if (value.data().isString())
        return Converted{IValue(c10::Device(value.data().toStringRef())), kPromoted};
    return std::nullopt;
}

} // namespace

std::optional<Converted> convert(const Value& given, const c10::TypePtr& type) {
    const Value& value = plainOf(given);
    switch (type->kind()) {
    case TypeKind::OptionalType:
        if (value.isNone())
            return Converted{IValue()};
        return convert(value, type->castRaw<c10::OptionalType>()->getElementType());
    case TypeKind::TensorType:
        if (value.isTensor())
            return Converted{value.data()};
        if (value.isData() && isNumber(value.data()))
            return Converted{IValue(wrapped(value.data())), kWrapped};
        return std::nullopt;
    case TypeKind::IntType:
    case TypeKind::SymIntType:
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
        if (value.isData() && isNumber(value.data()))
            return Converted{value.data()};
        if (const auto item = itemOf(value))
            return Converted{*item, kItem};
        return std::nullopt;
    case TypeKind::StringType:
        return value.isData() && value.data().isString() ? std::optional(Converted{value.data()})
                                                         : std::nullopt;
    case TypeKind::DeviceObjType:
        return toDevice(value);
    case TypeKind::ListType:
        return toList(value, type->castRaw<c10::ListType>()->getElementType());
    case TypeKind::AnyType:
        return value.isData() ? std::optional(Converted{value.data()}) : std::nullopt;
    default:
        // Generators, streams and class instances: whatever data has just that type.
        if (value.isData() && value.data().type()->isSubtypeOf(*type))
            return Converted{value.data()};
        return std::nullopt;
    }
}

std::optional<Converted> convert(const Value& given, const c10::Argument& parameter) {
    const Value& value = plainOf(given);
    const c10::TypePtr& type = parameter.real_type();
    std::optional<Converted> out = convert(value, type);
    if (out || !parameter.N())
        return out;
    // One number stands for a list of fixed size: stride=2 for int[2].
    c10::TypePtr listType = type;
    if (const auto* optional = listType->castRaw<c10::OptionalType>())
        listType = optional->getElementType();
    const auto* list = listType->castRaw<c10::ListType>();
    if (!list || list->getElementType()->kind() == TypeKind::TensorType)
        return std::nullopt;
    const std::optional<Converted> element = convert(value, list->getElementType());
    if (!element)
        return std::nullopt;
    const bool isInts = list->getElementType()->kind() == TypeKind::SymIntType;
    c10::impl::GenericList items(isInts ? c10::TypePtr(c10::IntType::get()) : list->getElementType());
    for (int i = 0; i < *parameter.N(); ++i)
        items.push_back(element->value);
    return Converted{IValue(std::move(items)), kBroadcast};
}

bool takesTensorOnly(const c10::Argument& parameter) {
    c10::TypePtr type = parameter.real_type();
    if (const auto* optional = type->castRaw<c10::OptionalType>())
        type = optional->getElementType();
    return type->kind() == TypeKind::TensorType;
}

} // namespace fx
