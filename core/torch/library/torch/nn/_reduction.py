# SPDX-License-Identifier: GPL-3.0-or-later
# The old ways of naming a reduction.
import warnings


def get_enum(reduction):
    if reduction == 'elementwise_mean':
        warnings.warn("reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead.", stacklevel=2)
        return 1
    numbers = {'none': 0, 'mean': 1, 'sum': 2}
    if reduction not in numbers:
        raise ValueError(f'{reduction} is not a valid value for reduction')
    return numbers[reduction]


def legacy_get_string(size_average, reduce, emit_warning=True):
    averaged = size_average is None or size_average
    reduced = reduce is None or reduce
    name = ('mean' if averaged else 'sum') if reduced else 'none'
    if emit_warning:
        warnings.warn(f"size_average and reduce args will be deprecated, please use reduction='{name}' instead.", stacklevel=2)
    return name


def legacy_get_enum(size_average, reduce, emit_warning=True):
    return get_enum(legacy_get_string(size_average, reduce, emit_warning))
