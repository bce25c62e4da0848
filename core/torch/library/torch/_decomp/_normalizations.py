# SPDX-License-Identifier: GPL-3.0-or-later
# Decompositions of the gradients of normalizations, of dropout and of embeddings.
import torch

from ._rules import aten, computation_dtype, computed, product, rule, unsqueezed


def _contiguous_in(x, dtype):
    return None if x is None else x.to(dtype, memory_format=torch.contiguous_format)


def _back(tensors, dtype):
    return tuple(None if x is None else x.to(dtype) for x in tensors)


@rule(aten.native_layer_norm_backward.default)
def layer_norm_backward(grad, x, shape, mean, rstd, weight, bias, mask):
    dtype, wide = x.dtype, computation_dtype(x.dtype)
    grad, x, weight, bias = [_contiguous_in(each, wide) for each in (grad, x, weight, bias)]
    axis = x.dim() - len(shape)
    inner, outer = list(range(axis, x.dim())), list(range(axis))
    count = product(x.shape[axis:])
    if count == 0 or product(x.shape[:axis]) == 0:
        return (x.new_zeros(x.shape) if mask[0] else None, x.new_zeros(x.shape[axis:]) if mask[1] else None,
                x.new_zeros(x.shape[axis:]) if mask[2] else None)
    normal = (x - unsqueezed(mean, x.dim() - mean.dim())) * unsqueezed(rstd, x.dim() - rstd.dim())
    weighted = grad if weight is None else grad * weight
    scaled = weighted * count
    total = torch.sum(weighted, inner, True)
    along = normal * torch.sum(weighted * normal, inner, True)
    slope = scaled - total - along
    of_x = of_weight = of_bias = None
    if mask[0]:
        of_x = rstd / count * slope
    if mask[1] and weight is not None:
        of_weight = torch.sum(grad * normal, outer, False) if outer else grad * normal
    if mask[2] and bias is not None:
        of_bias = torch.sum(grad, outer, False) if outer else grad.clone()
    return _back((of_x, of_weight, of_bias), dtype)


@rule(aten._fused_rms_norm_backward.default)
def rms_norm_backward(grad, x, shape, rstd, weight, mask):
    dtype, wide = x.dtype, computation_dtype(x.dtype)
    grad, x, weight = [_contiguous_in(each, wide) for each in (grad, x, weight)]
    axis = x.dim() - len(shape)
    inner, outer = list(range(axis, x.dim())), list(range(axis))
    weighted = grad if weight is None else grad * weight
    normal = x * unsqueezed(rstd, x.dim() - rstd.dim())
    of_x = of_weight = None
    if mask[0]:
        total = torch.sum(normal * weighted, inner, True)
        of_x = (weighted - normal / product(shape) * total) * rstd
    if mask[1] and weight is not None:
        of_weight = torch.sum(grad * normal, outer, False) if outer else grad * normal
    return _back((of_x, of_weight), dtype)


@rule(aten.native_group_norm_backward.default)
@computed
def group_norm_backward(grad, x, mean, rstd, weight, n, c, size, group, mask):
    each = c // group
    by_x = torch.mul(grad, x).view(n, c, size).sum(dim=[2])
    total = grad.view(n, c, size).sum(dim=[2])
    of_x = of_weight = of_bias = None
    if mask[0]:
        scale = 1.0 / (size * each)
        if weight is not None:
            by_x_in_group = torch.mul(by_x, weight.unsqueeze(0)).reshape(n, group, each).sum(2)
            total_in_group = torch.mul(total, weight.unsqueeze(0)).reshape(n, group, each).sum(2)
            first = torch.mul(rstd.unsqueeze(-1), weight.reshape(1, group, each))
        else:
            by_x_in_group = by_x.reshape(n, group, each).sum(2)
            total_in_group = total.reshape(n, group, each).sum(2)
            first = torch.mul(rstd.unsqueeze(-1), torch.ones((1, group, each), device=rstd.device))
        second = (total_in_group * mean - by_x_in_group) * rstd * rstd * rstd * scale
        third = -second * mean - total_in_group * rstd * scale
        first, second, third = first.unsqueeze(-1), unsqueezed(second, 2), unsqueezed(third, 2)
        of_x = torch.mul(grad.reshape(n, group, each, size), first) + torch.mul(
            x.reshape(n, group, each, size), second) + third
        of_x = of_x.reshape(x.shape)
    if mask[1]:
        centered = by_x.view(n, group, each) - total.view(n, group, each) * mean.unsqueeze(-1)
        of_weight = (centered * rstd.unsqueeze(-1)).sum(dim=[0]).reshape(c)
    if mask[2]:
        of_bias = total.sum(dim=[0])
    return of_x, of_weight, of_bias


