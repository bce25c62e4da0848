# SPDX-License-Identifier: GPL-3.0-or-later
# Functions of the module torch itself that are Python, or that answer for PyTorch's state. All other names of torch are
# in core/torch's tables.
import math
import warnings

import torch
from torch import (autocast_decrement_nesting, autocast_increment_nesting, clear_autocast_cache, get_autocast_dtype,
                   is_autocast_cache_enabled, is_autocast_enabled, is_grad_enabled, is_inference_mode_enabled,
                   set_autocast_cache_enabled, set_autocast_dtype, set_autocast_enabled)
from ._removed import (eig, from_dlpack, from_file, load, lobpcg, lstsq, matrix_rank, save, solve, symeig,
                       to_dlpack)
from ._script_object import ScriptObject
from ._settings import (are_deterministic_algorithms_enabled, compiled_with_cxx11_abi, get_default_device,
                        get_default_dtype, get_deterministic_debug_mode, get_float32_matmul_precision,
                        is_anomaly_check_nan_enabled, is_anomaly_enabled,
                        is_deterministic_algorithms_warn_only_enabled, is_warn_always_enabled, set_anomaly_enabled,
                        set_default_device, set_default_dtype, set_default_tensor_type,
                        set_deterministic_debug_mode, set_float32_matmul_precision, set_flush_denormal,
                        set_num_interop_threads, set_num_threads, set_printoptions, set_warn_always,
                        use_deterministic_algorithms)
from ._type_info import finfo, iinfo
from ._typed_tensors import (BFloat16Tensor, BoolTensor, ByteTensor, CharTensor, DoubleTensor, FloatTensor, HalfTensor,
                             IntTensor, LongTensor, ShortTensor)
from ._functorch.vmap import vmap
from .amp.autocast_mode import autocast
from .autograd.grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled


def _assert(condition, message):
    if not condition:
        raise AssertionError(message)


def _check_with(error_type, cond, message):
    if not isinstance(cond, (bool, torch.SymBool)):
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


def is_storage(obj, /):
    return isinstance(obj, torch.UntypedStorage)


def typename(obj, /):
    if isinstance(obj, torch.Tensor):
        return obj.type()
    module = getattr(obj, '__module__', None) or ''
    name = getattr(obj, '__qualname__', None) or getattr(obj, '__name__', None)
    if name is None:
        module, name = type(obj).__module__ or '', type(obj).__qualname__
    return name if module in ('', 'builtins') else f'{module}.{name}'


def cond(pred, true_fn, false_fn, operands=()):
    return true_fn(*operands) if pred else false_fn(*operands)


def while_loop(cond_fn, body_fn, carried_inputs):
    while cond_fn(*carried_inputs):
        carried_inputs = body_fn(*carried_inputs)
    return carried_inputs


def compile(model=None, **options):
    # Compiling changes the speed alone.
    return (lambda function: function) if model is None else model


def sym_not(a):
    return not a


def sym_float(a):
    return _symbolic_float(a) if isinstance(a, torch.SymInt) else a if isinstance(a, torch.SymFloat) else float(a)


def sym_int(a):
    return a if isinstance(a, torch.SymInt) else int(a)


def _is_float(*numbers):
    for number in numbers:
        if not isinstance(number, (int, float)):
            raise AssertionError(f'expected an int or a float, got {type(number)}')
    return any(isinstance(number, float) for number in numbers)


def sym_max(a, b):
    if isinstance(a, torch.SymInt) or isinstance(b, torch.SymInt):
        return _symbolic_max(a, b)
    return float(max(a, b)) if _is_float(a, b) else max(a, b)


def sym_min(a, b):
    if isinstance(a, torch.SymInt) or isinstance(b, torch.SymInt):
        return _symbolic_min(a, b)
    return float(min(a, b)) if _is_float(a, b) else min(a, b)


def sym_sum(*args):
    if len(args) == 1 and isinstance(args[0], (list, tuple)):
        return torch.sym_sum(*args[0])
    return sum(args)


def sym_ite(b, t, f):
    return t if b else f


def _sym_acos(a):
    return math.acos(a)


def _sym_asin(a):
    return math.asin(a)


def _sym_atan(a):
    return math.atan(a)


def _sym_cos(a):
    return math.cos(a)


def _sym_cosh(a):
    return math.cosh(a)


def _sym_log2(a):
    return math.log2(a)


def _sym_sin(a):
    return math.sin(a)


def _sym_sinh(a):
    return math.sinh(a)


def _sym_sqrt(a):
    return math.sqrt(a)


def _sym_tan(a):
    return math.tan(a)


def _sym_tanh(a):
    return math.tanh(a)


sym_sqrt = _sym_sqrt


def __getattr__(name):
    if name == 'Tag':
        from ._operator_enums import Tag
        return Tag
    raise AttributeError(f"module 'torch' has no attribute '{name}'")
