# SPDX-License-Identifier: GPL-3.0-or-later
# numpy's functions over whole arrays: what is put together, looked up, counted and interpolated.
import math

import torch

from ._arithmetic import as_double, ordered, signed, subtract
from ._array import array_of, axis_of, binary, broadcast, common, tensor_of, wrap, written
from ._dtypes import dtype as _dtype, dtype_of_tensor
from ._elementwise import where
from ._functions import asarray, concatenate, diff, ndim
from ._methods import all, argsort, cumsum, given, max, mean, min, prod, require_shape, sum


def append(arr, values, axis=None):
    if axis is None:
        arr, values = asarray(arr).ravel(), asarray(values).ravel()
    return concatenate((arr, values), axis=axis or 0)


def atleast_3d(*arys):
    found = []
    for each in arys:
        tensor = tensor_of(each)
        shape = {0: (1, 1, 1), 1: (1, -1, 1), 2: (*tensor.shape, 1)}.get(tensor.dim(), tensor.shape)
        found.append(array_of(tensor.reshape(shape)))
    return found[0] if len(found) == 1 else tuple(found)


def column_stack(tup):
    tensors = [tensor_of(each) for each in tup]
    return concatenate([array_of(each.reshape(-1, 1) if each.dim() < 2 else each) for each in tensors], 1)


def dstack(tup):
    return concatenate([atleast_3d(each) for each in tup], 2)


def array_split(ary, indices_or_sections, axis=0):
    tensor = tensor_of(ary)
    given = indices_or_sections
    places = [int(each) for each in given] if hasattr(given, '__len__') else given.__index__()
    return [array_of(part) for part in torch.tensor_split(tensor, places, axis_of(axis, tensor.dim()))]


def vsplit(ary, indices_or_sections):
    return array_split(ary, indices_or_sections, 0)


def hsplit(ary, indices_or_sections):
    return array_split(ary, indices_or_sections, 1 if tensor_of(ary).dim() > 1 else 0)


def diag(v, k=0):
    tensor = tensor_of(v)
    if tensor.dim() not in (1, 2):
        raise ValueError('Input must be 1- or 2-d.')
    return array_of(torch.diag(tensor, k))


def diagflat(v, k=0):
    return diag(tensor_of(v).flatten(), k)


def tri(N, M=None, k=0, dtype=float):
    columns = N if M is None else M
    return array_of((torch.arange(N)[:, None] >= torch.arange(-k, columns - k)).to(_dtype(dtype)._torch))


def tril_indices(n, k=0, m=None):
    return tuple(array_of(part) for part in torch.tril_indices(n, n if m is None else m, k))


def triu_indices(n, k=0, m=None):
    return tuple(array_of(part) for part in torch.triu_indices(n, n if m is None else m, k))


def indices(dimensions, dtype=int):
    grids = torch.meshgrid(*(torch.arange(each) for each in dimensions), indexing='ij')
    return array_of(torch.stack(grids).to(_dtype(dtype)._torch))


def rot90(m, k=1, axes=(0, 1)):
    return array_of(torch.rot90(tensor_of(m), k, axes))


def flatnonzero(a):
    return array_of(torch.nonzero(tensor_of(a).flatten())[:, 0])


def inner(a, b):
    a, b = common(a, b)
    return wrap(a * b if 0 in (a.dim(), b.dim()) else torch.tensordot(a, b, ([-1], [-1])))


def vdot(a, b):
    a, b = common(a, b)
    return wrap(torch.dot(a.flatten().conj().resolve_conj(), b.flatten()))


def tensordot(a, b, axes=2):
    a, b = common(a, b)
    if not isinstance(axes, int):
        axes = tuple([each] if isinstance(each, int) else list(each) for each in axes)
    return array_of(torch.tensordot(a, b, axes))


def kron(a, b):
    return array_of(torch.kron(*common(a, b)))


def cross(a, b, axis=-1):
    a, b = (each.movedim(axis, -1) for each in common(a, b))
    if (a.shape[-1], b.shape[-1]) != (3, 3):
        raise ValueError('Both input arrays must be (arrays of) 3-dimensional vectors, but they are '
                         f'{a.shape[-1]} and {b.shape[-1]} dimensional instead.')
    a, b = broadcast([a, b])
    parts = [a[..., i] * b[..., j] - a[..., j] * b[..., i] for i, j in ((1, 2), (2, 0), (0, 1))]
    return array_of(torch.stack(parts, -1).movedim(-1, axis))


def isin(element, test_elements, assume_unique=False, invert=False):
    return wrap(torch.isin(*common(element, test_elements), invert=invert))


