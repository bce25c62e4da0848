# SPDX-License-Identifier: GPL-3.0-or-later
# Activations by name. Asking for one makes it anew.
import math
from collections import OrderedDict

import torch
from torch import Tensor, nn

from .utils import logging

logger = logging.get_logger(__name__)


class RoughGELU(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return 0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))))


class Clipped(nn.Module):
    def __init__(self, low: float, high: float, in_python: bool = False):
        if low > high:
            raise ValueError(f"low is {low}, above high, {high}")
        super().__init__()
        self.low, self.high = low, high
        if in_python:
            self.act = self._in_python
        else:
            self.act = nn.functional.gelu

    def _in_python(self, x: Tensor) -> Tensor:
        return x * 0.5 * (1.0 + torch.erf(x / math.sqrt(2.0)))

    def forward(self, x: Tensor) -> Tensor:
        return torch.clip(self.act(x), self.low, self.high)


class Making(OrderedDict):
    def __getitem__(self, key):
        content = super().__getitem__(key)
        cls, kwargs = content if isinstance(content, tuple) else (content, {})
        return cls(**kwargs)


_KINDS = {
    "gelu": nn.GELU,
    "gelu_tanh": (nn.GELU, {"approximate": "tanh"}),
    "gelu_rough": RoughGELU,
    "gelu_2": (Clipped, {"low": -2, "high": 2}),
    "gelu_2_python": (Clipped, dict(low=-2.0, high=2.0, in_python=True)),
    "relu": nn.ReLU,
    "silu": nn.SiLU,
    "leaky": (nn.LeakyReLU, {"negative_slope": 0.2}),
}
ACTS = Making(_KINDS)


def act_of(name: str) -> nn.Module:
    if name in ACTS:
        return ACTS[name]
    raise KeyError(f"no activation {name} in {list(ACTS.keys())}")


# Made once, for those who only call them.
gelu, relu = act_of("gelu"), act_of("relu")
