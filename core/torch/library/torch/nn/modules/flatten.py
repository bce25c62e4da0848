# SPDX-License-Identifier: GPL-3.0-or-later
# Joining dimensions, and taking one apart.
from torch import Tensor
from .module import Module
from .utils import _fields

__all__ = ['Flatten', 'Unflatten']


class Flatten(Module):
    __constants__ = ['start_dim', 'end_dim']

    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input: Tensor) -> Tensor:
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self):
        return _fields(self, 'start_dim', 'end_dim')


class Unflatten(Module):
    __constants__ = ['dim', 'unflattened_size']

    def __init__(self, dim, unflattened_size):
        super().__init__()
        if not isinstance(unflattened_size, (tuple, list)):
            raise TypeError('unflattened_size must be a tuple of ints, but found type ' + type(unflattened_size).__name__)
        for place, length in enumerate(unflattened_size):
            if not isinstance(length, int):
                raise TypeError('unflattened_size must be tuple of ints, but found element of type '
                                f'{type(length).__name__} at pos {place}')
        self.dim = dim
        self.unflattened_size = unflattened_size

    def forward(self, input: Tensor) -> Tensor:
        return input.unflatten(self.dim, self.unflattened_size)

    def extra_repr(self):
        return _fields(self, 'dim', 'unflattened_size')
