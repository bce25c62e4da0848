# SPDX-License-Identifier: GPL-3.0-or-later
# Mixing the channels of groups.
from torch import Tensor
from torch.nn import functional as F
from .module import Module
from .utils import _fields

__all__ = ['ChannelShuffle']


class ChannelShuffle(Module):
    __constants__ = ['groups']

    def __init__(self, groups):
        super().__init__()
        self.groups = groups

    def forward(self, input: Tensor) -> Tensor:
        return F.channel_shuffle(input, self.groups)

    def extra_repr(self):
        return _fields(self, 'groups')
