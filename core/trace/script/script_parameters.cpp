// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/script/script_parameters.h"

#include "core/trace/script/script_values.h"
#include "core/trace/tracer.h"

#include <ATen/ATen.h>

namespace fx {

bool isSizes(const c10::Argument& parameter) {
    const auto list = parameter.type()->cast<c10::ListType>();
    return list && list->getElementType()->kind() == c10::TypeKind::IntType;
}

Value pythonValue(const Value& value, const c10::Argument& parameter) {
    if (!value.isInt())
        return value;
    c10::TypePtr type = parameter.real_type();
    if (const auto optional = type->cast<c10::OptionalType>())
        type = optional->getElementType();
    switch (type->kind()) {
    case c10::TypeKind::ScalarTypeType:
        return Object{Argument(static_cast<c10::ScalarType>(value.data().toInt()))};
    case c10::TypeKind::LayoutType:
        return Object{Argument(static_cast<c10::Layout>(value.data().toInt()))};
    case c10::TypeKind::MemoryFormatType:
        return Object{Argument(static_cast<c10::MemoryFormat>(value.data().toInt()))};
    default:
        return value;
    }
}

bool isDefault(const Value& value, const c10::Argument& parameter) {
    // PyTorch's bindings have other defaults for `reduction` than the operators.
    if (!parameter.default_value() || holdsProxy(value) || parameter.name() == "reduction")
        return false;
    const Value otherwise = fromIValue(*parameter.default_value());
    return !holdsTensor(value) && !holdsTensor(otherwise) && areEqual(value, otherwise);
}

Value asTuple(const Value& value) {
    const auto* list = value.as<SequenceObject>();
    return list && list->isList ? makeTuple(list->items) : value;
}

} // namespace fx
