# SPDX-License-Identifier: GPL-3.0-or-later
# Several base classes, cooperative super, mixins, abstract methods, overridden hooks.
# case: {"expr": "Final(3)", "inputs": "torch.randn(2, 3)"}
# case: {"expr": "Final(3, residual=False).body", "inputs": "torch.randn(2, 3)"}

import abc

import torch
from torch import nn


class Base(nn.Module, abc.ABC):
    kind = "base"
    registry = {}

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.registry[cls.__name__] = cls

    def __init__(self, dim, **kwargs):
        super().__init__(**kwargs)
        self.dim = dim
        self.body = self.build(dim)

    @abc.abstractmethod
    def build(self, dim): ...

    def pre(self, x):
        return x

    def forward(self, x):
        return self.post(self.body(self.pre(x)))

    def post(self, x):
        return x


class ScaleMixin:
    scale = 2.0

    def pre(self, x):
        return super().pre(x) * self.scale


class ShiftMixin:
    def pre(self, x):
        return super().pre(x) + 1

    def post(self, x):
        return super().post(x) - 1


class Middle(Base):
    def build(self, dim):
        return nn.Sequential(nn.Linear(dim, dim), nn.ReLU())


class Final(ScaleMixin, ShiftMixin, Middle):
    kind = Middle.kind + "+final"

    def __init__(self, dim, residual=True):
        super().__init__(dim)
        self.residual = residual

    def forward(self, x):
        y = super().forward(x)
        if self.residual:
            y = y + x
        names = [c.__name__ for c in type(self).__mro__]
        return y, self.kind, len(names), sorted(self.registry), isinstance(self, Base), issubclass(Final, Middle)
