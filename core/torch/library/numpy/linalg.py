# SPDX-License-Identifier: GPL-3.0-or-later
# numpy.linalg: norms. What else it has may be mentioned, and is refused when called.
import torch
from _refusal import refuse

from ._array import tensor_of, wrap

__getattr__ = refuse('numpy.linalg', 'only norm() is evaluated here')


def norm(x, ord=None, axis=None, keepdims=False):
    tensor = tensor_of(x)
    tensor = tensor.double() if not tensor.is_floating_point() and not tensor.is_complex() else tensor
    if ord is None:
        return wrap((tensor.abs() ** 2).sum(tuple(range(tensor.dim())) if axis is None else axis, keepdim=keepdims).sqrt())
    return wrap(torch.linalg.norm(tensor, ord, axis, keepdims))
