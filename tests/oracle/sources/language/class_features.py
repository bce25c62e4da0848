# SPDX-License-Identifier: GPL-3.0-or-later
# Properties, class and static methods, class attributes, slots of methods, dunder methods.
# case: {"expr": "Net(3)", "inputs": "torch.randn(2, 3)"}
# case: {"expr": "Net.square(3)", "inputs": "torch.randn(2, 3)"}

import torch
from torch import nn


class Scale:
    """Not a module; callable."""

    def __init__(self, factor):
        self.factor = factor

    def __call__(self, x):
        return x * self.factor

    def __getitem__(self, i):
        return Scale(self.factor + i)

    def __len__(self):
        return 2

    def __iter__(self):
        return iter([Scale(1), Scale(2)])

    def __matmul__(self, other):
        return Scale(self.factor * other.factor)

    def __eq__(self, other):
        return self.factor == other.factor

    def __contains__(self, n):
        return n < self.factor

    def __bool__(self):
        return self.factor > 0

    def __repr__(self):
        return f"Scale({self.factor!r})"


class Net(nn.Module):
    eps = 1e-5
    default_scale = Scale(3)

    def __init__(self, n, m=2):
        super().__init__()
        self.fc = nn.Linear(n, m)
        self._gain = 0.5

    @classmethod
    def square(cls, n):
        return cls(n, m=n)

    @staticmethod
    def bias(x, by):
        return x + by

    @property
    def gain(self):
        return self._gain

    @gain.setter
    def gain(self, value):
        self._gain = value

    def extra_repr(self):
        return f"gain={self.gain}"

    def forward(self, x):
        self.gain = 0.25
        x = self.default_scale(self.fc(x)) + self.eps
        for s in self.default_scale:
            x = s[1](x)
        x = self.bias(x, by=self.gain)
        both = Scale(2) @ Scale(4)
        if both == Scale(8) and 7 in both and both:
            x = both(x)
        return Net.bias(x, len(both)), repr(both)
