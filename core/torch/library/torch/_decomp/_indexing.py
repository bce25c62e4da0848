# SPDX-License-Identifier: GPL-3.0-or-later
# Decompositions of indexing, of the gradients of views, of padding and of resizing.
import functools
import itertools

import torch

from ._rules import aten, computed, product, rule, unsqueezed, wrapped_dim


def _at(dim, index):
    return [None] * dim + [index]


def _with_places(x, dim, index, value, put, is_added=False):
    # The value at the places of an index along a dimension; a tensor without dimensions is taken as one with one.
    if x.dim() > 0:
        return put(x, _at(wrapped_dim(dim, x.dim()), index), value, is_added)
    out = put(x.unsqueeze(0), [index], value, is_added)
    return out.squeeze(0) if put is aten.index_put.default else x


@rule(aten.index_add.default)
def index_add(x, dim, index, source, *, alpha=1):
    return _with_places(x, dim, index, source if alpha == 1 else source * alpha, aten.index_put.default, True)


@rule(aten.index_add_.default)
def index_add_(x, dim, index, source, *, alpha=1):
    return _with_places(x, dim, index, source if alpha == 1 else source * alpha, aten.index_put_.default, True)


@rule(aten.index_copy.default)
def index_copy(x, dim, index, source):
    return _with_places(x, dim, index, source, aten.index_put.default)


@rule(aten.index_copy_.default)
def index_copy_(x, dim, index, source):
    return _with_places(x, dim, index, source, aten.index_put_.default)


def _index_fill(x, dim, index, value, index_copy):
    if not isinstance(value, torch.Tensor):
        value = torch.scalar_tensor(value, dtype=x.dtype, layout=x.layout, device=x.device)
    if x.dim() == 0:
        out = index_copy(x.unsqueeze(0), dim, index, value.expand(index.numel()))
        return out.squeeze(0).clone() if index_copy is torch.index_copy else x
    shape = list(x.shape)
    shape[dim] = index.numel()
    return index_copy(x, dim, index, value.expand(shape))


@rule(aten.index_fill.int_Scalar, aten.index_fill.int_Tensor)
def index_fill(x, dim, index, value):
    return _index_fill(x, dim, index, value, torch.index_copy)


@rule(aten.index_fill_.int_Scalar, aten.index_fill_.int_Tensor)
def index_fill_(x, dim, index, value):
    return _index_fill(x, dim, index, value, aten.index_copy_.default)


@rule(aten.select_scatter.default)
def select_scatter(x, source, dim, index):
    dim = wrapped_dim(dim, x.dim())
    shape = [1] * x.dim()
    shape[dim] = -1
    places = torch.arange(x.shape[dim], device=x.device).view(shape)
    is_there = places == (index + x.shape[dim] if index < 0 else index)
    return torch.where(is_there, source.unsqueeze(dim).expand(x.shape), x)


@rule(aten.select_backward.default)
def select_backward(grad, sizes, dim, index):
    return aten.select_scatter.default(grad.new_zeros(sizes), grad, dim, index)


@rule(aten.slice_backward.default)
def slice_backward(grad, sizes, dim, start, end, step):
    return aten.slice_scatter.default(grad.new_zeros(sizes), grad, dim, start, end, step)


@rule(aten.diagonal_backward.default)
def diagonal_backward(grad, sizes, offset, dim1, dim2):
    return aten.diagonal_scatter.default(grad.new_zeros(sizes), grad, offset, dim1, dim2)


@rule(aten.unfold_backward.default)
def unfold_backward(grad, sizes, dim, size, step):
    if len(sizes) == 0:
        return grad.squeeze(0)
    dim = wrapped_dim(dim, len(sizes))
    out = grad.new_zeros(sizes)
    places = torch.arange(sizes[dim], device=grad.device, dtype=torch.int32).unfold(0, size, step).flatten()
    grad = grad.movedim(-1, dim + 1).flatten(dim, dim + 1)
    return aten._unsafe_index_put.default(out, _at(dim, places), grad, True)


@rule(aten.take.default)
def take(x, index):
    return x.reshape(-1)[index]


