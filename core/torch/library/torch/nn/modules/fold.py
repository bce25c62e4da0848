# SPDX-License-Identifier: GPL-3.0-or-later
# Taking patches out of an image, and putting them back.
from torch import Tensor
from torch.nn import functional as F
from .module import Module
from .utils import _fields

__all__ = ['Fold', 'Unfold']


class Fold(Module):
    __constants__ = ['output_size', 'kernel_size', 'dilation', 'padding', 'stride']

    def __init__(self, output_size, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__()
        self.output_size = output_size
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def forward(self, input: Tensor) -> Tensor:
        return F.fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self):
        return _fields(self, 'output_size', 'kernel_size', 'dilation', 'padding', 'stride')


class Unfold(Module):
    __constants__ = ['kernel_size', 'dilation', 'padding', 'stride']

    def __init__(self, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__()
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def forward(self, input: Tensor) -> Tensor:
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self):
        return _fields(self, 'kernel_size', 'dilation', 'padding', 'stride')
