# SPDX-License-Identifier: GPL-3.0-or-later
# Wide kernels, few norms, channels last where that is cheaper. How a layer starts is told by its kind.
from typing import Any, Tuple

import torch
from torch import nn

from .._builder import assemble
from .._registry import register
from ..layers import ChannelNorm, Layout, make_conv
from ..layers.pool import PoolHead


def start(module: nn.Module, name: str = "", head_scale: float = 1.0) -> None:
    match module:
        case nn.Conv2d(groups=groups, in_channels=inside) if groups == inside:
            nn.init.constant_(module.weight, 1 / 9)
            nn.init.zeros_(module.bias)
        case nn.Conv2d() | nn.Linear(bias=None):
            nn.init.trunc_normal_(module.weight, std=0.2)
        case nn.Linear(out_features=int(out), bias=bias):
            nn.init.trunc_normal_(module.weight, std=out**-0.5)
            bias.data.fill_(0.01)
            if "head" in name:
                module.weight.data.mul_(head_scale)
        case nn.LayerNorm() as norm:
            norm.weight.data.fill_(0.9)
        case _:
            pass


class Bottom(nn.Module):
    def __init__(self, width: int, kernel: int = 5, ratio: int = 2, last: bool = True, respond: bool = False):
        super().__init__()
        self.last = last
        self.wide = make_conv(width, width, kernel, "same", depthwise=True, bias=True)
        self.norm = nn.LayerNorm(width, eps=1e-6) if last else ChannelNorm(width)
        linear = nn.Linear if last else lambda i, o: nn.Conv2d(i, o, 1)
        self.up, self.down = linear(width, ratio * width), linear(ratio * width, width)
        self.act = nn.GELU()
        self.respond = respond
        self.gamma = nn.Parameter(torch.full((width,), 0.1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        kept, x = x, self.wide(x)
        x = self.norm(x.permute(0, 2, 3, 1)) if self.last else self.norm(x)
        x = self.act(self.up(x))
        if self.respond:
            strength = x.norm(p=2, dim=(1, 2) if self.last else (2, 3), keepdim=True)
            x = x + x * (strength / (strength.mean(dim=-1 if self.last else 1, keepdim=True) + 1e-6))
        x = self.down(x)
        if self.last:
            x = x.permute(0, 3, 1, 2)
        return kept + x * self.gamma.reshape(1, -1, 1, 1)


class ConvStack(nn.Module):
    def __init__(self, depths: Tuple[int, ...] = (1, 1), widths: Tuple[int, ...] = (4, 6), classes: int = 4, layout="NHWC",
                 head_scale: float = 0.5, **kwargs: Any):
        super().__init__()
        match Layout(layout), kwargs:
            case Layout.NHWC, {"respond": True}:
                last, kernel = True, 3
            case (Layout.NHWC | Layout.NLC), _:
                last, kernel = True, 5
            case _:
                last, kernel = False, 5
        steps, inside = [], 3
        for number, (depth, width) in enumerate(zip(depths, widths)):
            steps.append(nn.Sequential(
                ChannelNorm(inside) if number else nn.Identity(), nn.Conv2d(inside, width, 2, 2),
                *(Bottom(width, kernel, last=last, **kwargs) for _ in range(depth)),
            ))
            inside = width
        self.steps = nn.ModuleList(steps)
        self.head = PoolHead(inside, classes)
        for name, module in self.named_modules():
            start(module, name, head_scale)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for step in self.steps:
            x = step(x)
        return self.head(x)


@register
def convstack_a(pretrained=False, **kwargs) -> ConvStack:
    return assemble(ConvStack, "convstack_a", pretrained, **kwargs)


@register
def convstack_b(pretrained=False, **kwargs) -> ConvStack:
    return assemble(ConvStack, "convstack_b", pretrained, respond=True, **kwargs)
