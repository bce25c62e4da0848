// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/bounds_values.h"

#include "core/base/error.h"

#include <ATen/ATen.h>

namespace fx {

using c10::IValue;

std::optional<size_t> argumentNamed(const c10::FunctionSchema& schema, std::string_view name) {
    const auto at = schema.argumentIndexWithName(name);
    return at ? std::optional(static_cast<size_t>(*at)) : std::nullopt;
}

const at::Tensor* tensorIn(const IValue& value) {
    if (!value.isTensor())
        return nullptr;
    const at::Tensor& tensor = value.toTensor();
    return tensor.defined() && !tensor.unsafeGetTensorImpl()->has_symbolic_sizes_strides() ? &tensor
                                                                                           : nullptr;
}

std::vector<int64_t> intsIn(const IValue& value) {
    if (value.isInt())
        return {value.toInt()};
    std::vector<int64_t> out;
    if (value.isList())
        for (const IValue& item : value.toListRef())
            if (item.isInt())
                out.push_back(item.toInt());
    return out;
}

std::string listedSizes(at::IntArrayRef sizes) {
    return c10::str(sizes);
}

std::vector<int64_t> elementsIn(const at::Tensor& tensor) {
    if (tensor.layout() != at::kStrided || !tensor.has_storage() ||
        !c10::isIntegralType(tensor.scalar_type(), true) || tensor.is_meta() || !tensor.storage().data())
        return {};
    const at::AutoDispatchBelowADInplaceOrView below;
    const at::Tensor plain = tensor.to(at::kCPU, at::kLong).contiguous();
    const auto* begin = plain.const_data_ptr<int64_t>();
    return {begin, begin + plain.numel()};
}

void refuseArgument(const BoundedCall& call, size_t argument, const std::string& fault) {
    throw Error("",
                call.schema.name() + ": argument '" + call.schema.arguments()[argument].name() + "' " + fault)
        .kind("RuntimeError")
        .hint("the call would read or write outside of its tensors; pass what the operator that made these "
              "arguments gave");
}

void requireWithin(const BoundedCall& call, size_t argument, int64_t least, int64_t limit,
                   std::optional<int64_t> allowed) {
    for (const int64_t value : elementsIn(call.args[argument].toTensor()))
        if ((value < least || value >= limit) && value != allowed)
            refuseArgument(call, argument,
                           "holds " + std::to_string(value) +
                               (limit > least ? ", which is not from " + std::to_string(least) + " to " +
                                                    std::to_string(limit - 1)
                                              : ", and there is nothing that it could point at"));
}

void requireExtent(const BoundedCall& call, at::IntArrayRef sizes, at::IntArrayRef strides, int64_t offset,
                   size_t itemBytes, size_t bytes) {
    const auto refuse = [&](const std::string& fault) {
        throw Error("", call.schema.name() + ": a view of sizes " + listedSizes(sizes) + ", strides " +
                            listedSizes(strides) + " and offset " + std::to_string(offset) + ' ' + fault)
            .kind("RuntimeError")
            .hint("pass sizes, strides and an offset that stay within the tensor");
    };
    if (sizes.size() != strides.size())
        refuse("has not as many strides as sizes");
    if (offset < 0)
        refuse("begins before the memory of the tensor");
    bool isEmpty = false;
    for (size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] < 0 || strides[i] < 0)
            refuse("has a negative size or stride");
        isEmpty |= sizes[i] == 0;
    }
    int64_t end = offset, elements = 1;
    for (size_t i = 0; i < sizes.size() && !isEmpty; ++i) {
        int64_t step = 0;
        if (__builtin_mul_overflow(sizes[i] - 1, strides[i], &step) ||
            __builtin_add_overflow(end, step, &end) || __builtin_mul_overflow(elements, sizes[i], &elements))
            refuse("is too large");
    }
    if (!isEmpty && (bytes < itemBytes || static_cast<uint64_t>(end) > bytes / itemBytes - 1))
        refuse("ends outside of the " + std::to_string(bytes) + " bytes of the tensor's memory");
}

} // namespace fx
