# SPDX-License-Identifier: GPL-3.0-or-later
# Padding at the edges: circular, constant, reflected, replicated, zero.
from torch import Tensor
from torch.nn import functional as F
from .module import Module
from .utils import _fields, _ntuple, _pair, _quadruple, _wanted_dims

__all__ = ['CircularPad1d', 'CircularPad2d', 'CircularPad3d', 'ConstantPad1d', 'ConstantPad2d', 'ConstantPad3d',
           'ReflectionPad1d', 'ReflectionPad2d', 'ReflectionPad3d', 'ReplicationPad1d', 'ReplicationPad2d', 'ReplicationPad3d',
           'ZeroPad1d', 'ZeroPad2d', 'ZeroPad3d']


class _PadNd(Module):
    def extra_repr(self):
        return str(self.padding)


class _CircularPadNd(_PadNd):
    __constants__ = ['padding']

    def _check_input_dim(self, input):
        raise NotImplementedError

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        return F.pad(input, self.padding, 'circular')


class _ConstantPadNd(_PadNd):
    __constants__ = ['padding', 'value']

    def __init__(self, value):
        super().__init__()
        self.value = value

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, 'constant', self.value)

    def extra_repr(self):
        return _fields(self, 'padding', 'value')


class _ReflectionPadNd(_PadNd):
    __constants__ = ['padding']

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, 'reflect')


class _ReplicationPadNd(_PadNd):
    __constants__ = ['padding']

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, 'replicate')


class CircularPad1d(_CircularPadNd):
    def __init__(self, padding):
        super().__init__()
        self.padding = _pair(padding)

    def _check_input_dim(self, input):
        _wanted_dims(input, 2, 3)


class CircularPad2d(_CircularPadNd):
    def __init__(self, padding):
        super().__init__()
        self.padding = _quadruple(padding)

    def _check_input_dim(self, input):
        _wanted_dims(input, 3, 4)


class CircularPad3d(_CircularPadNd):
    def __init__(self, padding):
        super().__init__()
        self.padding = _ntuple(6)(padding)

    def _check_input_dim(self, input):
        _wanted_dims(input, 4, 5)


class ConstantPad1d(_ConstantPadNd):
    def __init__(self, padding, value):
        super().__init__(value)
        self.padding = _pair(padding)


class ConstantPad2d(_ConstantPadNd):
    __constants__ = ['padding', 'value']

    def __init__(self, padding, value):
        super().__init__(value)
        self.padding = _quadruple(padding)


class ConstantPad3d(_ConstantPadNd):
    def __init__(self, padding, value):
        super().__init__(value)
        self.padding = _ntuple(6)(padding)


class ReflectionPad1d(_ReflectionPadNd):
    def __init__(self, padding):
        super().__init__()
        self.padding = _pair(padding)


class ReflectionPad2d(_ReflectionPadNd):
    def __init__(self, padding):
        super().__init__()
        self.padding = _quadruple(padding)


class ReflectionPad3d(_ReflectionPadNd):
    def __init__(self, padding):
        super().__init__()
        self.padding = _ntuple(6)(padding)


class ReplicationPad1d(_ReplicationPadNd):
    def __init__(self, padding):
        super().__init__()
        self.padding = _pair(padding)


class ReplicationPad2d(_ReplicationPadNd):
    def __init__(self, padding):
        super().__init__()
        self.padding = _quadruple(padding)


class ReplicationPad3d(_ReplicationPadNd):
    def __init__(self, padding):
        super().__init__()
        self.padding = _ntuple(6)(padding)


class ZeroPad1d(ConstantPad1d):
    def __init__(self, padding):
        super().__init__(padding, 0.0)

    def extra_repr(self):
        return str(self.padding)


class ZeroPad2d(ConstantPad2d):
    def __init__(self, padding):
        super().__init__(padding, 0.0)

    def extra_repr(self):
        return str(self.padding)


class ZeroPad3d(ConstantPad3d):
    def __init__(self, padding):
        super().__init__(padding, 0.0)

    def extra_repr(self):
        return str(self.padding)