@rule(aten._unsafe_index.Tensor)
def unsafe_index(x, indices):
    return aten.index.Tensor(x, indices)


@rule(aten._unsafe_index_put.default)
def unsafe_index_put(x, indices, value, accumulate=False):
    return aten.index_put.default(x, indices, value, accumulate)


@rule(aten._unsafe_masked_index.default)
def masked_index(x, mask, indices, fill):
    inside = [None if index is None else index.clamp(min=0, max=x.size(dim) - 1) for dim, index in enumerate(indices)]
    return aten._unsafe_index.Tensor(x, inside).masked_fill(~mask, fill)


@rule(aten._unsafe_masked_index_put_accumulate.default)
def masked_index_put(x, mask, indices, values):
    inside = [None if index is None else index.clamp(min=-x.size(dim), max=x.size(dim) - 1)
              for dim, index in enumerate(indices)]
    return aten._unsafe_index_put.default(x, inside, values.masked_fill(~mask, 0), True)


@rule(aten.isin.Tensor_Scalar)
def isin_scalar(elements, test, *, assume_unique=False, invert=False):
    return elements != test if invert else elements == test


@rule(aten.isin.Tensor_Tensor)
def isin(elements, tests, *, assume_unique=False, invert=False):
    # Few tests are compared one by one, many are sorted first.
    if tests.numel() < 10.0 * elements.numel() ** 0.145:
        found = (elements.reshape(list(elements.shape) + [1] * tests.dim()) == tests).any(
            dim=tuple(range(-1, -tests.dim() - 1, -1)))
        return ~found if invert else found
    flat = elements.flatten()
    if assume_unique:
        values, order = torch.sort(torch.cat([flat, tests.flatten()]), stable=True)
        is_twice = torch.constant_pad_nd(values[1:] == values[:-1], [0, 1], False)
        is_twice = torch.logical_not(is_twice) if invert else is_twice
        found = torch.empty_like(is_twice).index_copy(0, order, is_twice)
        return found[:elements.numel()].view(elements.shape)
    values = torch.sort(tests.flatten())[0]
    places = torch.searchsorted(values, flat)
    found = values[torch.where(places < values.numel(), places, 0)] == flat
    return (torch.logical_not(found) if invert else found).reshape(elements.shape)


@rule(aten.isin.Scalar_Tensor)
def isin_of_scalar(element, tests, *, assume_unique=False, invert=False):
    return isin(torch.scalar_tensor(element, device=tests.device), tests, assume_unique=assume_unique, invert=invert)


@computed
def _padded_by(x, padding, places):
    # Each dimension at the end of x indexed by its places, the first one first.
    count = len(padding) // 2
    for each in range(count):
        left, right = padding[2 * (count - 1 - each)], padding[2 * (count - 1 - each) + 1]
        dim = x.dim() - count + each
        index = [None] * x.dim()
        size = x.shape[dim]
        index[dim] = places(torch.arange(-left, size + right, device=x.device), size)
        x = aten._unsafe_index.Tensor(x, index)
    return x


@rule(aten.reflection_pad1d.default, aten.reflection_pad2d.default, aten.reflection_pad3d.default)
def reflection_pad(x, padding):
    return _padded_by(x, padding, lambda place, size: size - 1 - (size - 1 - place.abs()).abs())


@rule(aten.replication_pad1d.default, aten.replication_pad2d.default, aten.replication_pad3d.default)
def replication_pad(x, padding):
    return _padded_by(x, padding, lambda place, size: torch.clamp(place, 0, size - 1))


@rule(aten.reflection_pad1d_backward.default, aten.reflection_pad2d_backward.default,
      aten.reflection_pad3d_backward.default)
