# SPDX-License-Identifier: GPL-3.0-or-later
# Channels to pixels and back.
from torch import Tensor
from torch.nn import functional as F
from .module import Module
from .utils import _fields

__all__ = ['PixelShuffle', 'PixelUnshuffle']


class PixelShuffle(Module):
    __constants__ = ['upscale_factor']

    def __init__(self, upscale_factor):
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_shuffle(input, self.upscale_factor)

    def extra_repr(self):
        return _fields(self, 'upscale_factor')


class PixelUnshuffle(Module):
    __constants__ = ['downscale_factor']

    def __init__(self, downscale_factor):
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_unshuffle(input, self.downscale_factor)

    def extra_repr(self):
        return _fields(self, 'downscale_factor')
