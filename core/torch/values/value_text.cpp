// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/values/value_text.h"

#include "core/ir/argument_text.h"
#include "core/module/tensor_slot.h"
#include "core/torch/bind/python_functions.h"

#include <ATen/ATen.h>

namespace fx {

namespace {

/// Whether Python itself writes the value.
bool isPythons(const Value& value) {
    if (!value.isData())
        return !(value.as<Argument>() || value.as<FunctionObject>() || value.as<MethodObject>() ||
                 value.as<NamespaceObject>() || value.as<ModuleObject>());
    const c10::IValue& data = value.data();
    return data.isNone() || data.isScalar() || data.isString() || data.isTuple() || data.isList();
}

} // namespace

std::string valueText(const Value& value) {
    if (isPythons(value))
        return pythonText(value);
    if (value.isTensor())
        return tensorText(value.data().toTensor());
    const auto leafText = [](const Argument& leaf) {
        return reprText(leaf, [](NodeId) { return std::string(); });
    };
    if (const auto* leaf = value.as<Argument>())
        return leafText(*leaf);
    if (const auto* function = value.as<FunctionObject>())
        return "<function " + function->target.name() + '>';
    if (const auto* method = value.as<MethodObject>())
        return "<method " + method->name + " of " + typeName(method->self) + '>';
    if (const auto* space = value.as<NamespaceObject>())
        return "<module '" + space->path + "'>";
    if (value.as<ModuleObject>())
        return "<graph module>";
    if (value.data().isGenerator())
        return "<torch._C.Generator object>";
    return value.data().isDevice() ? leafText(value.data().toDevice()) : '<' + value.data().tagKind() + '>';
}

ValueMeta describeValue(const Value& value) {
    if (value.isTensor())
        return {describe(value.data().toTensor())};
    if (const std::optional<Values> items = itemsOf(value)) {
        std::vector<ValueMeta> parts;
        for (const Value& item : *items)
            parts.push_back(describeValue(item));
        return {std::move(parts)};
    }
    if (value.isData()) {
        const c10::IValue& data = value.data();
        if (data.isBool())
            return {Argument(data.toBool())};
        if (data.isInt())
            return {Argument(data.toInt())};
        if (data.isDouble())
            return {Argument(data.toDouble())};
        if (data.isString())
            return {Argument(data.toStringRef())};
        if (data.isNone())
            return {NoneValue()};
    }
    return {Argument(OpaqueValue{valueText(value)})};
}

} // namespace fx
