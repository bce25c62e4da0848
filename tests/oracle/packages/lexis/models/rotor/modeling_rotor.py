# SPDX-License-Identifier: GPL-3.0-or-later
# A gated decoder whose queries and keys are turned by an angle for each place. Several queries share a key.
from typing import Callable, Dict, Optional, Tuple

import torch
import torch.fx
import torch.nn.functional as F
from torch import nn

from ...activations import ACTS
from ...modeling import ATTENTIONS, Base, Hidden, plain_attention
from .configuration_rotor import RotorConfig


class RotorNorm(nn.Module):
    def __init__(self, width, eps=1e-6):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(width)), eps

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        kind = x.dtype
        x = x.to(torch.float32)
        x = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)
        return self.weight * x.to(kind)

    def extra_repr(self):
        return f"{tuple(self.weight.shape)}, eps={self.eps}"


def plain_angles(config: RotorConfig) -> Tuple[torch.Tensor, float]:
    each = config.width // config.heads
    return 1.0 / (config.angles["base"] ** (torch.arange(0, each, 2, dtype=torch.int64).float() / each)), 1.0


def slow_angles(config: RotorConfig) -> Tuple[torch.Tensor, float]:
    turns, strength = plain_angles(config)
    turns /= config.angles.get("factor", 2.0)
    return turns, strength * 1.5


ANGLES: Dict[str, Callable[..., Tuple[torch.Tensor, float]]] = {
    "table": plain_angles, "slow": slow_angles, "counted": plain_angles,
}


@torch.fx.wrap
def first_of(table: torch.Tensor, length: int, axes: Tuple[int, ...] = (0,)) -> torch.Tensor:
    for axis in axes:
        table = table.narrow(axis, 0, length)
    return table


class RotorAngles(nn.Module):
    turns: torch.Tensor

    def __init__(self, config: RotorConfig):
        super().__init__()
        self.counted = config.angles["kind"] == "counted"
        turns, self.strength = ANGLES[config.angles["kind"]](config)
        self.register_buffer("turns", turns, persistent=False)
        self.register_buffer("places", torch.arange(config.longest).float(), persistent=False)
        self.first_turns = self.turns

    @torch.no_grad()
    def forward(self, x):
        length = x.shape[1]
        places = torch.arange(length, device=x.device).float() if self.counted else first_of(self.places, length)
        angles = places[:, None] @ self.turns[None, :]
        angles = torch.cat((angles, angles), dim=-1)[None]
        return (angles.cos() * self.strength).to(dtype=x.dtype), (angles.sin() * self.strength).to(dtype=x.dtype)


def half_turn(x):
    """(a, b) -> (-b, a)"""
    a, b = x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]
    return torch.cat((-b, a), dim=-1)


def turn(q, k, cos, sin, axis: int = 1):
    cos, sin = cos.unsqueeze(axis), sin.unsqueeze(axis)
    return tuple(x * cos + half_turn(x) * sin for x in (q, k))


def spread(x: torch.Tensor, times: int) -> torch.Tensor:
    n, heads, length, each = x.shape
    if times == 1:
        return x
    return x[:, :, None, :, :].expand(n, heads, times, length, each).reshape(n, heads * times, length, each)


class RotorAttention(nn.Module):
    def __init__(self, config: RotorConfig, number: int):
        super().__init__()
        self.number, self.each = number, getattr(config, "each", config.width // config.heads)
        self.times = config.heads // config.shared
        self.scale = self.each**-0.5
        self.q = nn.Linear(config.width, config.heads * self.each, bias=False)
        self.k, self.v = (nn.Linear(config.width, config.shared * self.each, bias=False) for _ in "kv")
        self.o = nn.Linear(config.heads * self.each, config.width, bias=False)
        self.kind = config.attention

    def forward(self, x, turned, mask=None):
        shape = x.shape[:-1] + (-1, self.each)
        q, k, v = self.q(x).view(shape), self.k(x).view(shape), self.v(x).view(shape)
        cos, sin = turned
        q, k = turn(q.transpose(1, 2), k.transpose(1, 2), cos, sin)
        attend: Callable = plain_attention
        if self.kind != "plain":
            attend = ATTENTIONS[self.kind]
        result, _ = attend(self, q, spread(k, self.times), spread(v.transpose(1, 2), self.times), mask)
        return self.o(result.transpose(1, 2).reshape(x.shape[:2] + (-1,)).contiguous())


class RotorMLP(nn.Module):
    def __init__(self, config):
        super().__init__()
        inner = config.width * 3 // 2
        self.gate, self.up = nn.Linear(config.width, inner, bias=False), nn.Linear(config.width, inner, bias=False)
        self.down, self.act = nn.Linear(inner, config.width, bias=False), ACTS[config.act]

    def forward(self, x):
        return self.down(self.act(self.gate(x)) * self.up(x))


class Rotor(Base):
    config: RotorConfig
    _can_fuse = True

    def __init__(self, config):
        super().__init__(config)
        self.words = nn.Embedding(config.words, config.width)
        self.angles = RotorAngles(config)
        self.layers = nn.ModuleList([
            nn.ModuleDict({"norm1": RotorNorm(config.width), "attention": RotorAttention(config, number),
                           "norm2": RotorNorm(config.width), "mlp": RotorMLP(config)})
            for number in range(config.depth)
        ])
        self.norm = RotorNorm(config.width, config.eps)
        self.register_buffer("after", torch.full((config.longest, config.longest), -1e4).triu(1)[None, None], persistent=False)
        self.post_init()

    def forward(self, ids: Optional[torch.LongTensor] = None, embeds: Optional[torch.FloatTensor] = None,
                stop_at: int = 99) -> Hidden:
        if (ids is None) ^ (embeds is not None):
            raise ValueError("give either ids or embeds")
        x = self.words(ids) if embeds is None else embeds
        length = x.shape[1]
        turned, mask = self.angles(x), first_of(self.after, length, axes=(-2, -1))
        for layer in self.layers[: min(stop_at, self.config.depth)]:
            x = x + layer["attention"](layer["norm1"](x), turned=turned, mask=mask)
            x = x + layer["mlp"](layer["norm2"](x))
        return Hidden(last=self.norm(x))


class RotorForNext(Base):
    config: RotorConfig
    base_prefix = "model"
    _tied = ["head.weight"]

    def __init__(self, config):
        super().__init__(config)
        self.model = Rotor(config)
        self.head = nn.Linear(config.width, config.words, bias=False)
        self.post_init()

    def forward(self, ids, last=0, sure=None):
        output: Hidden = self.model(ids=ids)
        kept = slice(-last, None) if isinstance(last, int) else last
        scores = self.head(output.last[:, kept, :])
        if sure is not None and F.softmax(scores, -1).max() < sure:
            scores = torch.zeros_like(scores)
        return scores
