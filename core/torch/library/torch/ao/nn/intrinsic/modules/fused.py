# SPDX-License-Identifier: GPL-3.0-or-later
# A fused layer of floats is a Sequential of the layers, which must be of the kinds that its name says.
import torch
from torch.nn import BatchNorm1d, BatchNorm2d, BatchNorm3d, Conv1d, Conv2d, Conv3d, LeakyReLU, Linear, ReLU, Tanh
from torch.nn.utils.parametrize import type_before_parametrizations

__all__ = ['ConvReLU1d', 'ConvReLU2d', 'ConvReLU3d', 'LinearReLU', 'ConvBn1d', 'ConvBn2d', 'ConvBnReLU1d', 'ConvBnReLU2d',
           'ConvBn3d', 'ConvBnReLU3d', 'BNReLU2d', 'BNReLU3d', 'LinearBn1d', 'LinearLeakyReLU', 'LinearTanh', 'ConvAdd2d',
           'ConvAddReLU2d']


class _FusedModule(torch.nn.Sequential):
    _kinds = ()

    def __init__(self, *layers):
        if self._kinds:
            if len(layers) != len(self._kinds):
                raise TypeError(f'{type(self).__name__}.__init__() takes {len(self._kinds) + 1} positional arguments but '
                                f'{len(layers) + 1} were given')
            given = [type_before_parametrizations(layer) for layer in layers]
            if given != list(self._kinds):
                names = [kind.__name__ for kind in given]
                text = ' and '.join(names) if len(names) == 2 else f"{', '.join(names[:-1])}, and {names[-1]}"
                raise AssertionError('Incorrect types for input modules: ' + text)
        super().__init__(*layers)


class ConvReLU1d(_FusedModule):
    _kinds = (Conv1d, ReLU)


class ConvReLU2d(_FusedModule):
    _kinds = (Conv2d, ReLU)


class ConvReLU3d(_FusedModule):
    _kinds = (Conv3d, ReLU)


class LinearReLU(_FusedModule):
    _kinds = (Linear, ReLU)


class ConvBn1d(_FusedModule):
    _kinds = (Conv1d, BatchNorm1d)


class ConvBn2d(_FusedModule):
    _kinds = (Conv2d, BatchNorm2d)


class ConvBn3d(_FusedModule):
    _kinds = (Conv3d, BatchNorm3d)


class ConvBnReLU1d(_FusedModule):
    _kinds = (Conv1d, BatchNorm1d, ReLU)


class ConvBnReLU2d(_FusedModule):
    _kinds = (Conv2d, BatchNorm2d, ReLU)


class ConvBnReLU3d(_FusedModule):
    _kinds = (Conv3d, BatchNorm3d, ReLU)


class BNReLU2d(_FusedModule):
    _kinds = (BatchNorm2d, ReLU)


class BNReLU3d(_FusedModule):
    _kinds = (BatchNorm3d, ReLU)


class LinearBn1d(_FusedModule):
    _kinds = (Linear, BatchNorm1d)


class LinearLeakyReLU(_FusedModule):
    _kinds = (Linear, LeakyReLU)


class LinearTanh(_FusedModule):
    _kinds = (Linear, Tanh)


class ConvAdd2d(_FusedModule):
    def __init__(self, conv, add):
        super().__init__(conv)
        self.add = add

    def forward(self, x1, x2):
        return self.add(self[0](x1), x2)


class ConvAddReLU2d(_FusedModule):
    def __init__(self, conv, add, relu):
        super().__init__(conv)
        self.add = add
        self.relu = relu

    def forward(self, x1, x2):
        return self.relu(self.add(self[0](x1), x2))