def _along_channels(x, dims):
    # A value of each channel, with the dimensions of the input.
    x = x.unsqueeze(0)
    for dim in range(2, dims):
        x = x.unsqueeze(dim)
    return x


@rule(aten.native_batch_norm_backward.default)
def batch_norm_backward(grad, x, weight, running_mean, running_var, save_mean, save_invstd, train, eps, mask):
    dtype, weight_dtype = x.dtype, x.dtype if weight is None else weight.dtype
    wide = computation_dtype(dtype)
    tensors = (grad, x, weight, running_mean, running_var, save_mean, save_invstd)
    grad, x, weight, running_mean, running_var, save_mean, save_invstd = [
        None if each is None else each.to(wide) for each in tensors]
    mean, invstd = (save_mean, save_invstd) if train else (running_mean, torch.rsqrt(running_var + eps))
    dims = [dim for dim in range(x.dim()) if dim != 1]
    share = 1.0 / (x.numel() / x.shape[1])
    mean = _along_channels(mean, x.dim())
    total = torch.sum(grad, dims)
    dot = torch.sum(grad * (x - mean), dims)
    grad_mean = _along_channels(total * share, x.dim())
    along = _along_channels(torch.mul(dot * share, invstd * invstd), x.dim())
    if weight is None:
        scale = _along_channels(invstd, x.dim()) * 1.0
    else:
        scale = _along_channels(invstd * weight, x.dim())
    of_x = ((grad - (x - mean) * along) - grad_mean) * scale if train else grad * scale
    of_weight = dot * invstd if mask[1] else None
    return of_x.to(dtype), *_back((of_weight, total if mask[2] else None), weight_dtype)


@rule(aten.native_dropout_backward.default)
def dropout_backward(grad, mask, scale):
    return (grad * (mask.type_as(grad) * scale)).clone(memory_format=torch.contiguous_format)


@rule(aten.bernoulli.default)
def bernoulli(x, *, generator=None):
    if generator is not None:
        raise NotImplementedError('bernoulli with a generator is not decomposed')
    return (torch.rand(x.size(), dtype=torch.float32, device=x.device) < x).to(x.dtype)


@rule(aten.embedding_dense_backward.default)
def embedding_backward(grad, indices, count, padding, is_by_frequency):
    dtype = grad.dtype
    grad, indices = grad.to(computation_dtype(dtype)), indices.to(torch.int64)
    is_valid = (indices >= 0) & (indices < count)
    if is_by_frequency:
        counts = indices.new_zeros((count,))
        counts = aten._unsafe_masked_index_put_accumulate.default(counts, is_valid, [indices], torch.ones_like(indices))
        grad = grad / aten._unsafe_masked_index.default(counts, is_valid, [indices], 1).unsqueeze(-1)
    is_used = unsqueezed(is_valid & (indices != padding), grad.dim() - indices.dim())
    of_weight = grad.new_zeros((count,) + tuple(grad.shape[indices.dim():]))
    return aten._unsafe_masked_index_put_accumulate.default(of_weight, is_used, [indices], grad).to(dtype)


@rule(aten._weight_norm_interface.default)
def weight_norm(v, g, dim=0):
    norm = torch.linalg.vector_norm(v, 2, [each for each in range(v.dim()) if each != dim], True)
    return v * (g / norm.to(g.dtype)), norm


@rule(aten._fused_rms_norm.default)
@computed
def rms_norm(x, shape, weight, eps):
    inner = list(range(x.dim() - len(shape), x.dim()))
    eps = torch.finfo(x.dtype).eps if eps is None else eps
    rstd = torch.rsqrt(torch.mean(torch.pow(x, 2), inner, True) + eps)
    out = x * rstd
    return (out if weight is None else out * weight), rstd
