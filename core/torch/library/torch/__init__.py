# SPDX-License-Identifier: GPL-3.0-or-later
# Functions of the module torch itself that are Python, or that answer for PyTorch's state. All other names of torch are
# in core/torch's tables. A symbolic number is a plain number here.
import math
import warnings

import torch
from ._grad_mode import (are_deterministic_algorithms_enabled, autocast, enable_grad, get_float32_matmul_precision,
                         inference_mode, is_autocast_enabled, is_deterministic_algorithms_warn_only_enabled,
                         is_grad_enabled, is_inference_mode_enabled, no_grad, set_float32_matmul_precision,
                         set_grad_enabled, use_deterministic_algorithms)
from ._type_info import finfo, iinfo
from ._typed_tensors import (BFloat16Tensor, BoolTensor, ByteTensor, CharTensor, DoubleTensor, FloatTensor, HalfTensor,
                             IntTensor, LongTensor, ShortTensor)


def _assert(condition, message):
    if not condition:
        raise AssertionError(message)


def _check_with(error_type, cond, message):
    if not isinstance(cond, bool):
        raise TypeError(f'cond must be a bool, but got {type(cond)}')
    if cond:
        return
    if message is None:
        raise error_type('Expected cond to be True, but got False. (Could this error message be improved? If so, '
                         'please report an enhancement request to PyTorch.)')
    if not callable(message):
        raise TypeError('message must be a callable')
    raise error_type(str(message()))


def _check(cond, message=None):
    _check_with(RuntimeError, cond, message)


def _check_value(cond, message=None):
    _check_with(ValueError, cond, message)


def _check_type(cond, message=None):
    _check_with(TypeError, cond, message)


def _check_index(cond, message=None):
    _check_with(IndexError, cond, message)


def _check_is_size(i, message=None, *, max=None):
    warnings.warn('_check_is_size is deprecated: use _check')
    _check(i >= 0, message)


def is_tensor(obj, /):
    return isinstance(obj, torch.Tensor)


def get_default_dtype():
    return torch.empty(0).dtype


def get_default_device():
    return torch.device('cpu')


def set_default_dtype(d, /):
    if d != get_default_dtype():
        raise RuntimeError(f'the default dtype stays {get_default_dtype()} here')


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None):
    # How tensors are printed is a setting of the program.
    return None


def compile(model=None, **options):
    # Compiling changes the speed alone.
    return (lambda function: function) if model is None else model


def sym_not(a):
    return not a


def sym_float(a):
    return float(a)


def sym_int(a):
    return int(a)


def _is_float(*numbers):
    for number in numbers:
        if not isinstance(number, (int, float)):
            raise AssertionError(f'expected an int or a float, got {type(number)}')
    return any(isinstance(number, float) for number in numbers)


def sym_max(a, b):
    return float(max(a, b)) if _is_float(a, b) else max(a, b)


def sym_min(a, b):
    return float(min(a, b)) if _is_float(a, b) else min(a, b)


def sym_sum(*args):
    if len(args) == 1 and isinstance(args[0], (list, tuple)):
        return torch.sym_sum(*args[0])
    return sum(args)


def sym_ite(b, t, f):
    return t if b else f


def _sym_sqrt(a):
    return math.sqrt(a)


sym_sqrt = _sym_sqrt