def searchsorted(a, v, side='left', sorter=None):
    line, values = (ordered(each).contiguous() for each in common(a, v))
    if sorter is not None:
        order = tensor_of(sorter)
        if order.shape != line.shape:
            raise ValueError('sorter.size must equal a.size')
        if bool(((order < 0) | (order >= line.numel())).any()):
            raise ValueError('Sorter index out of range.')
        line = line[order]
    return wrap(torch.searchsorted(line, values, right=side == 'right'))


def digitize(x, bins, right=False):
    edges = tensor_of(bins)
    if edges.numel() > 1 and bool(ordered(edges)[0] > ordered(edges)[-1]):
        return wrap(edges.numel() - tensor_of(searchsorted(array_of(edges.flip(0)), x, 'left' if right else 'right')))
    return searchsorted(bins, x, 'left' if right else 'right')


def bincount(x, weights=None, minlength=0):
    return array_of(torch.bincount(tensor_of(x), None if weights is None else tensor_of(weights).double(), minlength))


def histogram(a, bins=10, range=None, density=None, weights=None):
    tensor = tensor_of(a).flatten()
    if hasattr(bins, '__len__'):
        edges = tensor_of(bins)
    else:
        from ._ranges import linspace
        low, high = (min(array_of(tensor)), max(array_of(tensor))) if range is None else range
        if not math.isfinite(low) or not math.isfinite(high):
            raise ValueError(f'{"autodetected" if range is None else "supplied"} range of [{low}, {high}] is not finite')
        if low == high:
            low, high = low - 0.5, high + 0.5
        edges = tensor_of(linspace(low, high, bins + 1))
        edges = edges.to(dtype_of_tensor(tensor)._torch) if tensor.is_floating_point() and not hasattr(low, 'dtype') else edges
    weights = None if weights is None else tensor_of(weights).flatten()
    if weights is not None and hasattr(bins, '__len__'):
        counts = _weighed(tensor, edges, weights)
    else:
        counts = _counted(tensor, edges, weights)
    if density:
        counts = counts / edges.diff().double() / counts.sum()
    return array_of(counts), array_of(edges)


def _weighed(tensor, edges, weights, block=65536):
    """Sums of weights between edges: differences of running sums, of one block of numbers after the other."""
    found = torch.zeros(edges.numel(), dtype=weights.dtype)
    for values, parts in zip(tensor.split(block), weights.split(block)):
        order = tensor_of(argsort(array_of(values)))
        sums = torch.cat([torch.zeros(1, dtype=weights.dtype), tensor_of(cumsum(array_of(parts[order]))).to(weights.dtype)])
        line = array_of(values[order])
        places = [searchsorted(line, array_of(edges[:-1])), searchsorted(line, array_of(edges[-1:]), 'right')]
        found += sums[tensor_of(concatenate(places))]
    return found.diff()


def _counted(tensor, edges, weights):
    places = tensor_of(searchsorted(array_of(edges), array_of(tensor), 'right')) - 1
    line, values = common(array_of(edges), array_of(tensor))
    places = torch.where(signed(values) == signed(line)[-1], edges.numel() - 2, places)
    isInside = (places >= 0) & (places < edges.numel() - 1)
    counts = torch.bincount(places[isInside], None if weights is None else weights[isInside].double(), edges.numel() - 1)
    return counts if weights is None else counts.to(weights.dtype)


def interp(x, xp, fp, left=None, right=None, period=None):
    if period is not None:
        raise NotImplementedError('not supported: numpy.interp with a period')
    if tensor_of(fp).is_complex():
        raise NotImplementedError('not supported: numpy.interp of complex numbers')
    at, places, values = (tensor_of(each).double() for each in (x, xp, fp))
    if places.shape != values.shape:
        raise ValueError('fp and xp are not of the same length.')
    last = places.numel() - 1
    low = (torch.searchsorted(places, at.contiguous(), right=True) - 1).clamp(0, last)
    high = (low + 1).clamp(max=last)
    slope = (values[high] - values[low]) / (places[high] - places[low])
    found = slope * (at - places[low]) + values[low]
    found = torch.where((low == last) | (places[low] == at), values[low], found)
    found = torch.where(at < places[0], values[0] if left is None else torch.tensor(float(left), dtype=torch.float64), found)
    found = torch.where(at > places[last], values[last] if right is None else torch.tensor(float(right), dtype=torch.float64), found)
    return wrap(torch.where(at.isnan(), at, found))


def trapezoid(y, x=None, dx=1.0, axis=-1):
    values = asarray(y)
    axis = axis_of(axis, values.ndim)
    step = dx if x is None else diff(asarray(x), axis=axis if ndim(x) > 1 else 0)
    if x is not None and ndim(x) == 1:
        step = step.reshape([-1 if each == axis else 1 for each in range(values.ndim)])
    every = (slice(None),) * axis
    return sum(step * (values[(*every, slice(1, None))] + values[(*every, slice(-1))]) / 2.0, axis=axis)


