// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/value.h"

#include "core/base/error.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

Value::Value(const Object& object) : m_object(std::make_shared<Object>(object)) {}

Value makeSequence(Values items, bool isList) {
    // Only lists of one kind and tuples of data have a form in LibTorch that Python's functions share.
    const bool isData =
        std::all_of(items.begin(), items.end(), [](const Value& item) { return item.isData(); });
    if (!isData || isList)
        return Object{SequenceObject{std::move(items), isList}};
    std::vector<c10::IValue> data;
    for (const Value& item : items)
        data.push_back(item.data());
    return c10::IValue(c10::ivalue::Tuple::create(std::move(data)));
}

Value makeDict(std::vector<std::pair<Value, Value>> items) {
    return Object{DictObject{std::move(items)}};
}

Value makeValue(const Argument& argument, const std::function<Value(NodeId)>& nodeValue) {
    if (const auto* node = argument.as<NodeId>())
        return nodeValue(*node);
    if (argument.isNone())
        return {};
    if (const auto* value = argument.as<bool>())
        return c10::IValue(*value);
    if (const auto* value = argument.as<int64_t>())
        return c10::IValue(*value);
    if (const auto* value = argument.as<double>())
        return c10::IValue(*value);
    if (const auto* value = argument.as<std::complex<double>>())
        return c10::IValue(c10::complex<double>(*value));
    if (const auto* value = argument.as<std::string>())
        return c10::IValue(*value);
    if (const auto* value = argument.as<c10::Device>())
        return c10::IValue(*value);
    if (const auto* items = argument.items()) {
        Values values;
        for (const Argument& item : *items)
            values.push_back(makeValue(item, nodeValue));
        return makeSequence(std::move(values), argument.as<ListValue>() != nullptr);
    }
    if (const auto* dict = argument.as<DictValue>()) {
        std::vector<std::pair<Value, Value>> items;
        for (const auto& [key, item] : dict->items)
            items.emplace_back(makeValue(key, nodeValue), makeValue(item, nodeValue));
        return makeDict(std::move(items));
    }
    if (const auto* slice = argument.as<SliceValue>())
        return Object{SliceObject{makeValue(slice->parts[0], nodeValue),
                                  makeValue(slice->parts[1], nodeValue),
                                  makeValue(slice->parts[2], nodeValue)}};
    if (const auto* range = argument.as<RangeValue>()) {
        Values values;
        for (int64_t i = range->start; range->step > 0 ? i < range->stop : i > range->stop; i += range->step)
            values.push_back(c10::IValue(i));
        return makeSequence(std::move(values), true);
    }
    if (const auto* function = argument.as<FunctionValue>())
        return Object{FunctionObject{function->target}};
    return Object{argument};
}

std::optional<Values> itemsOf(const Value& value) {
    if (const auto* sequence = value.as<SequenceObject>())
        return sequence->items;
    Values items;
    if (const auto* size = value.as<SizeObject>()) {
        for (int64_t i : size->sizes)
            items.emplace_back(c10::IValue(i));
        return items;
    }
    if (!value.isData())
        return std::nullopt;
    if (value.data().isTuple()) {
        for (const c10::IValue& item : value.data().toTupleRef().elements())
            items.emplace_back(item);
        return items;
    }
    if (value.data().isList()) {
        for (const c10::IValue& item : value.data().toListRef())
            items.emplace_back(item);
        return items;
    }
    return std::nullopt;
}

std::string typeName(const Value& value) {
    if (const auto* leaf = value.as<Argument>()) {
        if (leaf->as<c10::ScalarType>())
            return "torch.dtype";
        if (leaf->as<c10::Layout>())
            return "torch.layout";
        if (leaf->as<c10::MemoryFormat>())
            return "torch.memory_format";
        return leaf->as<EllipsisValue>() ? "ellipsis" : "object";
    }
    if (const auto* sequence = value.as<SequenceObject>())
        return sequence->isList ? "list" : "tuple";
    if (value.as<DictObject>())
        return "dict";
    if (value.as<SliceObject>())
        return "slice";
    if (value.as<SizeObject>())
        return "torch.Size";
    if (value.as<FunctionObject>() || value.as<MethodObject>())
        return "function";
    if (value.as<NamespaceObject>() || value.as<ModuleObject>())
        return "module";
    const c10::IValue& data = value.data();
    if (data.isNone())
        return "NoneType";
    if (data.isTensor())
        return "Tensor";
    if (data.isBool())
        return "bool";
    if (data.isInt())
        return "int";
    if (data.isDouble())
        return "float";
    if (data.isComplexDouble())
        return "complex";
    if (data.isString())
        return "str";
    if (data.isTuple())
        return "tuple";
    if (data.isList())
        return "list";
    if (data.isDevice())
        return "torch.device";
    return data.tagKind();
}

bool isTrue(const Value& value) {
    if (const std::optional<Values> items = itemsOf(value))
        return !items->empty();
    if (const auto* dict = value.as<DictObject>())
        return !dict->items.empty();
    if (!value.isData())
        return true;
    const c10::IValue& data = value.data();
    if (data.isNone())
        return false;
    if (data.isBool())
        return data.toBool();
    if (data.isInt())
        return data.toInt() != 0;
    if (data.isDouble())
        return data.toDouble() != 0;
    if (data.isComplexDouble())
        return data.toComplexDouble() != c10::complex<double>();
    if (data.isString())
        return !data.toStringRef().empty();
    if (data.isTensor()) {
        const at::Tensor& tensor = data.toTensor();
        if (tensor.numel() == 0)
            throw Error("", "Boolean value of Tensor with no values is ambiguous");
        if (tensor.numel() > 1)
            throw Error("", "Boolean value of Tensor with more than one value is ambiguous");
        return tensor.is_nonzero();
    }
    return true;
}

} // namespace fx
