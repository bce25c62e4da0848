// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/operator_arguments.h"

#include "core/base/error.h"

namespace fx {

namespace {

using c10::IValue;
using c10::TypeKind;

Argument argumentOf(const IValue& value, const c10::Type& type, const NodeOfTensor& nodeOf) {
    if (value.isNone())
        return NoneValue();
    if (const auto* optional = type.castRaw<c10::OptionalType>())
        return argumentOf(value, *optional->getElementType(), nodeOf);
    if (value.isTensor()) {
        if (!value.toTensor().defined())
            return NoneValue();
        if (value.toTensor().unsafeGetTensorImpl()->is_wrapped_number()) // of a number that was written there
            return argumentOf(value.toTensor().item(), *c10::NumberType::get(), nodeOf);
        return nodeOf(value.toTensor());
    }
    if (value.isList()) {
        const auto* list = type.castRaw<c10::ListType>();
        Arguments items;
        for (const IValue& item : value.toListRef())
            items.push_back(argumentOf(item, list ? *list->getElementType() : *c10::AnyType::get(), nodeOf));
        return ListValue{std::move(items)};
    }
    if (value.isTuple()) {
        Arguments items;
        for (const IValue& item : value.toTupleRef().elements())
            items.push_back(argumentOf(item, *c10::AnyType::get(), nodeOf));
        return TupleValue{std::move(items)};
    }
    if (value.isBool())
        return value.toBool();
    if (value.isInt() || value.isSymInt()) {
        const int64_t number = value.isInt() ? value.toInt() : value.toSymInt().guard_int(__FILE__, __LINE__);
        switch (type.kind()) {
        case TypeKind::ScalarTypeType:
            return static_cast<c10::ScalarType>(number);
        case TypeKind::LayoutType:
            return static_cast<c10::Layout>(number);
        case TypeKind::MemoryFormatType:
            return static_cast<c10::MemoryFormat>(number);
        default:
            return number;
        }
    }
    if (value.isDouble())
        return value.toDouble();
    if (value.isComplexDouble()) {
        const c10::complex<double> number = value.toComplexDouble();
        return std::complex<double>(number.real(), number.imag());
    }
    if (value.isString())
        return value.toStringRef();
    if (value.isDevice())
        return value.toDevice();
    throw Error("", "a graph cannot hold a " + type.str() + " as an argument");
}

bool isDefault(const c10::Argument& parameter, const IValue& value) {
    const std::optional<IValue>& byDefault = parameter.default_value();
    if (!byDefault || value.isTensor())
        return false;
    return *byDefault == value;
}

} // namespace

OperatorArguments operatorArguments(const c10::FunctionSchema& schema, at::ArrayRef<IValue> given,
                                    const NodeOfTensor& nodeOf) {
    const std::vector<c10::Argument>& parameters = schema.arguments();
    size_t positional = 0;
    for (size_t i = 0; i < parameters.size(); ++i)
        if (!parameters[i].kwarg_only() && !isDefault(parameters[i], given[i]))
            positional = i + 1;
    OperatorArguments out;
    for (size_t i = 0; i < parameters.size(); ++i) {
        const c10::Argument& parameter = parameters[i];
        const c10::Type& type = *parameter.real_type();
        if (i < positional)
            out.args.push_back(argumentOf(given[i], type, nodeOf));
        else if (parameter.kwarg_only() && !isDefault(parameter, given[i]))
            out.kwargs.emplace_back(parameter.name(), argumentOf(given[i], type, nodeOf));
    }
    return out;
}

void forEachTensor(const IValue& value, const std::function<void(const at::Tensor&)>& visit) {
    if (value.isTensor() && value.toTensor().defined())
        visit(value.toTensor());
    else if (value.isList())
        for (const IValue& item : value.toListRef())
            forEachTensor(item, visit);
    else if (value.isTuple())
        for (const IValue& item : value.toTupleRef().elements())
            forEachTensor(item, visit);
}

} // namespace fx
