# SPDX-License-Identifier: GPL-3.0-or-later
# numpy.finfo and numpy.iinfo, and what tells one kind of dtype from another.
import torch

from ._dtypes import dtype, limits
from ._scalars import generic


class finfo:
    __module__ = 'numpy'

    def __init__(self, given):
        self.dtype = dtype(given)
        if self.dtype.kind not in 'fc':
            raise ValueError(f'data type {self.dtype.type!r} not inexact')
        about = torch.finfo(self.dtype._torch)
        self.dtype = dtype({'complex64': 'float32', 'complex128': 'float64'}.get(self.dtype.name, self.dtype))
        scalar = self.dtype.type
        self.bits = about.bits
        self.eps, self.max, self.min, self.tiny = scalar(about.eps), scalar(about.max), scalar(about.min), scalar(about.tiny)
        self.resolution, self.smallest_normal = scalar(about.resolution), self.tiny

    def __repr__(self):
        return f'finfo(resolution={self.resolution!s}, min={self.min!s}, max={self.max!s}, dtype={self.dtype})'


class iinfo:
    __module__ = 'numpy'

    def __init__(self, given):
        self.dtype = dtype(type(given) if isinstance(given, int) and not isinstance(given, bool) else given)
        if self.dtype.kind not in 'iu':
            raise ValueError(f'Invalid integer data type {self.dtype.kind!r}.')
        self.kind, self.bits = self.dtype.kind, 8 * self.dtype.itemsize
        self.min, self.max = limits(self.dtype.kind, self.dtype.itemsize)

    def __repr__(self):
        return f'iinfo(min={self.min}, max={self.max}, dtype={self.dtype})'


def _scalar_class(given):
    return given if isinstance(given, type) and issubclass(given, generic) else dtype(given).type


def issubdtype(arg1, arg2):
    return issubclass(_scalar_class(arg1), _scalar_class(arg2))
