// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/operator_arguments.h"

#include "core/base/error.h"
#include "core/torch/values/symbolic_tensors.h"

namespace fx {

namespace {

using c10::IValue;
using c10::TypeKind;

struct Stands {
    const NodeOfTensor& nodeOf;
    const ArgumentOfNumber& ofNumber;
};

Argument argumentOf(const IValue& value, const c10::Type& type, const Stands& stands) {
    if (value.isNone())
        return NoneValue();
    if (const auto* optional = type.castRaw<c10::OptionalType>())
        return argumentOf(value, *optional->getElementType(), stands);
    if (value.isTensor()) {
        if (!value.toTensor().defined())
            return NoneValue();
        if (const c10::SymNode number = numberOfWrapped(value.toTensor()); number && stands.ofNumber)
            return stands.ofNumber(number);
        if (value.toTensor().unsafeGetTensorImpl()->is_wrapped_number()) // of a number that was written there
            return argumentOf(value.toTensor().item(), *c10::NumberType::get(), stands);
        return stands.nodeOf(value.toTensor());
    }
    if (value.isList()) {
        const auto* list = type.castRaw<c10::ListType>();
        Arguments items;
        for (const IValue& item : value.toListRef())
            items.push_back(argumentOf(item, list ? *list->getElementType() : *c10::AnyType::get(), stands));
        return ListValue{std::move(items)};
    }
    if (value.isTuple()) {
        Arguments items;
        for (const IValue& item : value.toTupleRef().elements())
            items.push_back(argumentOf(item, *c10::AnyType::get(), stands));
        return TupleValue{std::move(items)};
    }
    if (const c10::SymNode number = symbolicNode(value); number && stands.ofNumber)
        return stands.ofNumber(number);
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
    if (!byDefault || value.isTensor() || symbolicNode(value))
        return false;
    return *byDefault == value;
}

} // namespace

c10::SymNode symbolicNode(const IValue& value) {
    return value.isSymInt()     ? value.toSymInt().toSymNode()
           : value.isSymFloat() ? value.toSymFloat().toSymNodeImpl()
           : value.isSymBool()  ? value.toSymBool().toSymNodeImpl()
                                : c10::SymNode();
}

OperatorArguments operatorArguments(const c10::FunctionSchema& schema, at::ArrayRef<IValue> given,
                                    const NodeOfTensor& nodeOf, const ArgumentOfNumber& ofNumber) {
    const Stands stands{nodeOf, ofNumber};
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
            out.args.push_back(argumentOf(given[i], type, stands));
        else if (parameter.kwarg_only() && !isDefault(parameter, given[i]))
            out.kwargs.emplace_back(parameter.name(), argumentOf(given[i], type, stands));
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

IValue withTensors(const IValue& value, const std::function<at::Tensor(const at::Tensor&)>& change) {
    if (value.isTensor())
        return value.toTensor().defined() ? IValue(change(value.toTensor())) : value;
    if (!value.isList())
        return value;
    c10::List<IValue> out = value.toList().copy();
    for (size_t i = 0; i < out.size(); ++i)
        out.set(i, withTensors(value.toListRef()[i], change));
    return out;
}

} // namespace fx
