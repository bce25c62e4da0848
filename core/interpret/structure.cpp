// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/structure.h"

#include <ATen/ATen.h>

namespace fx {

namespace {

Value build(const TreeSpec& spec, const Values& leaves, size_t& next) {
    using Kind = TreeSpec::Kind;
    if (spec.kind == Kind::Leaf)
        return next < leaves.size() ? leaves[next++] : Value();
    Values children;
    for (const TreeSpec& child : spec.children)
        children.push_back(build(child, leaves, next));
    if (spec.kind == Kind::Dict) {
        std::vector<std::pair<Value, Value>> items;
        for (size_t i = 0; i < children.size() && i < spec.keys.size(); ++i)
            items.emplace_back(makeValue(spec.keys[i], nullptr), children[i]);
        return makeDict(std::move(items));
    }
    return makeSequence(std::move(children), spec.kind == Kind::List);
}

void collect(const Value& value, Values& leaves) {
    if (const auto* dict = value.as<DictObject>()) {
        for (const auto& [key, item, hash] : dict->entries())
            collect(item, leaves);
    } else if (const std::optional<Values> items = itemsOf(value)) {
        for (const Value& item : *items)
            collect(item, leaves);
    } else {
        leaves.push_back(value);
    }
}

} // namespace

Value structured(const std::optional<Signature>& signature, const Value& result) {
    if (!signature || !signature->outputs)
        return result;
    const std::optional<Values> items = itemsOf(result);
    size_t next = 0;
    return build(*signature->outputs, items ? *items : Values{result}, next);
}

Values callArguments(const Signature& signature, const Values& flat) {
    size_t next = 0;
    const Value nested = build(signature.inputs, flat, next);
    Values out;
    for (const Value& part : signature.hasKeywords() ? *itemsOf(nested) : Values{nested}) {
        if (const auto* dict = part.as<DictObject>())
            for (const auto& [key, item, hash] : dict->entries())
                out.push_back(item);
        else if (const std::optional<Values> items = itemsOf(part))
            out.insert(out.end(), items->begin(), items->end());
    }
    return out;
}

Values flattened(const Value& value) {
    Values leaves;
    collect(value, leaves);
    return leaves;
}

Values flattenedFields(const Value& value) {
    Values out;
    for (const Value& leaf : flattened(value)) {
        const auto* instance = leaf.as<InstanceObject>();
        if (!instance || !plainOf(leaf).as<InstanceObject>()) {
            out.push_back(leaf);
            continue;
        }
        for (const DictObject::Entry& entry : instance->dict.as<DictObject>()->entries())
            for (Value& field : flattenedFields(entry.value))
                out.push_back(std::move(field));
    }
    return out;
}

Value mapTensors(const Value& value, const std::function<at::Tensor(const at::Tensor&)>& map) {
    if (value.isTensor()) {
        at::Tensor mapped = map(value.data().toTensor());
        return mapped.defined() ? Value(c10::IValue(std::move(mapped))) : Value();
    }
    if (const auto* dict = value.as<DictObject>()) {
        std::vector<std::pair<Value, Value>> entries;
        for (const auto& [key, item, hash] : dict->entries())
            entries.emplace_back(key, mapTensors(item, map));
        return makeDict(std::move(entries));
    }
    const std::optional<Values> items = itemsOf(value);
    if (!items)
        return value;
    Values out;
    for (const Value& item : *items)
        out.push_back(mapTensors(item, map));
    const auto* list = value.as<SequenceObject>();
    return list && list->isList ? makeList(std::move(out)) : makeTuple(std::move(out));
}

GraphInputs mapTensors(GraphInputs inputs, const std::function<at::Tensor(const at::Tensor&)>& map) {
    for (Value& value : inputs.values)
        value = mapTensors(value, map);
    for (auto& [name, value] : inputs.keywords)
        value = mapTensors(value, map);
    return inputs;
}

GraphInputs onDevice(GraphInputs inputs, std::optional<c10::Device> device) {
    if (!device)
        return inputs;
    return mapTensors(std::move(inputs), [&](const at::Tensor& tensor) {
        return tensor.defined() ? tensor.to(*device) : tensor;
    });
}

namespace {

at::Tensor ownTensor(const at::Tensor& tensor) {
    return tensor.detach().clone().set_requires_grad(tensor.requires_grad());
}

} // namespace

Value withOwnTensors(const Value& value) {
    return mapTensors(value, ownTensor);
}

GraphInputs withOwnTensors(GraphInputs inputs) {
    return mapTensors(std::move(inputs), ownTensor);
}

} // namespace fx
