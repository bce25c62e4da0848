// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/meta_shapes.h"

#include <ATen/ATen.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/native/ConvUtils.h>

#include <algorithm>
#include <string_view>

namespace fx {

namespace {

using at::Tensor;
using c10::IValue;
using torch::jit::Stack;
using GivenValues = at::ArrayRef<IValue>;

bool isMetaTensor(const IValue& value) {
    return value.isTensor() && value.toTensor().defined() && value.toTensor().is_meta();
}

/// Of a convolution on the processor: by the channels if its input or its weight is.
c10::MemoryFormat formatOf(const Tensor& input, const Tensor& weight) {
    for (const Tensor& tensor : {input, weight})
        if (const c10::MemoryFormat format = tensor.suggest_memory_format();
            format != c10::MemoryFormat::Contiguous)
            return format;
    return c10::MemoryFormat::Contiguous;
}

/// convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups)
bool convolve(const c10::OperatorHandle&, GivenValues args, Stack& results) {
    if (!isMetaTensor(args[0]) || !isMetaTensor(args[1]))
        return false;
    const Tensor &input = args[0].toTensor(), &weight = args[1].toTensor();
    const int64_t rank = input.dim() - 2, groups = args[8].toInt();
    const bool isTransposed = args[6].toBool();
    const auto whole = [&](size_t at, int64_t least) { // a number for each dimension
        std::vector<int64_t> out = args[at].toIntVector();
        if (out.size() == 1 && rank > 1)
            out.resize(static_cast<size_t>(rank), out[0]);
        if (out.size() != static_cast<size_t>(rank) ||
            std::ranges::any_of(out, [=](int64_t number) { return number < least; }))
            out.clear();
        return out;
    };
    const std::vector<int64_t> stride = whole(3, 1), padding = whole(4, 0), dilation = whole(5, 1),
                               more = whole(7, 0);
    if (rank < 1 || rank > 3 || weight.dim() != input.dim() || groups < 1 || stride.empty() ||
        padding.empty() || dilation.empty() || more.empty() || input.scalar_type() != weight.scalar_type())
        return false;
    const int64_t out = isTransposed ? weight.size(1) * groups : weight.size(0);
    const int64_t in = isTransposed ? weight.size(0) : weight.size(1) * groups;
    const bool hasBias = args[2].isTensor() && args[2].toTensor().defined();
    const bool isBiasFit = !hasBias || (isMetaTensor(args[2]) && args[2].toTensor().dim() == 1 &&
                                        args[2].toTensor().size(0) == out &&
                                        args[2].toTensor().scalar_type() == input.scalar_type());
    if (input.size(1) != in || out % groups || in % groups || !isBiasFit ||
        (isTransposed && !std::ranges::equal(more, stride, std::ranges::less())))
        return false;
    // Rounding towards zero gives one place for a kernel that is larger than the input.
    for (size_t i = 0; !isTransposed && i < stride.size(); ++i)
        if (input.size(static_cast<int64_t>(i) + 2) + 2 * padding[i] <=
            dilation[i] * (weight.size(static_cast<int64_t>(i) + 2) - 1))
            return false;
    const std::vector<int64_t> sizes =
        isTransposed ? at::native::conv_input_size(input.sizes(), weight.sizes(), padding, more, stride,
                                                   dilation, groups)
                     : at::native::conv_output_size(input.sizes(), weight.sizes(), padding, stride, dilation);
    if (std::ranges::any_of(sizes, [](int64_t size) { return size < 1; }))
        return false;
    results.emplace_back(at::empty(sizes, input.options().memory_format(formatOf(input, weight))));
    return true;
}

/// The operator on one batch and one place of its first argument, whose sizes the first result has. The
/// others are as they are then.
bool normalize(const c10::OperatorHandle& op, GivenValues args, Stack& results) {
    if (!isMetaTensor(args[0]) || args[0].toTensor().dim() < 2 || args[0].toTensor().numel() == 0)
        return false;
    const Tensor& input = args[0].toTensor();
    std::vector<int64_t> one(static_cast<size_t>(input.dim()), 1);
    one[1] = input.size(1);
    const auto onProcessor = [](const Tensor& tensor, at::IntArrayRef sizes) {
        return IValue(at::zeros(sizes, tensor.options().device(c10::kCPU)));
    };
    Stack small{onProcessor(input, one)};
    for (const IValue& arg : args.slice(1))
        small.push_back(isMetaTensor(arg) ? onProcessor(arg.toTensor(), arg.toTensor().sizes()) : arg);
    op.callBoxed(small);
    results.emplace_back(at::empty_like(input));
    for (const IValue& result : at::ArrayRef<IValue>(small).slice(1))
        results.emplace_back(
            at::empty_like(result.toTensor(), result.toTensor().options().device(c10::kMeta)));
    return true;
}

/// An operator that works on each number by itself: one number of each tells the dtype, and the sizes are
/// what LibTorch's iterator over several tensors makes of them.
bool mapEach(const c10::OperatorHandle& op, GivenValues args, Stack& results) {
    const c10::FunctionSchema& schema = op.schema();
    if (!op.hasTag(at::Tag::pointwise) || schema.returns().size() != 1 || !isMetaTensor(args[0]))
        return false;
    Stack small;
    at::TensorIteratorConfig sizes;
    sizes.add_owned_output(Tensor()); // before the inputs, as it wants it
    for (size_t i = 0; i < args.size(); ++i) {
        const bool isTensor = args[i].isTensor() && args[i].toTensor().defined();
        const auto* alias = schema.arguments()[i].alias_info();
        if (args[i].isList() || (alias && alias->isWrite() && args.size() > 1))
            return false;
        if (!isTensor) {
            small.push_back(args[i]);
            continue;
        }
        const Tensor& tensor = args[i].toTensor();
        if (tensor.requires_grad() || (!tensor.is_meta() && tensor.dim() > 0))
            return false;
        sizes.add_const_input(tensor);
        small.emplace_back(at::zeros(std::vector<int64_t>(static_cast<size_t>(tensor.dim()), 1),
                                     tensor.options().device(c10::kCPU)));
    }
    op.callBoxed(small);
    const auto* written = schema.arguments()[0].alias_info();
    if (written && written->isWrite()) {
        results.emplace_back(args[0]);
        return true;
    }
    results.emplace_back(sizes.check_all_same_dtype(false)
                             .declare_static_dtype_and_device(small[0].toTensor().scalar_type(), c10::kMeta)
                             .build()
                             .output());
    return true;
}

} // namespace

bool giveShapes(const c10::OperatorHandle& op, Stack& stack) {
    const std::string_view name = op.schema().name();
    const GivenValues args = torch::jit::last(stack, op.schema().arguments().size());
    Stack results;
    const bool isDone =
        name == "aten::convolution" ? convolve(op, args, results)
        : name == "aten::native_batch_norm" || name == "aten::_native_batch_norm_legit_no_training"
            ? normalize(op, args, results)
            : mapEach(op, args, results);
    if (!isDone)
        return false;
    torch::jit::drop(stack, args.size());
    stack.insert(stack.end(), results.begin(), results.end());
    return true;
}

} // namespace fx
