// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/argument_kinds.h"

#include "core/torch/values/symbolic_tensors.h"

#include <ATen/ATen.h>

#include <array>

namespace fx {

namespace {

using c10::IValue;

ArgumentKind kindOfTensor(const at::Tensor& tensor) {
    if (!tensor.defined() || hasSymbolicSizes(tensor))
        return ArgumentKind::Other;
    const bool isWhole = c10::isIntegralType(tensor.scalar_type(), true);
    if (tensor.dim() > 0)
        return tensor.numel() == 1 && isWhole ? ArgumentKind::IndexTensor : ArgumentKind::PlainTensor;
    if (!isWhole)
        return tensor.requires_grad() ? ArgumentKind::PlainTensor : ArgumentKind::NumberTensor;
    return tensor.scalar_type() == c10::kBool ? ArgumentKind::BoolTensor : ArgumentKind::IntTensor;
}

ArgumentKind kindOfObject(const Value& value) {
    if (const auto* sizes = value.as<SizeObject>())
        return sizes->sizes.empty() ? ArgumentKind::Other : ArgumentKind::Sizes;
    const auto* leaf = value.as<Argument>();
    if (!leaf)
        return ArgumentKind::Other;
    return leaf->as<c10::ScalarType>()     ? ArgumentKind::DType
           : leaf->as<c10::Layout>()       ? ArgumentKind::Layout
           : leaf->as<c10::MemoryFormat>() ? ArgumentKind::MemoryFormat
                                           : ArgumentKind::Other;
}

} // namespace

ArgumentKind kindOf(const Value& value) {
    if (value.object())
        return kindOfObject(value);
    const IValue& data = value.data();
    if (data.isTensor())
        return kindOfTensor(data.toTensor());
    return data.isInt()             ? ArgumentKind::Int
           : data.isBool()          ? ArgumentKind::Bool
           : data.isDouble()        ? ArgumentKind::Float
           : data.isComplexDouble() ? ArgumentKind::Complex
           : data.isNone()          ? ArgumentKind::None
           : data.isString()        ? ArgumentKind::Text
           : data.isDevice()        ? ArgumentKind::Device
                                    : ArgumentKind::Other;
}

const Value& standInFor(ArgumentKind kind) {
    static const auto kStandIns = [] {
        std::array<Value, static_cast<size_t>(ArgumentKind::Other) + 1> out;
        const auto at = [&](ArgumentKind kind) -> Value& { return out[static_cast<size_t>(kind)]; };
        at(ArgumentKind::Tensor) = at(ArgumentKind::PlainTensor) = IValue(at::Tensor());
        at(ArgumentKind::NumberTensor) = IValue(at::scalar_tensor(1.0));
        at(ArgumentKind::IntTensor) = IValue(at::scalar_tensor(1, c10::kLong));
        at(ArgumentKind::BoolTensor) = IValue(at::scalar_tensor(true, c10::kBool));
        at(ArgumentKind::IndexTensor) = IValue(at::ones({1}, c10::kLong));
        at(ArgumentKind::Int) = IValue(int64_t(1));
        at(ArgumentKind::Bool) = IValue(true);
        at(ArgumentKind::Float) = IValue(1.0);
        at(ArgumentKind::Complex) = IValue(c10::complex<double>(1));
        at(ArgumentKind::Text) = IValue(std::string("text"));
        at(ArgumentKind::DType) = Object{Argument(c10::kFloat)};
        at(ArgumentKind::Layout) = Object{Argument(c10::kStrided)};
        at(ArgumentKind::MemoryFormat) = Object{Argument(c10::MemoryFormat::Contiguous)};
        at(ArgumentKind::Device) = IValue(c10::Device(c10::kCPU));
        at(ArgumentKind::Sizes) = Object{SizeObject{{1}}};
        return out;
    }();
    return kStandIns[static_cast<size_t>(kind)];
}

} // namespace fx
