# SPDX-License-Identifier: GPL-3.0-or-later
# Decompositions of operators that change shapes, multiply matrices or reduce.
import math

import torch

from ._rules import aten, computed, computed_as_float, in_place, product, rule, wrapped_dim


@rule(aten.baddbmm.default)
@computed
def baddbmm(x, a, b, *, beta=1, alpha=1):
    out = torch.bmm(a, b)
    if alpha != 1:
        out = out * alpha
    if beta == 0:
        return out
    return (x if beta == 1 else x * beta) + out


@rule(aten.addr.default)
@computed
def addr(x, a, b, *, beta=1, alpha=1):
    x = x.expand(a.shape[0], b.shape[0])
    if x.dtype == torch.bool:
        out = torch.outer(a, b) if alpha else torch.full_like(x, False)
        return torch.logical_or(x, out) if beta else out
    if beta == 0:
        return torch.outer(a, b) * alpha
    return x * beta + torch.outer(a, b) * alpha


@rule(aten.mv.default)
@computed
def mv(a, x):
    return (a * x).sum(1)


@rule(aten.dot.default)
@computed
def dot(a, b):
    return (a * b).sum()


@rule(aten.vdot.default)
def vdot(a, b):
    return torch.dot(a.conj() if a.is_complex() else a, b)


@rule(aten.linalg_cross.default)
def cross(a, b, *, dim=-1):
    a, b = torch.broadcast_tensors(a, b)
    dim = wrapped_dim(dim, a.dim())
    places = torch.arange(3, device=a.device)

    def turned(x, by):
        return x.index_select(dim, (places + by) % 3)
    return turned(a, 1) * turned(b, 2) - turned(a, 2) * turned(b, 1)


@rule(aten.t.default)
def t(x):
    return torch.transpose(x, 0, 0 if x.dim() < 2 else 1)


@rule(aten.transpose.int)
def transpose(x, dim0, dim1):
    dim0, dim1 = wrapped_dim(dim0, x.dim()), wrapped_dim(dim1, x.dim())
    if x.dim() < 2 or dim0 == dim1:
        return aten.alias.default(x)
    dims = list(range(x.dim()))
    dims[dim0], dims[dim1] = dim1, dim0
    return torch.permute(x, dims)


@rule(aten.squeeze.default)
def squeeze(x):
    return aten.squeeze.dims(x, list(range(x.dim())))


@rule(aten.squeeze.dim)
def squeeze_dim(x, dim):
    return aten.squeeze.dims(x, [dim])


@rule(aten.detach.default)
def detach(x):
    return aten.alias.default(x)


@rule(aten._unsafe_view.default)
def unsafe_view(x, size):
    return x.view(size)


@rule(aten._reshape_alias.default)
def reshape_alias(x, size, stride):
    return aten.view.default(x, size)


def _copy_of(view):
    def function(*args, **kwargs):
        return view(*args, **kwargs).clone(memory_format=torch.contiguous_format)
    return function


for _copy, _view in ((aten.alias_copy.default, aten.alias.default), (aten.expand_copy.default, aten.expand.default),
                     (aten.unsqueeze_copy.default, aten.unsqueeze.default), (aten.t_copy.default, aten.t.default),
                     (aten.squeeze_copy.default, aten.squeeze.default), (aten.squeeze_copy.dim, aten.squeeze.dim),
                     (aten.squeeze_copy.dims, aten.squeeze.dims), (aten.transpose_copy.int, aten.transpose.int),
                     (aten.diagonal_copy.default, aten.diagonal.default),
                     (aten.unfold_copy.default, aten.unfold.default)):
    rule(_copy)(_copy_of(_view))


@rule(aten.split_with_sizes_copy.default)
def split_with_sizes_copy(x, sizes, dim=0):
    return [each.clone(memory_format=torch.contiguous_format) for each in aten.split_with_sizes.default(x, sizes, dim)]


