# SPDX-License-Identifier: GPL-3.0-or-later
# numpy's evenly spaced numbers, and windows over them.
import math

import torch

from ._arithmetic import as_double, sign
from ._array import array_of, axis_of, common, tensor_of, wrap
from ._dtypes import dtype as _dtype, promote, weak
from ._elementwise import cos, i0, log10, power, sqrt


def arange(start, stop=None, step=1, dtype=None):
    start, stop = (0, start) if stop is None else (start, stop)
    given = [each.item() if hasattr(each, 'item') else each for each in (start, stop, step)]
    found = None
    for each in (start, stop, step):
        own = each.dtype if hasattr(each, 'dtype') else weak(each)
        found = own if found is None else promote(found, own)
    found = found if dtype is None else _dtype(dtype)
    count = max(0, math.ceil((given[1] - given[0]) / given[2]))
    if found.kind == 'f' or any(isinstance(each, float) for each in given):
        # Each number is the first one and so many times the difference to the second, in the dtype of the result.
        wide = torch.float64 if found.kind != 'f' else found._torch
        first, second = (torch.tensor(each, dtype=wide) for each in (given[0], given[0] + given[2]))
        return array_of((first + torch.arange(count, dtype=wide) * (second - first)).to(found._torch))
    return array_of((given[0] + torch.arange(count) * given[2]).to(found._torch))


def _with_axis(found, axis):
    return found if axis == 0 else found.movedim(0, axis_of(axis, found.dim()))


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    num = num.__index__()
    if num < 0:
        raise ValueError(f'Number of samples, {num}, must be non-negative.')
    first, last = common(start, stop)
    if not first.is_floating_point() and not first.is_complex():
        first, last = as_double(first), as_double(last)
    parts = num - 1 if endpoint else num
    distance = last - first
    places = torch.arange(num, dtype=torch.float64).to(distance.dtype).reshape(-1, *[1] * distance.dim())
    step = distance / parts if parts > 0 else torch.tensor(math.nan, dtype=torch.float64)
    if parts > 0 and bool((step == 0).any()):
        found = first + places / parts * distance
    else:
        found = first + (places * step if parts > 0 else places * distance)
    if endpoint and num > 1:
        found[-1] = last
    found = _with_axis(found, axis)
    if dtype is not None:
        found = (found.floor() if _dtype(dtype).kind in 'iu' else found).to(_dtype(dtype)._torch)
    return (array_of(found), wrap(step)) if retstep else array_of(found)


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    if tensor_of(base).dim():
        base = tensor_of(base)
        start, stop, base = torch.broadcast_tensors(*common(start, stop), base)
        start, stop = array_of(start), array_of(stop)
        base = array_of(base.unsqueeze(axis))
    found = power(base, linspace(start, stop, num, endpoint, axis=axis))
    return found if dtype is None else found.astype(dtype)


def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    given = [tensor_of(each) for each in (start, stop)]
    own = torch.complex128 if any(each.is_complex() for each in given) else torch.float64
    first, last = torch.broadcast_tensors(*(each.to(own) for each in given))
    if bool((first == 0).any()) or bool((last == 0).any()):
        raise ValueError('Geometric sequence cannot include zero')
    turned = sign(first)
    first, last = first / turned, last / turned
    found = tensor_of(logspace(log10(array_of(first)), log10(array_of(last)), num, endpoint)).to(own)
    if num > 0:
        found[0] = first
        if num > 1 and endpoint:
            found[-1] = last
    found = array_of(_with_axis(found * turned, axis))
    return found if dtype is None else found.astype(dtype)


def _window(compute):
    def window(M):
        size = float(M)
        if size < 1:
            return array_of(torch.empty(0, dtype=torch.float64))
        return array_of(torch.ones(1, dtype=torch.float64)) if size == 1 else compute(arange(1 - size, size, 2), size - 1)

    return window


hanning = _window(lambda n, last: 0.5 + 0.5 * cos(math.pi * n / last))
hamming = _window(lambda n, last: 0.54 + 0.46 * cos(math.pi * n / last))
blackman = _window(lambda n, last: 0.42 + 0.5 * cos(math.pi * n / last) + 0.08 * cos(2.0 * math.pi * n / last))
bartlett = _window(lambda n, last: array_of(torch.where(n._tensor <= 0, (1 + n / last)._tensor, (1 - n / last)._tensor)))


def kaiser(M, beta):
    size, beta = float(M), float(beta)
    if size == 1:
        return array_of(torch.ones(1, dtype=torch.float64))
    half = (size - 1) / 2.0
    return i0(beta * sqrt(1 - ((arange(0, size) - half) / half) ** 2.0)) / i0(float(beta))


__all__ = ['arange', 'linspace', 'logspace', 'geomspace', 'hanning', 'hamming', 'blackman', 'bartlett', 'kaiser']