def reflection_pad_backward(grad, x, padding):
    count = len(padding) // 2
    before = x.dim() - count
    lefts = [padding[2 * (count - 1 - each)] for each in range(count)]
    rights = [padding[2 * (count - 1 - each) + 1] for each in range(count)]
    sizes, padded = list(x.shape[before:]), list(grad.shape[before:])

    def along(dim):
        shape = [1] * x.dim()
        shape[dim] = -1
        return torch.arange(x.shape[dim], device=x.device).view(shape)

    outer = [along(dim) for dim in range(before)]
    inner = [along(before + each) for each in range(count)]
    # Where the place itself went, and where its image beyond the low and beyond the high end went.
    own = [place + left for place, left in zip(inner, lefts)]
    low = [left - place for place, left in zip(inner, lefts)]
    high = [2 * size + left - 2 - place for place, left, size in zip(inner, lefts, sizes)]
    at_own = [(place, 0, size - 1) for place, size in zip(own, padded)]
    at_low = [(place, 1, left) for place, left in zip(inner, lefts)]
    at_high = [(place, size - right - 1, size - 2) for place, size, right in zip(inner, sizes, rights)]

    def part(choice):
        ranges = [(at_own, at_low, at_high)[kind][each] for each, kind in enumerate(choice)]
        masks = [torch.logical_and(place >= first, place <= last) for place, first, last in ranges]
        mask = functools.reduce(torch.logical_and, masks)
        places = [(own, low, high)[kind][each] for each, kind in enumerate(choice)]
        return aten._unsafe_masked_index.default(grad, mask, outer + places, 0.0)

    out = part([0] * count)
    for choice in itertools.product((1, 0, 2), repeat=count):
        is_empty = any((kind == 1 and lefts[each] <= 0) or (kind == 2 and rights[each] <= 0)
                       for each, kind in enumerate(choice))
        if any(choice) and not is_empty:
            out = out + part(choice)
    return out


def _max_unpool(x, indices, output_size):
    rank = len(output_size)
    size = product(output_size)
    outer = list(x.shape[:x.dim() - rank])
    planes = aten.arange.default(product(outer), device=x.device).view(outer + [1] * rank)
    places = (indices + planes * size).reshape(-1)
    out = x.new_zeros(outer + list(output_size))
    return aten._unsafe_index_put.default(out.reshape(-1), [places], x.reshape(-1)).view(out.shape)


@rule(aten.max_unpool2d.default)
def max_unpool2d(x, indices, output_size):
    return _max_unpool(x, indices, output_size)


@rule(aten.max_unpool3d.default)
def max_unpool3d(x, indices, output_size, stride, padding):
    return _max_unpool(x, indices, output_size)


def _nearest(x, output_size, scales, shift):
    indices = []
    rank = len(output_size)
    for each in range(rank):
        scale = scales[each]
        step = x.shape[each + 2] / output_size[each] if scale is None else 1 / scale
        places = (torch.arange(output_size[each], dtype=torch.float32, device=x.device) + shift) * step
        indices.append(unsqueezed(places.to(torch.int64), rank - 1 - each))
    return aten._unsafe_index.Tensor(x, [None, None] + indices)


@rule(aten.upsample_nearest1d.default, aten.upsample_nearest2d.default, aten.upsample_nearest3d.default)
@computed
def upsample_nearest(x, output_size, *scales):
    return _nearest(x, output_size, list(scales) + [None] * (len(output_size) - len(scales)), 0.0)


@rule(aten._upsample_nearest_exact1d.default, aten._upsample_nearest_exact2d.default,
      aten._upsample_nearest_exact3d.default)
@computed
def upsample_nearest_exact(x, output_size, *scales):
    return _nearest(x, output_size, list(scales) + [None] * (len(output_size) - len(scales)), 0.5)


@rule(aten.upsample_linear1d.default)
@computed
def upsample_linear1d(x, output_size, align_corners, scale=None):
    size, count = x.shape[2], output_size[0]
    places = torch.arange(count, device=x.device).to(x.dtype)
    if align_corners:
        places = places * ((size - 1) / (count - 1) if count > 1 else 0)
    else:
        step = size / count if scale is None else 1 / scale
        places = (places + 0.5) * step - 0.5
    places = places.clamp(min=0.0).view(count)
    first = places.to(torch.int64)
    second = (first + 1).clamp(max=size - 1)
    low, high = [aten._unsafe_index.Tensor(x, [None, None, each]) for each in (first, second)]
    share = (places - first).clamp(0.0, 1.0)
    return low + torch.mul(high - low, share)
