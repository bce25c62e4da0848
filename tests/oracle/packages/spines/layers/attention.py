# SPDX-License-Identifier: GPL-3.0-or-later
# Attention, over all places or within windows with a table of biases by distance.
from typing import Final, Optional, Tuple, Type

import torch
import torch.fx
import torch.nn.functional as F
from torch import nn

from .._features import keep_whole
from .._types import pair
from ..config import use_fused


@torch.fx.wrap
@keep_whole
def cut_windows(x: torch.Tensor, side: Tuple[int, int]) -> torch.Tensor:
    """(n, h, w, c) -> (n * windows, side * side, c)"""
    n, h, w, c = x.shape
    x = x.view(n, h // side[0], side[0], w // side[1], side[1], c)
    return x.transpose(2, 3).reshape(-1, side[0] * side[1], c)


@torch.fx.wrap
@keep_whole
def join_windows(rows: torch.Tensor, side: Tuple[int, int], h: int, w: int) -> torch.Tensor:
    c = rows.shape[-1]
    x = rows.view(-1, h // side[0], w // side[1], side[0], side[1], c)
    return x.transpose(2, 3).reshape(-1, h, w, c)


def distance_index(high: int, wide: int) -> torch.Tensor:
    """For each two places of a window the row of the table that is theirs."""
    places = torch.stack(torch.meshgrid(torch.arange(high), torch.arange(wide), indexing="ij")).flatten(1)
    apart = (places[:, :, None] - places[:, None, :]).permute(1, 2, 0).contiguous()
    apart[..., 0] += high - 1
    apart[..., 1] += wide - 1
    apart[..., 0] *= 2 * wide - 1
    return apart.sum(-1)


class Attention(nn.Module):
    fused: Final[bool]

    def __init__(self, width: int, heads: int = 2, bias: bool = False, norm: Optional[Type[nn.Module]] = None):
        super().__init__()
        assert width % heads == 0, "width is heads times a whole number"
        self.heads, self.each = heads, width // heads
        self.scale = self.each**-0.5
        self.fused = use_fused()
        self.qkv = nn.Linear(width, width * 3, bias=bias)
        self.norm_q = norm(self.each) if norm else nn.Identity()
        self.norm_k = norm(self.each) if norm else nn.Identity()
        self.out = nn.Linear(width, width)

    def bias(self) -> Optional[torch.Tensor]:
        return None

    def forward(self, x: torch.Tensor, mask: Optional[torch.Tensor] = None) -> torch.Tensor:
        n, rows, c = x.shape
        q, k, v = self.qkv(x).reshape(n, rows, 3, self.heads, self.each).permute(2, 0, 3, 1, 4).unbind(0)
        q, k = self.norm_q(q), self.norm_k(k)
        mask = self.bias() if mask is None else mask
        if self.fused:
            x = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        else:
            weights = (q * self.scale) @ k.mT
            if mask is not None:
                weights = weights + mask
            x = weights.softmax(dim=-1) @ v
        return self.out(x.transpose(1, 2).reshape(n, rows, c))


class RelativeAttention(Attention):
    index: torch.Tensor

    def __init__(self, width: int, side=2, **kwargs):
        super().__init__(width, **kwargs)
        self.side = pair(side)
        high, wide = self.side
        self.table = nn.Parameter(torch.zeros((2 * high - 1) * (2 * wide - 1), self.heads))
        self.register_buffer("index", distance_index(high, wide), persistent=False)
        nn.init.trunc_normal_(self.table, std=0.5)

    def bias(self):
        picked = self.table[self.index.view(-1)].view(*self.index.shape, -1)
        return picked.permute(2, 0, 1).contiguous().unsqueeze(0)
