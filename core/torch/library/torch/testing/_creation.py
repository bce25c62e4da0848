# SPDX-License-Identifier: GPL-3.0-or-later
# torch.testing.make_tensor: random tensors of a dtype and range.
import math
import warnings
from collections.abc import Sequence

import torch

_INTEGRAL_TYPES = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint16, torch.uint32, torch.uint64]
_FLOATING_TYPES = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
_FLOATING_8BIT_TYPES = [torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz]
_COMPLEX_TYPES = [torch.complex32, torch.complex64, torch.complex128]
_BOOLEAN_OR_INTEGRAL_TYPES = [torch.bool, *_INTEGRAL_TYPES]
_FLOATING_OR_COMPLEX_TYPES = [*_FLOATING_TYPES, *_COMPLEX_TYPES]


def _uniform_random_(t, low, high):
    if high - low >= torch.finfo(t.dtype).max:
        return t.uniform_(low / 2, high / 2).mul_(2)
    return t.uniform_(low, high)


def _range(dtype, low, high, lowest, highest, default_low, default_high):
    low = default_low if low is None else low
    high = default_high if high is None else high
    if any(isinstance(value, float) and math.isnan(value) for value in (low, high)):
        raise ValueError(f'`low` and `high` cannot be NaN, but got {low=} and {high=}')
    if low == high and dtype in _FLOATING_OR_COMPLEX_TYPES:
        warnings.warn('Passing `low==high` to `torch.testing.make_tensor` for floating or complex types is deprecated since 2.1 and '
                      'will be removed in 2.3. Use `torch.full(...)` instead.', FutureWarning, stacklevel=3)
    elif low >= high:
        raise ValueError(f'`low` must be less than `high`, but got {low} >= {high}')
    elif high < lowest or low >= highest:
        raise ValueError(f'The value interval specified by `low` and `high` is [{low}, {high}), '
                         f'but {dtype} only supports [{lowest}, {highest})')
    low, high = (min(max(value, lowest), highest) for value in (low, high))
    return (math.ceil(low), math.ceil(high)) if dtype in _BOOLEAN_OR_INTEGRAL_TYPES else (low, high)


def make_tensor(*shape, dtype, device, low=None, high=None, requires_grad=False, noncontiguous=False, exclude_zero=False,
                memory_format=None):
    if len(shape) == 1 and isinstance(shape[0], Sequence):
        shape = shape[0]
    shape = tuple(shape)
    is_whole = dtype in _BOOLEAN_OR_INTEGRAL_TYPES
    if noncontiguous and memory_format is not None:
        raise ValueError('The parameters `noncontiguous` and `memory_format` are mutually exclusive, '
                         f'but got {noncontiguous=} and {memory_format=}')
    if requires_grad and is_whole:
        raise ValueError(f'`requires_grad=True` is not supported for boolean and integral dtypes, but got {dtype=}')
    noncontiguous = noncontiguous and math.prod(shape) > 1
    if noncontiguous:
        shape = (*shape[:-1], 2 * shape[-1])  # every second value is taken at the end
    if dtype is torch.bool:
        low, high = _range(dtype, low, high, 0, 2, 0, 2)
        result = torch.randint(low, high, shape, device=device, dtype=dtype)
    elif is_whole:
        limits = torch.iinfo(dtype)
        # randint takes bounds of 64 bits, so it cannot give the greatest int64.
        low, high = _range(dtype, low, high, limits.min, limits.max + (dtype is not torch.int64), -9, 10)
        result = torch.randint(low, high, shape, device=device, dtype=dtype)
    elif dtype in _FLOATING_OR_COMPLEX_TYPES or dtype in _FLOATING_8BIT_TYPES:
        low, high = _range(dtype, low, high, torch.finfo(dtype).min, torch.finfo(dtype).max, -9, 9)
        is_small = dtype in _FLOATING_8BIT_TYPES
        result = torch.empty(shape, device=device, dtype=torch.float32 if is_small else dtype)
        _uniform_random_(torch.view_as_real(result) if dtype in _COMPLEX_TYPES else result, low, high)
        result = result.to(dtype)
    else:
        raise TypeError(f"The requested dtype '{dtype}' is not supported by torch.testing.make_tensor(). "
                        'To request support, file an issue at: https://github.com/pytorch/pytorch/issues')
    if noncontiguous:
        result = result[..., 1::2]
    elif memory_format is not None:
        result = result.clone(memory_format=memory_format)
    if exclude_zero:
        result[result == 0] = 1 if is_whole else torch.finfo(dtype).tiny
    if dtype in _FLOATING_OR_COMPLEX_TYPES:
        result.requires_grad = requires_grad
    return result
