# SPDX-License-Identifier: GPL-3.0-or-later
# Decompositions of operators that make tensors.
import math

import torch

from ._rules import aten, computation_dtype, in_place, rule


def _as(value, dtype):
    # 0 or 1 as the dtype writes it.
    return bool(value) if dtype == torch.bool else value


def _filled_like(value):
    def function(x, *, dtype=None, layout=None, device=None, pin_memory=None, memory_format=torch.preserve_format):
        return aten.full_like.default(x, _as(value, dtype or x.dtype), dtype=dtype, layout=layout, device=device,
                                      pin_memory=bool(pin_memory), memory_format=memory_format)
    return function


rule(aten.zeros_like.default)(_filled_like(0))
rule(aten.ones_like.default)(_filled_like(1))


def full(size, value, *, dtype=None, layout=None, device=None, pin_memory=None):
    return aten.full.default(size, value, dtype=dtype, layout=torch.strided if layout is None else layout,
                             device='cpu' if device is None else device, pin_memory=bool(pin_memory))


def _filled(value):
    def function(size, *, dtype=None, layout=None, device=None, pin_memory=None):
        dtype = dtype or torch.get_default_dtype()
        return full(size, _as(value, dtype), dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    return function


rule(aten.zeros.default)(_filled(0))
rule(aten.ones.default)(_filled(1))


@rule(aten.new_full.default)
def new_full(x, size, value, *, dtype=None, layout=None, device=None, pin_memory=None):
    return full(size, value, dtype=dtype or x.dtype, layout=x.layout if layout is None else layout,
                device=x.device if device is None else device, pin_memory=pin_memory)


def _new_filled(value):
    def function(x, size, *, dtype=None, layout=None, device=None, pin_memory=None):
        return new_full(x, size, _as(value, dtype or x.dtype), dtype=dtype, layout=layout, device=device,
                        pin_memory=pin_memory)
    return function


rule(aten.new_zeros.default)(_new_filled(0))
rule(aten.new_ones.default)(_new_filled(1))


@rule(aten.new_empty.default)
def new_empty(x, size, *, dtype=None, layout=None, device=None, pin_memory=None):
    return aten.empty.memory_format(size, dtype=dtype or x.dtype, layout=x.layout if layout is None else layout,
                                    device=x.device if device is None else device, pin_memory=bool(pin_memory))


def _order_in_memory(x):
    # The dimensions from the outermost one: by strides, and of equal ones the greater size lies outside. Where a stride
    # of 0 says nothing, the order is kept and the search goes on, as in ATen's iterators.
    is_plain = x.is_contiguous()
    is_last = x.dim() == 4 and x.is_contiguous(memory_format=torch.channels_last)
    if is_plain != is_last:
        return list(range(x.dim())) if is_plain else [0, 2, 3, 1]

    def lies_inside(a, b):
        if 0 in (x.stride(a), x.stride(b)):
            return 0
        if x.stride(a) != x.stride(b):
            return -1 if x.stride(a) < x.stride(b) else 1
        return 1 if x.shape[a] > x.shape[b] else 0

    order = list(range(x.dim()))[::-1]
    for last in range(1, x.dim()):
        place = last
        for before in range(last - 1, -1, -1):
            compared = lies_inside(order[before], order[place])
            if compared < 0:
                break
            if compared > 0:
                order[before], order[place] = order[place], order[before]
                place = before
    return order[::-1]


@rule(aten.empty_like.default)
def empty_like(x, *, dtype=None, layout=None, device=None, pin_memory=None, memory_format=None):
    options = {'dtype': dtype or x.dtype, 'layout': x.layout if layout is None else layout,
               'device': x.device if device is None else device, 'pin_memory': bool(pin_memory)}
    if memory_format not in (None, torch.preserve_format):
        return aten.empty.memory_format(x.shape, memory_format=memory_format, **options)
    return aten.empty_permuted.default(x.shape, _order_in_memory(x), **options)


@rule(aten.arange.default)
def arange(end, *, dtype=None, layout=torch.strided, device=None, pin_memory=False):
    return arange_from(0, end, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)


@rule(aten.arange.start)
def arange_from(start, end, *, dtype=None, layout=torch.strided, device=None, pin_memory=False):
    return aten.arange.start_step(start, end, 1, dtype=dtype, layout=torch.strided if layout is None else layout,
                                  device=device, pin_memory=bool(pin_memory))


@rule(aten.linspace.default)
def linspace(start, end, steps, *, dtype=None, layout=torch.strided, device=None, pin_memory=False):
    dtype = dtype or torch.get_default_dtype()
    if steps < 2:
        return full((steps,), start if steps else 0, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    numbers = aten.arange.start(0, steps, layout=torch.strided if layout is None else layout,
                                device='cpu' if device is None else device, pin_memory=bool(pin_memory))
    between = computation_dtype(dtype) if dtype.is_floating_point or dtype.is_complex else torch.int64
    step = (end - start) / (steps - 1)
    is_first_half = numbers < steps / 2
    from_start = step * numbers.to(between) + start
    # The second half counts from the end, so that the end is met exactly.
    from_end = end - step * ((steps - 1) - numbers).to(between)
    return torch.where(is_first_half, from_start, from_end).to(dtype)


@rule(aten.logspace.default)
def logspace(start, end, steps, base=10, *, dtype=None, layout=torch.strided, device=None, pin_memory=False):
    powers = aten.linspace.default(start, end, steps, dtype=torch.float64,
                                   layout=torch.strided if layout is None else layout,
                                   device='cpu' if device is None else device, pin_memory=bool(pin_memory))
    return torch.pow(base, powers).to(dtype or torch.get_default_dtype())


@rule(aten.eye.default)
def eye(n, *, dtype=None, layout=torch.strided, device=None, pin_memory=False):
    return eye_of(n, n, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)


@rule(aten.eye.m)
def eye_of(n, m, *, dtype=None, layout=torch.strided, device=None, pin_memory=False):
    dtype = dtype or torch.get_default_dtype()
    counted = torch.uint8 if max(n, m) < 256 else torch.int64
    rows = torch.arange(n, dtype=counted, device=device)
    columns = torch.arange(m, dtype=counted, device=device)
    return torch.eq(rows.unsqueeze(-1), columns).to(dtype)


@rule(aten.hann_window.default)
def hann_window(length, *, dtype=None, layout=None, device=None, pin_memory=None):
    return torch.hann_window(length, True, dtype=dtype, layout=layout, device=device)


@rule(aten.hann_window.periodic)
def hann_window_of(length, periodic, *, dtype=None, layout=None, device=None, pin_memory=None):
    dtype = dtype or torch.get_default_dtype()
    if length < 2:
        return torch.empty(0, dtype=dtype, device=device) if length == 0 else torch.ones(1, dtype=dtype, device=device)
    count = length + 1 if periodic else length
    wide = computation_dtype(dtype)
    angles = torch.arange(count, dtype=wide, device=device) * (2 * math.pi / (count - 1))
    window = torch.cos(angles) * -0.5 + 0.5
    return (window[:length] if periodic else window).to(dtype)


@rule(aten.fill.Scalar)
def fill(x, value):
    return torch.full_like(x, value)


@rule(aten.fill.Tensor)
def fill_tensor(x, value):
    return aten.copy.default(x, value)


@rule(aten.zero.default)
def zero(x):
    return torch.zeros_like(x)


in_place(aten.fill_.Scalar, aten.fill.Scalar)
in_place(aten.fill_.Tensor, aten.fill.Tensor)
in_place(aten.zero_.default, zero)


def _where_or_zero(mask, x):
    out = torch.logical_and(mask, x) if x.dtype == torch.bool else torch.where(mask, x, 0)
    return out.contiguous()


def _triangle(x, is_inside):
    columns = torch.arange(x.shape[-1], device=x.device).unsqueeze(-2)
    rows = torch.arange(x.shape[-2], device=x.device).unsqueeze(-1)
    return _where_or_zero(is_inside(columns - rows), x)


@rule(aten.tril.default)
def tril(x, diagonal=0):
    return _triangle(x, lambda distance: distance <= diagonal)


@rule(aten.triu.default)
def triu(x, diagonal=0):
    return _triangle(x, lambda distance: distance >= diagonal)


in_place(aten.tril_.default, tril)
in_place(aten.triu_.default, triu)


@rule(aten.diag_embed.default)
def diag_embed(x, offset=0, dim1=-2, dim2=-1):
    rank = x.dim() + 1
    dim1, dim2 = dim1 % rank, dim2 % rank
    if dim1 > dim2:
        dim1, dim2, offset = dim2, dim1, -offset
    last = x.shape[-1]
    if offset != 0:
        shape = list(x.shape)
        shape[-1] = abs(offset)
        zeros = torch.zeros(shape, dtype=x.dtype, device=x.device)
        x = torch.cat([zeros, x] if offset > 0 else [x, zeros], -1)
        last += abs(offset)
    x = x.unsqueeze(dim1).movedim(-1, dim2)
    columns = torch.arange(last, device=x.device, dtype=torch.int64)
    rows = torch.arange(offset, last + offset, device=x.device, dtype=torch.int64)
    shape = [x.shape[dim] if dim in (dim1, dim2) else 1 for dim in range(x.dim())]
    shape[dim1] = last
    mask = (columns == rows.unsqueeze(-1)).reshape(shape)
    return _where_or_zero(mask, x)


@rule(aten.affine_grid_generator.default)
def affine_grid(theta, size, align_corners):
    def points(count):
        end = 1 if align_corners else (count - 1) / count
        return torch.linspace(-end, end, count, dtype=theta.dtype, device=theta.device)

    lengths = list(size[2:])
    rank = len(lengths)
    axes = [points(lengths[-1 - each]).view([1] * (rank - 1 - each) + [lengths[-1 - each]] + [1] * (each + 1))
            for each in range(rank)]
    axes.append(torch.ones([1] * (rank + 1), dtype=theta.dtype, device=theta.device))
    padded = [torch.constant_pad_nd(axis, [each, rank - each], 0.0) for each, axis in enumerate(axes)]
    base = padded[0]
    for each in padded[1:]:
        base = base + each
    grid = (base.view(-1, rank + 1, 1) * theta.mT.unsqueeze(1)).sum(-2)
    return grid.view([size[0]] + lengths + [rank])
