# SPDX-License-Identifier: GPL-3.0-or-later
# torch.overrides: modes that are told of calls (core/torch/host/function_modes.h), and classes that stand for tensors, of which
# there are none here but what a tracer records.
import torch
from ._outside import outside

__getattr__ = outside(__name__)


class TorchFunctionMode:
    def __init__(self):
        pass

    def __torch_function__(self, func, types, args=(), kwargs=None):
        raise NotImplementedError

    def __enter__(self):
        _function_mode_enter(self)
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        _function_mode_leave()

    @classmethod
    def push(cls, *args, **kwargs):
        return cls(*args, **kwargs)


class BaseTorchFunctionMode(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **({} if kwargs is None else kwargs))


def _get_current_function_mode_stack():
    return _function_modes()


def _get_current_function_mode():
    modes = _function_modes()
    return modes[-1] if modes else None


def is_tensor_like(inp):
    return type(inp) is torch.Tensor or hasattr(inp, '__torch_function__')


def has_torch_function(relevant_args):
    return False


def has_torch_function_unary(arg):
    return False


def has_torch_function_variadic(*args):
    return False
