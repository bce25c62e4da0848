# SPDX-License-Identifier: GPL-3.0-or-later
# Decompositions of operators that are in the core set, for who asks for them by name: get_decompositions.
import math

import torch

from ._rules import beyond_core, computation_dtype, computed, moments, unsqueezed

aten = torch.ops.aten


@beyond_core(aten.gelu.default)
@computed
def gelu(x, *, approximate='none'):
    if approximate == 'tanh':
        inner = (x + x * x * x * 0.044715) * math.sqrt(2 / math.pi)
        return x * 0.5 * (torch.tanh(inner) + 1)
    return x * 0.5 * (torch.erf(x * math.sqrt(0.5)) + 1)


def _scaled_sum(product, added, beta, alpha):
    product = alpha * product
    return product if beta == 0 else product + beta * added


@beyond_core(aten.addmm.default)
@computed
def addmm(x, a, b, *, beta=1, alpha=1):
    return _scaled_sum(torch.mm(a, b), x, beta, alpha)


@beyond_core(aten.addmv.default)
@computed
def addmv(x, a, vec, *, beta=1, alpha=1):
    return _scaled_sum(torch.mv(a, vec), x, beta, alpha)


@beyond_core(aten.leaky_relu.default)
@computed
def leaky_relu(x, negative_slope=0.01):
    return torch.where(x > 0, x, x * negative_slope)


@beyond_core(aten.elu.default)
@computed
def elu(x, alpha=1, scale=1, input_scale=1):
    return torch.where(x > 0, x * float(scale), torch.expm1(x * float(input_scale)) * (float(alpha) * float(scale)))


@beyond_core(aten.hardtanh.default)
def hardtanh(x, min_val=-1, max_val=1):
    return torch.clamp(x, min_val, max_val)


@beyond_core(aten.relu6.default)
def relu6(x):
    return torch.clamp(x, 0, 6)


@beyond_core(aten.relu.default)
def relu(x):
    return torch.where(x <= 0, 0, x)


@beyond_core(aten.index_select.default)
def index_select(x, dim, index):
    dim = dim % max(x.dim(), 1)
    return x[(slice(None),) * dim + (index,)]


@beyond_core(aten.embedding.default)
def embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    return weight.index_select(0, indices) if indices.dim() == 1 else weight[indices]


@beyond_core(aten._softmax.default)
@computed
def softmax(x, dim, half_to_float):
    shifted = torch.exp(x - torch.amax(x, dim, keepdim=True))
    return shifted / torch.sum(shifted, dim, keepdim=True)


@beyond_core(aten._log_softmax.default)
@computed
def log_softmax(x, dim, half_to_float):
    shifted = x - torch.amax(x, dim, keepdim=True)
    return shifted - torch.log(torch.sum(torch.exp(shifted), dim, keepdim=True))


@beyond_core(aten.native_layer_norm.default)
@computed
def native_layer_norm(x, normalized_shape, weight, bias, eps):
    out, mean, rstd, _ = moments(x, list(range(x.dim() - len(normalized_shape), x.dim())), eps)
    out = out if weight is None else out * weight
    return out if bias is None else out + bias, mean, rstd


def _weighted(out, weight, bias):
    out = out if weight is None else out * unsqueezed(weight.flatten(), out.dim() - 2)
    return out if bias is None else out + unsqueezed(bias.flatten(), out.dim() - 2)


def _update(running, new, momentum):
    if running is not None:
        running.copy_(momentum * new + (1 - momentum) * running)


@beyond_core(aten.native_batch_norm.default, aten._native_batch_norm_legit.default)
def batch_norm(x, weight, bias, running_mean, running_var, training, momentum, eps):
    wide = computation_dtype(x.dtype)
    if not training:
        mean, var = [each.to(wide, copy=True) for each in (running_mean, running_var)]
        scale = 1 / torch.sqrt(var + eps)
        nothing = x.new_zeros((0,)), x.new_zeros((0,))
        mean, scale = unsqueezed(mean, x.dim() - 2), unsqueezed(scale, x.dim() - 2)
        return (_weighted((x - mean) * scale, weight, bias).to(x.dtype), *nothing)
    dims = [dim for dim in range(x.dim()) if dim != 1]
    out, mean, rstd, var = moments(x.to(wide), dims, eps)
    mean, rstd = torch.squeeze(mean, dims), torch.squeeze(rstd, dims)
    _update(running_mean, mean, momentum)
    if running_var is not None:
        count = x.numel() / x.shape[1]
        _update(running_var, torch.squeeze(var, dims) * (count / (count - 1)), momentum)
    return _weighted(out, weight, bias).to(x.dtype), mean, rstd


@beyond_core(aten._native_batch_norm_legit.no_stats)
def batch_norm_of_input(x, weight, bias, training, momentum, eps):
    return batch_norm(x, weight, bias, None, None, training, momentum, eps)


@beyond_core(aten._native_batch_norm_legit_no_training.default)
def batch_norm_without_training(x, weight, bias, running_mean, running_var, momentum, eps):
    return batch_norm(x, weight, bias, running_mean, running_var, False, momentum, eps)


@beyond_core(aten.upsample_bilinear2d.default, aten.upsample_trilinear3d.default)
@computed
def upsample_linear(x, output_size, align_corners, *scales):
    from torch.fx.experimental._symbolic_rules import linear_of
    return linear_of(x, output_size, align_corners, list(scales) or [None] * len(output_size))
