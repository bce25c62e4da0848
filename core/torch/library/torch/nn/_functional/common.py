# SPDX-License-Identifier: GPL-3.0-or-later
# What the parts of torch.nn.functional share: sizes for each dimension, choosing by a flag, ways of reducing a loss.
import torch
from .._reduction import get_enum, legacy_get_string


def for_each_dim(value, count):
    # One number stands for all dimensions.
    return (value,) * count if isinstance(value, (int, float, torch.SymInt)) else tuple(value)


def sizes_or_defaults(sizes, defaults):
    # A size that is None stays what it is in the input.
    if isinstance(sizes, (int, torch.SymInt)):
        return sizes
    count = len(sizes)
    if len(defaults) <= count:
        raise ValueError(f'Input dimension should be at least {count + 1}')
    return [given if given is not None else known for given, known in zip(sizes, defaults[-count:])]


def by_flag(flag, position, if_true, if_false):
    # A function that calls one of two by an argument which is False unless given.
    def choose(*args, **kwargs):
        given = kwargs[flag] if flag in kwargs else len(args) > position and args[position]
        return (if_true if given else if_false)(*args, **kwargs)

    return choose


def check_probability(p):
    if p < 0.0 or p > 1.0:
        raise ValueError(f'dropout probability has to be between 0 and 1, but got {p}')


def reduction_word(reduction, size_average=None, reduce=None):
    # The two old flags win over the word that replaced them.
    return reduction if size_average is None and reduce is None else legacy_get_string(size_average, reduce)


def reduction_code(reduction, size_average=None, reduce=None):
    return get_enum(reduction_word(reduction, size_average, reduce))


def reduced(loss, reduction):
    return loss.mean() if reduction == 'mean' else loss.sum() if reduction == 'sum' else loss
