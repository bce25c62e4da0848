# SPDX-License-Identifier: GPL-3.0-or-later
# Convolutions whose padding may be a word: "same" gives a picture of the same size, "valid" pads nothing.
import math
from typing import Any, Optional, Tuple, Union

import torch
import torch.fx
import torch.nn.functional as F
from torch import nn

from .._features import keep_whole, keep_whole_module
from .._types import pair


def _lacking(size: int, kernel: int, stride: int, spread: int) -> int:
    return max((math.ceil(size / stride) - 1) * stride + (kernel - 1) * spread + 1 - size, 0)


@torch.fx.wrap
@keep_whole
def pad_same(x: torch.Tensor, kernel: Tuple[int, int], stride: Tuple[int, int], spread: Tuple[int, int] = (1, 1)) -> torch.Tensor:
    h, w = (_lacking(s, *rest) for s, *rest in zip(x.shape[-2:], kernel, stride, spread))
    return F.pad(x, (w // 2, w - w // 2, h // 2, h - h // 2))


@keep_whole_module
class SameConv(nn.Conv2d):
    """Pads by the size of what comes, so a stride may be any."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = pad_same(x, self.kernel_size, self.stride, self.dilation)
        return F.conv2d(x, self.weight, self.bias, self.stride, (0, 0), self.dilation, self.groups)


class OpenSameConv(nn.Conv2d):
    def forward(self, x):
        return self._conv_forward(pad_same(x, self.kernel_size, self.stride), self.weight, self.bias)


def _padding(word: Union[str, int, None], kernel: int, stride: int = 1, dilation: int = 1, **_: Any) -> Tuple[Any, bool]:
    dynamic = False
    if isinstance(word, str):
        word = word.lower()
        if word == "same":
            if stride == 1:
                return "same", False
            word, dynamic = 0, True
        elif word == "valid":
            word = 0
        else:
            word = ((stride - 1) + dilation * (kernel - 1)) // 2
    return word, dynamic


def make_conv(inside: int, outside: int, kernel: Union[int, Tuple[int, int]], padding: Union[str, int, None] = "", *,
              open_same: bool = False, **kwargs: Any) -> nn.Conv2d:
    depthwise = kwargs.pop("depthwise", False)
    if depthwise:
        kwargs["groups"] = inside
    kwargs.setdefault("bias", False)
    padding, dynamic = _padding(padding, max(pair(kernel)), **kwargs)
    if dynamic:
        return (OpenSameConv if open_same else SameConv)(inside, outside, kernel, **kwargs)
    return nn.Conv2d(inside, outside, kernel, padding=padding, **kwargs)
