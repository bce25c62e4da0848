# SPDX-License-Identifier: GPL-3.0-or-later
# torch.autograd.forward_ad: tensors that carry a tangent along (core/torch/host/gradient_levels.cpp).
import collections

import torch

from .grad_mode import _Mode

UnpackedDualTensor = collections.namedtuple('UnpackedDualTensor', ('primal', 'tangent'))
_current_level = -1


def enter_dual_level():
    global _current_level
    level = _enter_dual_level()
    if level != _current_level + 1:
        raise RuntimeError('Entering a new forward AD level but the current level is not valid. Make sure you did not modify it '
                           'directly.')
    _current_level = level
    return level


def exit_dual_level(*, level=None):
    global _current_level
    level = _current_level if level is None else level
    if level != _current_level:
        raise RuntimeError('Trying to exit a forward AD level that was not the last one that was created. This is not supported.')
    _exit_dual_level(level)
    _current_level = level - 1


def make_dual(tensor, tangent, *, level=None):
    level = _current_level if level is None else level
    if level < 0:
        raise RuntimeError('Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() '
                           'first.')
    for name, given in (('primal', tensor), ('tangent', tangent)):
        if not (given.is_floating_point() or given.is_complex()):
            raise ValueError(f'Expected {name} to be floating point or complex, but got: {given.dtype}')
    return torch._make_dual(tensor, tangent, level=level)


def unpack_dual(tensor, *, level=None):
    level = _current_level if level is None else level
    if level < 0:
        return UnpackedDualTensor(tensor, None)
    return UnpackedDualTensor(*torch._unpack_dual(tensor, level=level))


class dual_level(_Mode):
    def __enter__(self):
        return enter_dual_level()

    def __exit__(self, exc_type, exc_value, traceback):
        exit_dual_level()
