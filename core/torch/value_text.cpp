// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/value_text.h"

#include "core/base/text.h"
#include "core/ir/argument_text.h"
#include "core/module/tensor_slot.h"

#include <ATen/ATen.h>

namespace fx {

std::string valueText(const Value& value) {
    const auto listed = [](const Values& items) {
        std::vector<std::string> parts;
        for (const Value& item : items)
            parts.push_back(valueText(item));
        return join(parts, ", ");
    };
    if (const auto* size = value.as<SizeObject>()) {
        std::vector<std::string> parts;
        for (int64_t i : size->sizes)
            parts.push_back(std::to_string(i));
        return "torch.Size([" + join(parts, ", ") + "])";
    }
    if (const std::optional<Values> items = itemsOf(value)) {
        if (typeName(value) == "list")
            return '[' + listed(*items) + ']';
        return '(' + listed(*items) + (items->size() == 1 ? ",)" : ")");
    }
    if (const auto* dict = value.as<DictObject>()) {
        std::vector<std::string> parts;
        for (const auto& [key, item, hash] : dict->entries())
            parts.push_back(valueText(key) + ": " + valueText(item));
        return '{' + join(parts, ", ") + '}';
    }
    if (const auto* leaf = value.as<Argument>())
        return reprText(*leaf, [](NodeId) { return std::string(); });
    if (const auto* slice = value.as<SliceObject>())
        return "slice(" + listed({slice->start, slice->stop, slice->step}) + ')';
    if (const auto* function = value.as<FunctionObject>())
        return "<function " + function->target.name() + '>';
    if (const auto* method = value.as<MethodObject>())
        return "<method " + method->name + " of " + typeName(method->self) + '>';
    if (const auto* space = value.as<NamespaceObject>())
        return "<module '" + space->path + "'>";
    if (value.as<ModuleObject>())
        return "<graph module>";
    const c10::IValue& data = value.data();
    if (data.isNone())
        return "None";
    if (data.isTensor())
        return tensorText(data.toTensor());
    if (data.isBool())
        return data.toBool() ? "True" : "False";
    if (data.isInt())
        return std::to_string(data.toInt());
    if (data.isDouble())
        return pythonFloat(data.toDouble());
    if (data.isComplexDouble())
        return pythonComplex({data.toComplexDouble().real(), data.toComplexDouble().imag()});
    if (data.isString())
        return pythonRepr(data.toStringRef());
    if (data.isDevice())
        return reprText(Argument(data.toDevice()), [](NodeId) { return std::string(); });
    return '<' + data.tagKind() + '>';
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
