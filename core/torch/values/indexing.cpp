// SPDX-License-Identifier: GPL-3.0-or-later
// Subscripts of tensors, with all that Python allows between the brackets.
#include "core/python/big_int.h"
#include "core/python/types/support.h"
#include "core/torch/bind/call.h"
#include "core/torch/bind/python_functions.h"
#include "core/torch/values/symbolic_tensors.h"
#include "core/torch/values/thread_modes.h"

#include <ATen/ATen.h>
#include <ATen/TensorIndexing.h>

#include <algorithm>

namespace fx {

namespace {

using at::indexing::TensorIndex;
using c10::IValue;

/// The items of what PyTorch takes for a sequence of indices; none for tensors.
std::optional<Values> indexSequence(const Value& value) {
    if (const auto* range = value.as<RangeObject>()) {
        Values items;
        for (int64_t i = 0; i < range->length(); ++i)
            items.push_back(makeInt(range->start + i * range->step));
        return items;
    }
    return itemsOf(value);
}

[[noreturn]] void refuseOverflow() {
    raise("ValueError", "Overflow when unpacking long long");
}

/// A bound of a slice. Beyond 64 bits it lies behind any end.
std::optional<c10::SymInt> sliceBound(const Value& given) {
    const Value& bound = plainOf(given);
    if (bound.isNone())
        return std::nullopt;
    if (isSmallInt(bound))
        return c10::SymInt(smallInt(bound));
    if (symbolicNumber(bound))
        return bound.data().toSymInt();
    if (bound.as<BigIntObject>())
        return c10::SymInt(bigIntOf(bound).sign() < 0 ? INT64_MIN + 1 : INT64_MAX);
    if (bound.isTensor() && c10::isIntegralType(bound.data().toTensor().scalar_type(), true) &&
        bound.data().toTensor().numel() == 1)
        return c10::SymInt(bound.data().toTensor().item().toLong());
    raise("TypeError", bound.isTensor()
                           ? "only integer tensors of a single element can be converted to an index"
                           : "slice indices must be integers or None or have an __index__ method");
}

at::indexing::Slice toSlice(const SliceObject& slice) {
    const std::optional<c10::SymInt> step = sliceBound(slice.step);
    if (step && *step == 0)
        raise("ValueError", "slice step cannot be zero");
    // As Python's slices end, which a recorder sees.
    return {sliceBound(slice.start), sliceBound(slice.stop).value_or(c10::SymInt(INT64_MAX)), step};
}

/// A sequence as a tensor of indices, or as a mask.
at::Tensor indexTensor(const Value& sequence) {
    const at::Tensor tensor = callFunction("torch.tensor", {sequence}, {}).data().toTensor();
    const bool isMask =
        tensor.scalar_type() == c10::ScalarType::Bool || tensor.scalar_type() == c10::ScalarType::Byte;
    return isMask ? tensor : tensor.to(c10::ScalarType::Long);
}

TensorIndex toIndex(const Value& given) {
    const Value& index = plainOf(given);
    if (index.isNone())
        return at::indexing::None;
    if (isEllipsis(index))
        return at::indexing::Ellipsis;
    if (const auto* slice = index.as<SliceObject>())
        return toSlice(*slice);
    if (index.isTensor())
        return index.data().toTensor();
    if (index.isBool())
        return index.data().toBool();
    if (index.isInt())
        return index.data().toInt();
    if (index.as<BigIntObject>())
        refuseOverflow();
    if (index.isString() || index.as<BytesObject>())
        raise("TypeError", "new(): invalid data type '" + typeName(index) + '\'');
    if (const std::optional<Values> items = indexSequence(index))
        return indexTensor(makeList(*items));
    raise("IndexError",
          "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid "
          "indices (got " +
              typeName(index) + ')');
}

/// Whether a list counts as a tuple of indices: a short one that holds more than numbers.
bool isListOfIndices(const Values& items) {
    constexpr size_t kLongest = 31;
    return items.size() <= kLongest && std::any_of(items.begin(), items.end(), [](const Value& given) {
               const Value& item = plainOf(given);
               return item.isNone() || item.isTensor() || isEllipsis(item) || item.as<SliceObject>() ||
                      item.isString() || indexSequence(item);
           });
}

std::vector<TensorIndex> toIndices(const Value& index) {
    const std::optional<Values> items = indexSequence(index);
    const bool areIndices = items && (isTupleValue(index) || isListOfIndices(*items));
    std::vector<TensorIndex> out;
    for (const Value& part : areIndices ? *items : Values{index})
        out.push_back(toIndex(part));
    return out;
}

/// "torch.FloatTensor", as PyTorch names the class of tensors in this message.
[[noreturn]] void refuseAssigned(const Value& value, const at::Tensor& tensor) {
    const Value name = callMethod(IValue(tensor), "type", {}, {});
    raise("TypeError", "can't assign a " + typeName(value) + " to a " + name.text());
}

} // namespace

Value getItem(const Value& object, const Value& index) {
    const at::Tensor& tensor = object.data().toTensor();
    const std::vector<TensorIndex> indices = toIndices(plainOf(index));
    return IValue(indices.empty() ? tensor.alias() : tensor.index(indices)); // x[()] is all of x
}

void setItem(const Value& object, const Value& index, const Value& given) {
    at::Tensor tensor = object.data().toTensor();
    const Value& value = plainOf(given);
    std::vector<TensorIndex> indices = toIndices(plainOf(index));
    if (indices.empty())
        indices.emplace_back(at::indexing::Ellipsis);
    if (value.isTensor()) {
        tensor.index_put_(indices, value.data().toTensor());
        return;
    }
    if (value.as<BigIntObject>())
        refuseOverflow();
    if (!isRealNumber(value) && !isComplexNumber(value))
        refuseAssigned(value, tensor);
    at::Tensor number;
    {
        const NotRecorded making;
        number = at::indexing::scalarToTensor(value.data().toScalar(), tensor.options(), tensor.device());
    }
    tensor.index_put_(indices, at::lift_fresh(number));
}

} // namespace fx
