// SPDX-License-Identifier: GPL-3.0-or-later
// Subscripts: of tensors with all that Python allows between the brackets, and of containers.
#include "core/base/error.h"
#include "core/torch/call.h"
#include "core/torch/python_functions.h"
#include "core/torch/python_numbers.h"

#include <ATen/ATen.h>
#include <ATen/TensorIndexing.h>

#include <algorithm>

namespace fx {

namespace {

using at::indexing::TensorIndex;
using c10::IValue;

std::optional<int64_t> sliceBound(const Value& bound) {
    if (bound.isNone())
        return std::nullopt;
    const Value whole = toNumber(bound, true);
    return whole.data().toInt();
}

at::indexing::Slice toSlice(const SliceObject& slice) {
    const auto part = [](const Value& bound) -> std::optional<c10::SymInt> {
        const std::optional<int64_t> value = sliceBound(bound);
        return value ? std::optional<c10::SymInt>(*value) : std::nullopt;
    };
    return {part(slice.start), part(slice.stop), part(slice.step)};
}

TensorIndex toIndex(const Value& index) {
    if (index.isNone())
        return at::indexing::None;
    if (const auto* leaf = index.as<Argument>(); leaf && leaf->as<EllipsisValue>())
        return at::indexing::Ellipsis;
    if (const auto* slice = index.as<SliceObject>())
        return toSlice(*slice);
    if (index.isTensor())
        return index.data().toTensor();
    if (index.isData() && index.data().isBool())
        return index.data().toBool();
    if (index.isData() && index.data().isInt())
        return index.data().toInt();
    if (itemsOf(index))
        return callFunction("torch.tensor", {index}, {}).data().toTensor();
    throw Error(
        "",
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices "
        "(got " +
            typeName(index) + ')');
}

std::vector<TensorIndex> toIndices(const Value& index) {
    const std::optional<Values> parts = typeName(index) == "tuple" ? itemsOf(index) : std::nullopt;
    std::vector<TensorIndex> out;
    for (const Value& part : parts ? *parts : Values{index})
        out.push_back(toIndex(part));
    return out;
}

/// The items that a slice picks, by Python's rules for bounds beyond the ends.
Values sliced(const Values& items, const SliceObject& slice) {
    const auto size = static_cast<int64_t>(items.size());
    const int64_t step = sliceBound(slice.step).value_or(1);
    if (step == 0)
        throw Error("", "slice step cannot be zero");
    const auto clamp = [&](std::optional<int64_t> bound, int64_t otherwise) {
        if (!bound)
            return otherwise;
        const int64_t at = *bound < 0 ? *bound + size : *bound;
        return step > 0 ? std::clamp<int64_t>(at, 0, size) : std::clamp<int64_t>(at, -1, size - 1);
    };
    const int64_t start = clamp(sliceBound(slice.start), step > 0 ? 0 : size - 1);
    const int64_t stop = clamp(sliceBound(slice.stop), step > 0 ? size : -1);
    Values out;
    for (int64_t i = start; step > 0 ? i < stop : i > stop; i += step)
        out.push_back(items[static_cast<size_t>(i)]);
    return out;
}

} // namespace

Value getItem(const Value& object, const Value& index) {
    if (object.isTensor()) {
        Value result;
        guarded([&] {
            const std::vector<TensorIndex> indices = toIndices(index);
            const at::Tensor& tensor = object.data().toTensor();
            result = IValue(indices.empty() ? tensor.alias() : tensor.index(indices)); // x[()] is all of x
        });
        return result;
    }
    if (const auto* dict = object.as<DictObject>()) {
        for (const auto& [key, value, hash] : dict->entries())
            if (isEqual(key, index))
                return value;
        throw Error("", "KeyError: the dict has no such key");
    }
    const std::optional<Values> items = itemsOf(object);
    if (!items)
        throw Error("", '\'' + typeName(object) + "' object is not subscriptable");
    if (const auto* slice = index.as<SliceObject>())
        return makeSequence(sliced(*items, *slice), typeName(object) == "list");
    if (!isInteger(index))
        throw Error("", typeName(object) + " indices must be integers or slices, not " + typeName(index));
    const auto size = static_cast<int64_t>(items->size());
    const int64_t at = asInt(index) < 0 ? asInt(index) + size : asInt(index);
    if (at < 0 || at >= size)
        throw Error("", typeName(object) + " index out of range");
    return (*items)[static_cast<size_t>(at)];
}

void setItem(const Value& object, const Value& index, const Value& value) {
    if (!object.isTensor())
        throw Error("", '\'' + typeName(object) + "' object does not support item assignment here");
    guarded([&] {
        at::Tensor tensor = object.data().toTensor();
        if (value.isTensor())
            tensor.index_put_(toIndices(index), value.data().toTensor());
        else
            tensor.index_put_(toIndices(index), toNumber(value, !value.data().isDouble()).data().toScalar());
    });
}

} // namespace fx