@rule(aten.split.Tensor)
def split(x, size, dim=0):
    length = x.shape[dim]
    if length == 0:
        return (x.detach(),)
    count = max(1, (length + size - 1) // size)
    return aten.split_with_sizes.default(x, [size] * (count - 1) + [length - size * (count - 1)], dim)


@rule(aten.unsafe_split.Tensor)
def unsafe_split(x, size, dim=0):
    return aten.split.Tensor(x, size, dim)


@rule(aten.unsafe_split_with_sizes.default)
def unsafe_split_with_sizes(x, sizes, dim=0):
    return aten.split_with_sizes.default(x, sizes, dim)


@rule(aten.unbind.int)
def unbind(x, dim=0):
    dim = wrapped_dim(dim, x.dim())
    slices = [x.narrow(dim, place, 1) for place in range(x.shape[dim])]
    return [torch.squeeze(each, dim) for each in slices]


@rule(aten.stack.default)
def stack(tensors, dim=0):
    rank = tensors[0].dim()
    wrapped = wrapped_dim(dim, rank + 1)
    if wrapped == rank:
        return torch.cat([each.unsqueeze(wrapped) for each in tensors], dim)
    shape = list(tensors[0].shape)
    shape.insert(wrapped, len(tensors))
    return torch.cat(list(tensors), wrapped).view(shape)


@rule(aten.block_diag.default)
def block_diag(tensors):
    tensors = [each.reshape(1, -1) if each.dim() < 2 else each for each in tensors]
    width = sum(each.shape[1] for each in tensors)
    rows, before = [], 0
    for each in tensors:
        after = width - before - each.shape[1]
        zeros = [torch.zeros((each.shape[0], count), dtype=each.dtype, device=each.device) for count in (before, after)]
        rows.append(torch.cat([zeros[0], each, zeros[1]], 1))
        before += each.shape[1]
    return torch.cat(rows, 0)


@rule(aten.roll.default)
def roll(x, shifts, dims=()):
    if x.numel() == 0:
        return x.clone()
    if not dims:
        return torch.roll(torch.flatten(x), shifts[0], 0).view(x.shape)
    if len(dims) > 1:
        first = torch.roll(x, shifts[0], dims[0])
        return torch.roll(first, shifts[1:], dims[1:])
    dim = wrapped_dim(dims[0], x.dim())
    size = x.shape[dim]
    places = torch.arange(size, device=x.device) + (size - shifts[0] % size) % size
    return x.index_select(dim, torch.fmod(places, size))


@rule(aten.rot90.default)
def rot90(x, k=1, dims=(0, 1)):
    k = k % 4
    if k == 0:
        return x.clone(memory_format=torch.contiguous_format)
    if k == 2:
        return torch.flip(x, dims)
    return torch.transpose(torch.flip(x, (dims[1 if k == 1 else 0],)), dims[0], dims[1])


@rule(aten.pixel_shuffle.default)
def pixel_shuffle(x, factor):
    batch, (c, h, w) = list(x.shape[:-3]), x.shape[-3:]
    n = len(batch)
    x = x.view(batch + [c // factor ** 2, factor, factor, h, w])
    x = x.permute(list(range(n)) + [n, n + 3, n + 1, n + 4, n + 2])
    return x.reshape(batch + [c // factor ** 2, h * factor, w * factor]).clone(memory_format=torch.contiguous_format)


@rule(aten.pixel_unshuffle.default)
def pixel_unshuffle(x, factor):
    batch, (c, h, w) = list(x.shape[:-3]), x.shape[-3:]
    n = len(batch)
    x = x.view(batch + [c, h // factor, factor, w // factor, factor])
    x = x.permute(list(range(n)) + [n, n + 2, n + 4, n + 1, n + 3])
    return x.reshape(batch + [c * factor ** 2, h // factor, w // factor]).clone(memory_format=torch.contiguous_format)


@rule(aten.channel_shuffle.default)
def channel_shuffle(x, groups):
    n, c = x.shape[:2]
    return x.view([n, groups, c // groups] + list(x.shape[2:])).transpose(1, 2).reshape(x.shape)


@rule(aten.sum.default)
def sum_all(x, *, dtype=None):
    return aten.sum.dim_IntList(x, [], dtype=dtype)


@rule(aten.std.correction)
@computed
def std(x, dim=None, *, correction=None, keepdim=False):
    return torch.sqrt(aten.var.correction(x, dim, correction=1.0 if correction is None else float(correction),
                                          keepdim=keepdim))


@rule(aten.std_mean.correction)
@computed
def std_mean(x, dim=None, *, correction=None, keepdim=False):
    variance, mean = aten.var_mean.correction(x, dim, correction=1.0 if correction is None else float(correction),
                                              keepdim=keepdim)
    return torch.sqrt(variance), mean


@rule(aten.nansum.default)
def nansum(x, dim=None, keepdim=False, *, dtype=None):
    return aten.sum.dim_IntList(torch.where(torch.isnan(x), 0, x), dim, keepdim, dtype=dtype)


@rule(aten.logsumexp.default)
@computed_as_float
def logsumexp(x, dim, keepdim=False):
    if x.numel() == 0:
        return torch.log(torch.sum(torch.exp(x), dim, keepdim))
    most = torch.amax(x, dim, True)
    most = torch.masked_fill(most, most.abs() == math.inf, 0)
    kept = most if keepdim else torch.squeeze(most, tuple(dim))
    return torch.log(torch.sum(torch.exp(x - most), dim, keepdim)) + kept


@rule(aten.aminmax.default)
def aminmax(x, *, dim=None, keepdim=False):
    dims = [] if dim is None else [dim]
    return torch.amin(x, dims, keepdim), torch.amax(x, dims, keepdim)


@rule(aten.count_nonzero.default, aten.count_nonzero.dim_IntList)
def count_nonzero(x, dim=None):
    return aten.sum.dim_IntList(x != 0, [dim] if isinstance(dim, int) else dim)


def _all(any_of):
    def function(x, *args, **kwargs):
        out = torch.logical_not(any_of(torch.logical_not(x), *args, **kwargs))
        return out.to(torch.uint8) if x.dtype == torch.uint8 else out
    return function


rule(aten.all.default)(_all(aten.any.dims))
rule(aten.all.dim)(_all(aten.any.dim))
rule(aten.all.dims)(_all(aten.any.dims))


@rule(aten.trace.default)
def trace(x):
    return torch.sum(aten.diagonal_copy.default(x))


@rule(aten.norm.Scalar, aten.norm.ScalarOpt_dim)
def norm(x, p=2, dim=None, keepdim=False):
    return torch.linalg.vector_norm(x, 2 if p is None else p, dim, keepdim)


@rule(aten.norm.ScalarOpt_dtype)
def norm_in(x, p, *, dtype):
    return torch.linalg.vector_norm(x, 2 if p is None else p, dtype=dtype)


@rule(aten.norm.ScalarOpt_dim_dtype)
def norm_along_in(x, p, dim, keepdim, *, dtype):
    return torch.linalg.vector_norm(x, 2 if p is None else p, dim, keepdim, dtype=dtype)


@rule(aten.renorm.default)
def renorm(x, p, dim, maxnorm):
    dim = wrapped_dim(dim, x.dim())
    wide = {torch.float16: torch.float32, torch.bfloat16: torch.float32}.get(x.dtype)
    norms = torch.linalg.vector_norm(x, p, [each for each in range(x.dim()) if each != dim], True, dtype=wide)
    factors = torch.where(norms > maxnorm, maxnorm * torch.reciprocal(norms + 1e-7), 1.0)
    return x * factors.to(x.dtype)


in_place(aten.renorm_.default, aten.renorm.default)


@rule(aten.im2col.default)
def im2col(x, kernel, dilation, padding, stride):
    is_single = x.dim() == 3
    x = x.unsqueeze(0) if is_single else x
    n, c, h, w = x.shape
    rows = _window_places(h, kernel[0], dilation[0], padding[0], stride[0], x.device)
    columns = _window_places(w, kernel[1], dilation[1], padding[1], stride[1], x.device)
    padded = torch.constant_pad_nd(x, (padding[1], padding[1], padding[0], padding[0]), 0.0)
    out = padded[:, :, rows.unsqueeze(-1).unsqueeze(-1), columns].permute(0, 1, 2, 4, 3, 5)
    out = out.reshape(n, c * product(kernel), rows.shape[1] * columns.shape[1])
    return out.squeeze(0) if is_single else out


def _window_places(size, kernel, dilation, padding, stride, device):
    # The places in a padded line that each step of a window takes: kernel by windows.
    end = size + 2 * padding - dilation * (kernel - 1)
    starts = aten.arange.start_step(0, end, stride, dtype=torch.int64, device=device, pin_memory=False).unsqueeze(0)
    steps = aten.arange.start_step(0, kernel * dilation, dilation, dtype=torch.int64, device=device,
                                   pin_memory=False).unsqueeze(-1)
    return starts + steps


@rule(aten.col2im.default)
@computed
def col2im(x, output_size, kernel, dilation, padding, stride):
    is_single = x.dim() == 2
    x = x.unsqueeze(0) if is_single else x
    n, c = x.shape[0], x.shape[1] // product(kernel)
    lines = [(output_size[each], kernel[each], dilation[each], padding[each], stride[each]) for each in range(2)]
    counts = [(size + 2 * pad - step * (length - 1) - 1) // stride + 1 for size, length, step, pad, stride in lines]
    x = x.reshape([n, c] + list(kernel) + counts).permute(0, 1, 2, 4, 3, 5)
    rows = _window_places(*lines[0], x.device).unsqueeze(-1).unsqueeze(-1)
    columns = _window_places(*lines[1], x.device)
    out = x.new_zeros([n, c] + [line[0] + 2 * line[3] for line in lines])
    out = aten._unsafe_index_put.default(out, [None, None, rows, columns], x, True)
    out = torch.constant_pad_nd(out, (-padding[1], -padding[1], -padding[0], -padding[0]), 0.0)
    return out.squeeze(0) if is_single else out