def gradient(f, *varargs, axis=None):
    if len(varargs) > 1 or (varargs and tensor_of(varargs[0]).dim()):
        raise NotImplementedError('not supported: numpy.gradient with several distances')
    tensor, step = tensor_of(f), varargs[0] if varargs else 1.0
    if tensor.dtype == torch.bool:
        subtract(tensor, tensor)
    tensor = tensor if tensor.is_floating_point() or tensor.is_complex() else as_double(tensor)
    axes = [axis] if isinstance(axis, int) else list(range(tensor.dim())) if axis is None else list(axis)
    found = []
    for each in axes:
        t = tensor.movedim(each, 0)
        if t.shape[0] < 2:
            raise ValueError('Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are required.')
        inside = (t[2:] - t[:-2]) / (2.0 * step)
        found.append(array_of(torch.cat([(t[1:2] - t[:1]) / step, inside, (t[-1:] - t[-2:-1]) / step]).movedim(0, each)))
    return found[0] if len(found) == 1 else tuple(found)


def ptp(a, axis=None, keepdims=False):
    return max(a, axis=axis, keepdims=keepdims) - min(a, axis=axis, keepdims=keepdims)


def median(a, axis=None, keepdims=False):
    tensor = tensor_of(a)
    tensor = tensor if tensor.is_floating_point() else as_double(tensor)
    axis = tuple(range(tensor.dim())) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = [axis_of(each, tensor.dim()) for each in axis]
    kept = [each for each in range(tensor.dim()) if each not in axes]
    last = tensor.permute(kept + axes).reshape([tensor.shape[each] for each in kept] + [-1])
    values, half = last.sort(-1)[0], last.shape[-1] // 2
    found = values[..., half] if last.shape[-1] % 2 else tensor_of(mean(array_of(values[..., half - 1:half + 1]), axis=-1))
    found = torch.where(last.isnan().any(-1), math.nan, found)
    return wrap(found.reshape([1 if each in axes else tensor.shape[each] for each in range(tensor.dim())]) if keepdims else found)


def _without_nan(take, filler):
    """Returns a reduction that replaces each NaN by `filler` first."""
    def function(a, axis=None, dtype=None, out=None, keepdims=False):
        tensor = tensor_of(a)
        given = torch.where(tensor.isnan(), filler, tensor) if tensor.is_floating_point() or tensor.is_complex() else tensor
        return take(array_of(given), axis=axis, dtype=dtype, out=out, keepdims=keepdims)

    return function


nansum, nanprod = _without_nan(sum, 0), _without_nan(prod, 1)


def _extreme_of_numbers(take, filler):
    fill = _without_nan(take, filler)

    def function(a, axis=None, out=None, keepdims=False):
        found, tensor = fill(a, axis, None, None, keepdims), tensor_of(a)
        if tensor.is_floating_point() and bool(tensor.isnan().any()):
            found = where(all(array_of(tensor.isnan()), axis=axis, keepdims=keepdims), math.nan, found)
        return given(tensor_of(found), out)

    return function


nanmax, nanmin = _extreme_of_numbers(max, -math.inf), _extreme_of_numbers(min, math.inf)


def nanmean(a, axis=None, dtype=None, out=None, keepdims=False):
    tensor = tensor_of(a)
    if not tensor.is_floating_point() and not tensor.is_complex():
        return mean(a, axis=axis, dtype=dtype, out=out, keepdims=keepdims)
    total = nansum(a, axis=axis, dtype=dtype, keepdims=keepdims)
    found = total / sum(array_of(~tensor.isnan()), axis=axis, keepdims=keepdims).astype(total.dtype)
    if out is None:
        return found
    require_shape(tensor_of(found), out)
    return written(tensor_of(found), out)


def convolve(a, v, mode='full'):
    a, v = common(a, v)
    if v.numel() > a.numel():
        a, v = v, a
    if 0 in (a.numel(), v.numel()):
        raise ValueError(f'{"a" if not a.numel() else "v"} cannot be empty')
    full = torch.zeros(a.numel() + v.numel() - 1, dtype=a.dtype)
    for place in range(v.numel()):
        full[place:place + a.numel()] += a * v[place]
    edge = {'full': 0, 'same': (v.numel() - 1) // 2, 'valid': v.numel() - 1}[mode]
    length = {'full': full.numel(), 'same': a.numel(), 'valid': a.numel() - v.numel() + 1}[mode]
    return array_of(full[edge:edge + length])


def vander(x, N=None, increasing=False):
    tensor = tensor_of(x)
    powers = torch.arange(tensor.numel() if N is None else N)
    powers = powers if increasing else powers.flip(0)
    return binary('pow', array_of(tensor[:, None]), array_of(powers))


__all__ = [_name for _name, _value in list(globals().items()) if getattr(_value, '__module__', '') == __name__ and not _name.startswith('_')]
