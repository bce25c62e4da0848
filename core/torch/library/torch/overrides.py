# SPDX-License-Identifier: GPL-3.0-or-later
# torch.overrides: classes that stand for tensors. There are none here but what a tracer records, which needs no asking.
import torch
from ._outside import outside

__getattr__ = outside(__name__)


class TorchFunctionMode:
    def __enter__(self):
        raise NotImplementedError('not supported: torch.overrides.TorchFunctionMode; a TorchDispatchMode sees the operators')

    def __exit__(self, exc_type, exc_value, traceback):
        pass


def is_tensor_like(inp):
    return type(inp) is torch.Tensor or hasattr(inp, '__torch_function__')


def has_torch_function(relevant_args):
    return False


def has_torch_function_unary(arg):
    return False


def has_torch_function_variadic(*args):
    return False
