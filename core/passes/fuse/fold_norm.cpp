// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/fuse/fold_norm.h"

#include "core/passes/clean/lazy_tensor.h"

#include <ATen/ATen.h>

namespace fx {

namespace {

/// Those slots as tensors: of the layer and of the normalisation. What is not there is undefined.
struct FoldInputs {
    at::Tensor weight, bias, mean, variance, scale, shift;
};

bool isProduct(const Layer& layer) {
    return layer.kind == Layer::Kind::Linear || layer.kind == Layer::Kind::LinearByRows;
}

/// The factors of the channels in the shape in which they multiply the weight.
at::Tensor besideWeight(const at::Tensor& factors, const at::Tensor& weight, const Layer& layer) {
    std::vector<int64_t> shape(static_cast<size_t>(weight.dim()), 1);
    if (layer.kind == Layer::Kind::Conv || layer.kind == Layer::Kind::Linear) {
        shape[0] = -1;
        return factors.reshape(shape);
    }
    shape[1] = -1;
    if (layer.groups == 1)
        return factors.reshape(shape);
    // Each group of inputs leads to channels of its own.
    const at::Tensor parts = factors.reshape({layer.groups, 1, -1});
    shape[0] = weight.size(0);
    return parts.expand({layer.groups, weight.size(0) / layer.groups, parts.size(2)}).reshape(shape);
}

std::vector<at::Tensor> fold(FoldInputs in, const Layer& layer, double epsilon) {
    if (!in.scale.defined())
        in.scale = at::ones_like(in.mean);
    if (!in.shift.defined())
        in.shift = at::zeros_like(in.mean);
    const bool hasBias = in.bias.defined();
    const at::ScalarType type = in.weight.scalar_type(), biasType = hasBias ? in.bias.scalar_type() : type;
    const bool requiresGrad = hasBias && in.bias.requires_grad();
    if (!hasBias) {
        const int64_t features = in.weight.size(layer.kind == Layer::Kind::LinearByRows ? 1 : 0);
        in.bias = isProduct(layer) ? at::zeros({features}, in.mean.options()) : at::zeros_like(in.mean);
    }
    const at::Tensor inverse = at::rsqrt(in.variance + epsilon), factors = in.scale * inverse;
    const at::Tensor beside = besideWeight(factors, in.weight, layer);
    at::Tensor weight, bias;
    if (isProduct(layer)) {
        weight = in.weight * beside.to(type);
        bias = ((in.bias - in.mean) * factors + in.shift).to(biasType);
    } else {
        weight = (in.weight * beside).to(type);
        bias = ((in.bias - in.mean) * inverse * in.scale + in.shift).to(biasType);
    }
    weight.set_requires_grad(in.weight.requires_grad());
    bias.set_requires_grad(requiresGrad);
    return {weight, bias};
}

} // namespace

FoldedWeights foldNorm(const Model& model, ModuleId module, const Layer& layer, const Norm& norm) {
    const auto slot = [&](const std::optional<std::string>& path) -> std::optional<TensorSlot> {
        return path ? std::optional(model.tensor(tensorEntry(model, module, *path)->tensor)) : std::nullopt;
    };
    const std::vector<TensorSlot> folded =
        lazyTensors({slot(layer.weightPath), slot(layer.biasPath), slot(norm.meanPath),
                     slot(norm.variancePath), slot(norm.weightPath), slot(norm.biasPath)},
                    [layer, epsilon = norm.epsilon](const std::vector<at::Tensor>& at) {
                        return fold({at[0], at[1], at[2], at[3], at[4], at[5]}, layer, epsilon);
                    });
    return {folded[0], folded[1]};
}

} // namespace fx
