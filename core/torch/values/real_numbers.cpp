// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/values/real_numbers.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

bool isByChannel(const at::Tensor& tensor) {
    return tensor.is_quantized() && tensor.qscheme() != at::kPerTensorAffine;
}

} // namespace

at::Tensor sliceable(const at::Tensor& tensor) {
    const at::Tensor out = tensor.detach();
    const bool isStrided = out.layout() == at::kStrided;
    if (isStrided && !isByChannel(out))
        return out;
    if (out.numel() > kMostElements)
        throw Error("", std::string(isStrided ? "a tensor that is quantized by channel"
                                              : "a tensor that is not strided") +
                            " would have to be copied to be looked at, and this one has " +
                            countText(static_cast<uint64_t>(out.numel())) + " elements")
            .hint("look at a slice of it, by an expression");
    return isStrided ? out.dequantize() : out.to_dense();
}

at::Tensor realNumbers(const at::Tensor& tensor, ComplexPart part) {
    at::Tensor out = tensor.detach();
    if (out.is_quantized())
        out = out.dequantize();
    if (out.is_complex()) {
        out = out.resolve_conj();
        out = part == ComplexPart::Real        ? at::real(out)
              : part == ComplexPart::Imaginary ? at::imag(out)
              : part == ComplexPart::Angle     ? out.angle()
                                               : out.abs();
    }
    return out.to(at::kCPU).to(at::kDouble);
}

std::vector<int64_t> indexAt(int64_t number, at::IntArrayRef sizes) {
    std::vector<int64_t> out(sizes.size());
    for (size_t axis = sizes.size(); axis-- > 0; number /= sizes[axis])
        out[axis] = number % sizes[axis];
    return out;
}

bool Thinned::isSampled() const {
    return std::any_of(steps.begin(), steps.end(), [](int64_t step) { return step > 1; });
}

Thinned thinned(const at::Tensor& tensor) {
    Thinned out;
    out.numbers = sliceable(tensor);
    out.steps.assign(static_cast<size_t>(tensor.dim()), 1);
    for (int64_t axis = 0; axis < out.numbers.dim(); ++axis)
        if (out.numbers.size(axis) > 1 && out.numbers.stride(axis) == 0) {
            out.repeats *= static_cast<uint64_t>(out.numbers.size(axis));
            out.numbers = out.numbers.narrow(axis, 0, 1);
        }
    const auto count = [&](size_t axis) {
        return (out.numbers.size(static_cast<int64_t>(axis)) + out.steps[axis] - 1) / out.steps[axis];
    };
    double elements = static_cast<double>(out.numbers.numel());
    while (elements > static_cast<double>(kMostElements)) {
        size_t longest = 0;
        for (size_t axis = 0; axis < out.steps.size(); ++axis)
            if (count(axis) > count(longest))
                longest = axis;
        elements /= static_cast<double>(count(longest));
        ++out.steps[longest];
        elements *= static_cast<double>(count(longest));
    }
    for (size_t axis = 0; axis < out.steps.size(); ++axis)
        if (out.steps[axis] > 1)
            out.numbers = out.numbers.slice(static_cast<int64_t>(axis), 0, std::nullopt, out.steps[axis]);
    return out;
}

} // namespace fx
