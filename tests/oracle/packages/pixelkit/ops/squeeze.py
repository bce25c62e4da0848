# SPDX-License-Identifier: GPL-3.0-or-later
# Convolution with its norm, a norm that never learns, and the block that weighs channels.
import warnings
from typing import Callable, List, Optional, Sequence, Tuple, Union

import torch
from torch import Tensor, nn

from ..extension import has_native, need_native


@torch.jit.unused
def _slow_sum(x: Tensor, out: Optional[List[Tensor]] = None) -> Tensor:
    return x.sum(dim=(2, 3), keepdim=True)


def native_sum(x: Tensor) -> Tensor:
    """The sum of each plane, by the compiled half where it is there."""
    if torch.jit.is_scripting():
        need_native("native_sum")
        return torch.ops.pixelkit.plane_sum(x)
    return torch.ops.pixelkit.plane_sum(x) if has_native() else _slow_sum(x)


def pool_all(x: Tensor) -> Tensor:
    return native_sum(x) / (x.shape[2] * x.shape[3])


class FrozenNorm(nn.Module):
    def __init__(self, channels: int, eps: float = 1e-5):
        super().__init__()
        self.eps = eps
        for ones, names in ((torch.ones, ("weight", "running_var")), (torch.zeros, ("bias", "running_mean"))):
            for name in names:
                self.register_buffer(name, ones(channels))

    def _load_from_state_dict(self, state, prefix, meta, strict, missing, unexpected, errors):
        state.pop(prefix + "num_batches_tracked", None)
        super()._load_from_state_dict(state, prefix, meta, strict, missing, unexpected, errors)

    def forward(self, x: Tensor) -> Tensor:
        weight, bias, mean, spread = (b[:, None, None] for b in (self.weight, self.bias, self.running_mean, self.running_var))
        return (x - mean) * (weight / torch.sqrt(spread + self.eps)) + bias


class ConvUnit(nn.Sequential):
    """Convolution, norm, activation, any of the last two left out by None."""

    def __init__(self, inside: int, outside: int, kernel: Union[int, Tuple[int, ...]] = 3, stride: int = 1,
                 padding: Optional[int] = None, groups: int = 1, norm: Optional[Callable[..., nn.Module]] = nn.BatchNorm2d,
                 act: Optional[Callable[..., nn.Module]] = nn.ReLU, inplace: Optional[bool] = True) -> None:
        if padding is None:
            padding = (kernel - 1) // 2 if isinstance(kernel, int) else tuple((k - 1) // 2 for k in kernel)
        layers: List[nn.Module] = [nn.Conv2d(inside, outside, kernel, stride, padding, groups=groups, bias=norm is None)]
        if norm is not None:
            layers.append(norm(outside))
        if act is not None:
            options = {} if inplace is None else {"inplace": inplace}
            layers.append(act(**options))
        super().__init__(*layers)
        self.outside = outside
        if self.__class__ not in (ConvUnit,) and len(layers) < 2:
            warnings.warn("a unit of one layer is a layer")


class Squeeze(nn.Module):
    def __init__(self, channels: int, inner: int, act: Callable[..., nn.Module] = nn.ReLU,
                 gate: Callable[..., nn.Module] = nn.Sigmoid) -> None:
        super().__init__()
        self.narrow = nn.Conv2d(channels, inner, 1)
        self.widen = nn.Conv2d(inner, channels, 1)
        self.act, self.gate = act(), gate()

    def _weigh(self, x: Tensor) -> Tensor:
        return self.gate(self.widen(self.act(self.narrow(pool_all(x)))))

    def forward(self, x: Tensor) -> Tensor:
        return self._weigh(x) * x
