# SPDX-License-Identifier: GPL-3.0-or-later
# Norms by name, each a class or a partial of one, and a norm with its activation inside.
import functools
import types
from functools import partial
from typing import Any, Callable, Optional, Type

import torch
import torch.nn.functional as F
from torch import nn

from .activations import make_act


class ChannelNorm(nn.LayerNorm):
    """Over the channels of a picture, which come second."""

    def __init__(self, channels: int, eps: float = 1e-6, **kwargs: Any):
        super().__init__(channels, eps=eps, **kwargs)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.permute(0, 2, 3, 1)
        x = F.layer_norm(x, self.normalized_shape, self.weight, self.bias, self.eps)
        return x.permute(0, 3, 1, 2)


class NormAct(nn.BatchNorm2d):
    def __init__(self, channels: int, eps: float = 1e-5, momentum: float = 0.1, apply_act: bool = True, act="relu"):
        super().__init__(channels, eps=eps, momentum=momentum)
        self.act = make_act(act, inplace=True) if apply_act else nn.Identity()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        torch._assert(x.ndim == 4, f"a picture has 4 dimensions, not {x.ndim}")
        if self.training:
            self.num_batches_tracked.add_(1)
        mean = self.running_mean if not self.training else None
        spread = self.running_var if not self.training else None
        x = F.batch_norm(x, mean, spread, self.weight, self.bias, mean is None, self.momentum, self.eps)
        return self.act(x)


_NORMS = {
    "batch": nn.BatchNorm2d,
    "batch_act": NormAct,
    "layer": partial(nn.LayerNorm, eps=1e-6),
    "channel": ChannelNorm,
    "group": functools.partial(nn.GroupNorm, 2),
    "one_group": lambda channels, **kwargs: nn.GroupNorm(1, channels, **kwargs),
}
_TAKES_ACT = {NormAct}


def norm_kind(name, **bound: Any) -> Optional[Callable[..., nn.Module]]:
    if name is None:
        return None
    assert isinstance(name, (type, str, types.FunctionType, functools.partial))
    kind = _NORMS[name.replace("_norm", "").lower()] if isinstance(name, str) else name
    return partial(kind, **bound) if bound else kind


def make_norm(name, channels: int, apply_act: Optional[bool] = None, **kwargs: Any) -> nn.Module:
    kind = norm_kind(name)
    inner: Type = kind.func if isinstance(kind, functools.partial) else kind
    if inner in _TAKES_ACT and apply_act is not None:
        kwargs["apply_act"] = apply_act
    return kind(channels, **kwargs)
