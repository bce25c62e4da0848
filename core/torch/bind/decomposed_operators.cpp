// SPDX-License-Identifier: GPL-3.0-or-later
// The operators of torch.ops.quantized_decomposed, which PyTorch has in Python alone
// (torch.ao.quantization.fx._decomposed): quantized numbers are plain integer tensors, and scales are
// arguments. Registered with LibTorch, they run, are captured and written to files as any other operator is.
// They compute in PyTorch's order, so that results are the same to the bit; in place where that saves memory.
#include "core/torch/bind/byte_loops.h"

#include <ATen/ATen.h>
#include <torch/library.h>

#include <cmath>
#include <limits>

namespace fx {

namespace {

using at::ScalarType;
using at::Tensor;

bool isHalf(const Tensor& tensor) {
    return tensor.scalar_type() == at::kHalf || tensor.scalar_type() == at::kBFloat16;
}

Tensor inFloat(const Tensor& input) {
    const Tensor out = isHalf(input) ? input.to(at::kFloat) : input;
    TORCH_CHECK(out.scalar_type() == at::kFloat,
                "Expecting input to have dtype torch.float32, but got dtype: ", input.scalar_type());
    return out;
}

void requireBounds(int64_t least, int64_t most, ScalarType dtype) {
    const auto check = [&](int64_t low, int64_t high) {
        TORCH_CHECK(least >= low, "quant_min out of bounds for dtype: ", least);
        TORCH_CHECK(most <= high, "quant_max out of bounds for dtype: ", most);
    };
    switch (dtype) {
    case at::kByte:
        return check(0, 255);
    case at::kChar:
        return check(-128, 127);
    case at::kShort:
        return check(-32768, 32767);
    case at::kUInt16:
        return check(0, 65535);
    case at::kInt:
        return check(std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max());
    case at::kFloat8_e5m2:
        return check(-57344, 57344);
    case at::kFloat8_e4m3fn:
        return check(-448, 448);
    default:
        TORCH_CHECK_VALUE(false, "Unsupported dtype: ", dtype);
    }
}

void requireDtype(const Tensor& input, ScalarType dtype) {
    TORCH_CHECK(input.scalar_type() == dtype, "Expecting input to have dtype: ", dtype, ", but got ",
                input.scalar_type());
}

void requireOne(const Tensor& tensor, const char* name) {
    TORCH_CHECK(tensor.numel() == 1, "Expecting ", name,
                " tensor to be one element, but received : ", tensor.numel());
}

Tensor quantizePerTensor(const Tensor& input, double scale, int64_t zeroPoint, int64_t least, int64_t most,
                         ScalarType dtype) {
    const Tensor in = inFloat(input);
    requireBounds(least, most, dtype);
    if (std::optional<Tensor> out = roundedToBytes(in, scale, zeroPoint, least, most, dtype))
        return *std::move(out);
    return (in * (1.0 / scale)).round_().add_(zeroPoint).clamp_(least, most).to(dtype);
}

Tensor quantizePerTensorByTensors(const Tensor& input, const Tensor& scale, const Tensor& zeroPoint,
                                  int64_t least, int64_t most, ScalarType dtype) {
    requireOne(zeroPoint, "zero_point");
    requireOne(scale, "scale");
    if (input.is_meta())
        return at::empty_like(inFloat(input), dtype);
    return quantizePerTensor(input, scale.item<double>(), zeroPoint.item<int64_t>(), least, most, dtype);
}

Tensor quantizePerTensorByTensors2(const Tensor& input, const Tensor& scale, const Tensor& zeroPoint,
                                   const Tensor& least, const Tensor& most, ScalarType dtype) {
    return quantizePerTensorByTensors(input, scale, zeroPoint, input.is_meta() ? 0 : least.item<int64_t>(),
                                      input.is_meta() ? 0 : most.item<int64_t>(), dtype);
}

Tensor dequantizePerTensor(const Tensor& input, double scale, int64_t zeroPoint, int64_t, int64_t,
                           ScalarType dtype, std::optional<ScalarType> outDtype) {
    requireDtype(input, dtype);
    requireBounds(0, 0, dtype);
    if (outDtype.value_or(at::kFloat) == at::kFloat)
        if (std::optional<Tensor> out = restoredFromBytes(input, scale, zeroPoint))
            return *std::move(out);
    const Tensor out = input.to(outDtype.value_or(at::kFloat), false, /*copy=*/true).sub_(zeroPoint);
    return out.is_floating_point() ? out.mul_(scale) : out * scale;
}

Tensor dequantizePerTensorByTensors(const Tensor& input, const Tensor& scale, const Tensor& zeroPoint,
                                    int64_t least, int64_t most, ScalarType dtype,
                                    std::optional<ScalarType> outDtype) {
    requireOne(zeroPoint, "zero_point");
    requireOne(scale, "scale");
    if (input.is_meta())
        return at::empty_like(input, outDtype.value_or(at::kFloat));
    return dequantizePerTensor(input, scale.item<double>(), zeroPoint.item<int64_t>(), least, most, dtype,
                               outDtype);
}

Tensor dequantizePerTensorByTensors2(const Tensor& input, const Tensor& scale, const Tensor& zeroPoint,
                                     const Tensor&, const Tensor&, ScalarType dtype,
                                     std::optional<ScalarType> outDtype) {
    return dequantizePerTensorByTensors(input, scale, zeroPoint, 0, 0, dtype, outDtype);
}

/// Scale and zero point, one number each, from the least and the greatest value.
std::tuple<Tensor, Tensor> chooseQparams(const Tensor& input, int64_t least, int64_t most, double epsilon,
                                         ScalarType dtype, bool isSymmetric) {
    TORCH_CHECK(isHalf(input) || input.scalar_type() == at::kFloat,
                "Expecting input to have dtype torch.float32/16/b16, but got dtype: ", input.scalar_type());
    TORCH_CHECK(least < most, "qmin must be strictly less than qmax for user-specified quantization range.");
    if (input.is_meta())
        return {at::empty({1}, input.options().dtype(at::kDouble)),
                at::empty({1}, input.options().dtype(at::kLong))};
    auto [low, high] = at::aminmax(input);
    TORCH_CHECK((low <= high).item<bool>(), "min ", low.item<double>(), " should be less than max ",
                high.item<double>());
    low = at::minimum(low, at::zeros_like(low));
    high = at::maximum(high, at::zeros_like(high));
    const Tensor floor = at::full({1}, epsilon, input.options().dtype(at::kFloat));
    Tensor scale, zeroPoint;
    if (isSymmetric) {
        scale = at::maximum(at::maximum(-low, high) / (static_cast<double>(most - least) / 2), floor);
        zeroPoint = at::full({1}, dtype == at::kByte ? 128 : 0, input.options().dtype(at::kLong));
    } else {
        scale = at::maximum((high - low) / static_cast<double>(most - least), floor);
        zeroPoint = at::clamp(least - at::round(low / scale).to(at::kInt), least, most);
    }
    return {scale.to(at::kDouble), zeroPoint.to(at::kLong)};
}

std::tuple<Tensor, Tensor> chooseQparamsAffine(const Tensor& input, int64_t least, int64_t most,
                                               double epsilon, ScalarType dtype) {
    return chooseQparams(input, least, most, epsilon, dtype, false);
}

std::tuple<Tensor, Tensor> chooseQparamsSymmetric(const Tensor& input, int64_t least, int64_t most,
                                                  double epsilon, ScalarType dtype) {
    return chooseQparams(input, least, most, epsilon, dtype, true);
}

/// The numbers of the channels in the shape in which they meet the tensor.
Tensor alongAxis(const Tensor& numbers, const Tensor& input, int64_t axis) {
    TORCH_CHECK(axis < input.dim(), "Expecting axis to be < ", input.dim());
    std::vector<int64_t> shape(static_cast<size_t>(input.dim()), 1);
    shape[static_cast<size_t>(axis < 0 ? axis + input.dim() : axis)] = numbers.size(0);
    return numbers.view(shape);
}

Tensor quantizePerChannel(const Tensor& input, const Tensor& scales, const Tensor& zeroPoints, int64_t axis,
                          int64_t least, int64_t most, ScalarType dtype) {
    const Tensor in = inFloat(input);
    requireBounds(least, most, dtype);
    const Tensor inverse = alongAxis(scales, in, axis).reciprocal();
    return at::clamp(at::round(in * inverse) + alongAxis(zeroPoints, in, axis), least, most).to(dtype);
}

Tensor dequantizePerChannel(const Tensor& input, const Tensor& scales,
                            const std::optional<Tensor>& zeroPoints, int64_t axis, int64_t least,
                            int64_t most, ScalarType dtype, std::optional<ScalarType> outDtype) {
    requireDtype(input, dtype);
    requireBounds(least, most, dtype);
    const Tensor factors = alongAxis(scales, input, axis);
    const Tensor out = zeroPoints ? (input - alongAxis(*zeroPoints, input, axis)) * factors : input * factors;
    return out.to(outDtype.value_or(at::kFloat));
}

std::vector<int64_t> tokenShape(const Tensor& input) {
    std::vector<int64_t> shape = input.sizes().vec();
    shape.back() = 1;
    return shape;
}

std::tuple<Tensor, Tensor> emptyTokenQparams(const Tensor& input) {
    return {at::empty(tokenShape(input), input.options().dtype(at::kDouble)),
            at::empty(tokenShape(input), input.options().dtype(at::kLong))};
}

std::tuple<Tensor, Tensor> chooseQparamsPerToken(const Tensor& input, ScalarType dtype) {
    if (input.is_meta())
        return emptyTokenQparams(input);
    TORCH_CHECK(dtype == at::kChar, "unsupported dtype in choose_qparams_per_token: ", dtype);
    Tensor scales = input.abs().amax(-1, true);
    if (scales.scalar_type() == at::kHalf)
        scales = scales.to(at::kFloat);
    scales = scales.clamp_min(1e-5).div(127);
    return {scales, at::zeros_like(scales)};
}

std::tuple<Tensor, Tensor> chooseQparamsPerTokenAsymmetric(const Tensor& input, ScalarType) {
    if (input.is_meta())
        return emptyTokenQparams(input);
    constexpr int64_t kLeast = -128, kMost = 127;
    const Tensor low = at::minimum(input.amin(-1, true), at::zeros({}, input.options()));
    const Tensor high = at::maximum(input.amax(-1, true), at::zeros({}, input.options()));
    const Tensor scale = ((high - low) / static_cast<double>(kMost - kLeast))
                             .clamp_min(static_cast<double>(std::numeric_limits<float>::epsilon()));
    const Tensor lowest = low / scale, highest = high / scale;
    const Tensor zeroPoint =
        at::clamp(at::where((kLeast + lowest) + (kMost + highest) > 0, kLeast - lowest, kMost - highest),
                  kLeast, kMost);
    return {scale.to(at::kDouble), zeroPoint.round().to(at::kLong)};
}

void requireTokens(const Tensor& input, const Tensor& scales, const Tensor& zeroPoints) {
    const int64_t tokens = c10::multiply_integers(input.sizes().slice(0, input.sizes().size() - 1));
    TORCH_CHECK(scales.numel() == tokens && zeroPoints.numel() == tokens, "num_tokens: ", tokens,
                " scales: ", scales.sizes(), " zero_points: ", zeroPoints.sizes());
}

Tensor quantizePerToken(const Tensor& input, const Tensor& scales, const Tensor& zeroPoints, int64_t least,
                        int64_t most, ScalarType dtype) {
    requireBounds(least, most, dtype);
    requireTokens(input, scales, zeroPoints);
    return (input * scales.reciprocal() + zeroPoints).round().clamp(least, most).to(dtype);
}

Tensor dequantizePerToken(const Tensor& input, const Tensor& scales, const Tensor& zeroPoints, int64_t,
                          int64_t, ScalarType, ScalarType outDtype) {
    return ((input - zeroPoints) * scales).to(outDtype);
}

int64_t groupSizeFor(const Tensor& input, const Tensor& scales, int64_t size) {
    TORCH_CHECK(size > 1, "group_size must be > 1");
    TORCH_CHECK(input.dim() == 2, "input must be 2-dimensional");
    if (size > input.size(-1) && scales.size(-1) == 1)
        size = input.size(-1);
    TORCH_CHECK(input.size(-1) % size == 0, "input.shape[-1] must be divisible by group_size");
    return size;
}

Tensor quantizePerChannelGroup(const Tensor& input, const Tensor& scales, const Tensor& zeroPoints,
                               int64_t least, int64_t most, ScalarType dtype, int64_t groupSize) {
    const int64_t size = groupSizeFor(input, scales, groupSize);
    if (input.is_meta())
        return at::empty_like(input, dtype);
    const Tensor groups = input.reshape({-1, size});
    TORCH_CHECK(!groups.isnan().any().item<bool>(), "to_quant must not contain NaNs");
    return (groups * scales.reshape({-1, 1}).reciprocal() + zeroPoints.reshape({-1, 1}))
        .round()
        .clamp(least, most)
        .to(dtype)
        .reshape_as(input);
}

Tensor dequantizePerChannelGroup(const Tensor& input, const Tensor& scales,
                                 const std::optional<Tensor>& zeroPoints, int64_t, int64_t, ScalarType,
                                 int64_t groupSize, ScalarType outDtype) {
    const Tensor groups = input.reshape({-1, groupSizeFor(input, scales, groupSize)});
    const Tensor zeros =
        zeroPoints ? zeroPoints->reshape({-1, 1}) : at::zeros({}, scales.options().dtype(at::kInt));
    return ((groups - zeros) * scales.reshape({-1, 1})).reshape_as(input).to(outDtype);
}

Tensor convertElementType(const Tensor& input, ScalarType dtype) {
    return input.to(dtype, false, true);
}

} // namespace

TORCH_LIBRARY_FRAGMENT(quantized_decomposed, m) {
    const auto kernel = [](auto* function) {
        return torch::dispatch(c10::DispatchKey::CompositeExplicitAutograd, function);
    };
    m.def("quantize_per_tensor(Tensor input, float scale, int zero_point, int quant_min, int quant_max, "
          "ScalarType dtype) -> Tensor",
          kernel(quantizePerTensor));
    m.def("quantize_per_tensor.tensor(Tensor input, Tensor scale, Tensor zero_point, int quant_min, "
          "int quant_max, ScalarType dtype) -> Tensor",
          kernel(quantizePerTensorByTensors));
    m.def("quantize_per_tensor.tensor2(Tensor input, Tensor scale, Tensor zero_point, Tensor quant_min, "
          "Tensor quant_max, ScalarType dtype) -> Tensor",
          kernel(quantizePerTensorByTensors2));
    m.def("dequantize_per_tensor(Tensor input, float scale, int zero_point, int quant_min, int quant_max, "
          "ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor",
          kernel(dequantizePerTensor));
    m.def("dequantize_per_tensor.tensor(Tensor input, Tensor scale, Tensor zero_point, int quant_min, "
          "int quant_max, ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor",
          kernel(dequantizePerTensorByTensors));
    m.def("dequantize_per_tensor.tensor2(Tensor input, Tensor scale, Tensor zero_point, Tensor quant_min, "
          "Tensor quant_max, ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor",
          kernel(dequantizePerTensorByTensors2));
    m.def("choose_qparams.tensor(Tensor input, int quant_min, int quant_max, float eps, ScalarType dtype) -> "
          "(Tensor, Tensor)",
          kernel(chooseQparamsAffine));
    m.def("choose_qparams_symmetric.tensor(Tensor input, int quant_min, int quant_max, float eps, "
          "ScalarType dtype) -> (Tensor, Tensor)",
          kernel(chooseQparamsSymmetric));
    m.def("quantize_per_channel(Tensor input, Tensor scales, Tensor zero_points, int axis, int quant_min, "
          "int quant_max, ScalarType dtype) -> Tensor",
          kernel(quantizePerChannel));
    m.def("dequantize_per_channel(Tensor input, Tensor scales, Tensor? zero_points, int axis, int quant_min, "
          "int quant_max, ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor",
          kernel(dequantizePerChannel));
    m.def("choose_qparams_per_token(Tensor input, ScalarType dtype) -> (Tensor, Tensor)",
          kernel(chooseQparamsPerToken));
    m.def("choose_qparams_per_token_asymmetric(Tensor input, ScalarType dtype) -> (Tensor, Tensor)",
          kernel(chooseQparamsPerTokenAsymmetric));
    m.def("quantize_per_token(Tensor input, Tensor scales, Tensor zero_points, int quant_min, int quant_max, "
          "ScalarType dtype) -> Tensor",
          kernel(quantizePerToken));
    m.def("dequantize_per_token(Tensor input, Tensor scales, Tensor zero_points, int quant_min, "
          "int quant_max, ScalarType dtype, ScalarType output_dtype) -> Tensor",
          kernel(dequantizePerToken));
    m.def("quantize_per_channel_group(Tensor input, Tensor scales, Tensor zero_points, int quant_min, "
          "int quant_max, ScalarType dtype, int group_size) -> Tensor",
          kernel(quantizePerChannelGroup));
    m.def("dequantize_per_channel_group(Tensor input, Tensor scales, Tensor? zero_points, int quant_min, "
          "int quant_max, ScalarType dtype, int group_size, ScalarType output_dtype) -> Tensor",
          kernel(dequantizePerChannelGroup));
    m.def("convert_element_type.no_fuse(Tensor input, ScalarType dtype) -> Tensor",
          kernel(convertElementType));
}

} // namespace fx
