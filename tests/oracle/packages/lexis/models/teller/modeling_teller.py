# SPDX-License-Identifier: GPL-3.0-or-later
# A decoder: each place reads those before it. The mask for that is a buffer, or made anew from the shape.
from typing import Any, Callable, ClassVar, Dict, Optional, Tuple

import torch
from torch import nn

from ...activations import act_of
from ...modeling import Base, Hidden, Scores, plain_attention
from .configuration_teller import TellerConfig


class Crossed(nn.Module):
    """A linear layer whose weight lies the other way."""

    def __init__(self, outside: int, inside: int):
        super().__init__()
        self.outside = outside
        self.weight = nn.Parameter(torch.empty(inside, outside))
        self.bias = nn.Parameter(torch.zeros(outside))
        nn.init.normal_(self.weight, std=0.2)

    def extra_repr(self) -> str:
        return " -> ".join(str(size) for size in self.weight.shape)

    def forward(self, x):
        batch, length, inside = x.shape
        rows = torch.addmm(self.bias, x.reshape(batch * length, inside), self.weight)
        return rows.unflatten(0, (batch, length))


class TellerAttention(nn.Module):
    def __init__(self, config, number=None):
        super().__init__()
        self.register_buffer(
            "before",
            torch.tril(torch.ones((config.longest, config.longest), dtype=torch.bool)).view(1, 1, *(config.longest,) * 2),
            persistent=False,
        )
        self.heads, self.each = config.heads, config.width // config.heads
        self.scale = self.each**-0.5 / (number + 1 if config.by_depth else 1)
        self.enter, self.leave = Crossed(3 * config.width, config.width), Crossed(config.width, config.width)
        self.how = config.mask

    def mask_by_buffer(self, length, x):
        hidden = torch.full([], -1e4, dtype=torch.float32)
        return torch.where(self.before[:, :, :length, :length], torch.zeros([]), hidden)

    def mask_by_shape(self, length, x):
        return torch.full((length, length), torch.finfo(x.dtype).min).triu(1)

    MASKS: ClassVar[Dict[str, Callable]] = {"buffer": mask_by_buffer, "shape": mask_by_shape, "none": lambda *_: None}

    def forward(self, x: torch.Tensor, **extras: Any) -> Tuple[torch.Tensor, ...]:
        parts = self.enter(x).split(self.heads * self.each, dim=2)
        shape = x.shape[:-1] + (self.heads, self.each)
        q, k, v = (part.view(shape).transpose(1, 2) for part in (parts[0], parts[1], parts[2]))
        mask = self.MASKS[self.how](self, x.size(1), x) if isinstance(self.how, str) else self.how
        result, weights = plain_attention(self, q, k, v, mask, **extras)
        return self.leave(result.transpose(1, 2).flatten(2)), weights


class TellerLayer(nn.Module):
    def __init__(self, config, number):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(config.n_width, config.eps), nn.LayerNorm(config.n_width, config.eps)
        self.attention = TellerAttention(config, number=number)
        self.mlp = nn.ModuleDict(dict(up=Crossed(2 * config.n_width, config.n_width), act=act_of(config.act),
                                      down=Crossed(config.n_width, 2 * config.n_width)))

    def forward(self, x, **extras):
        x = x + self.attention(self.norm1(x), **extras)[0]
        m = self.mlp
        return x + m.down(m.act(m.up(self.norm2(x))))


class TellerBase(Base):
    config_class = TellerConfig
    base_prefix = "body"


class Teller(TellerBase):
    def __init__(self, config: TellerConfig):
        super().__init__(config)
        self.words = nn.Embedding(config.words, config.width)
        self.places = nn.Embedding(config.longest, config.width)
        self.layers = nn.ModuleList(TellerLayer(config, number) for number in range(config.depth))
        self.norm = nn.LayerNorm(config.width, eps=config.eps)
        self.register_buffer("place_ids", torch.arange(config.longest), persistent=False)
        self.post_init()

    def forward(self, ids: torch.Tensor, keep: Optional[int] = None, return_dict: bool = True):
        length = ids.shape[-1]
        x = self.words(ids) + self.places(self.place_ids[:length])
        kept = []
        for number, layer in enumerate(self.layers):
            x = layer(x)
            if keep is not None and number >= keep:
                kept.append(x)
        x = self.norm(x)
        if return_dict:
            return Hidden(x, tuple(kept) or None)
        return x, *kept


class TellerForNext(TellerBase):
    _tied = ["head.weight"]

    def __init__(self, config):
        super().__init__(config)
        self.body = Teller(config)
        self.head = nn.Linear(config.width, config.words, bias=False)
        self.post_init()

    def forward(self, ids, labels=None, last_only: bool = False):
        x = self.body(ids)["last"]
        places = slice(-1, None) if last_only else slice(None)
        scores = self.head(x[:, places, :])
        loss = None if labels is None else self.loss_of(scores[:, :-1], labels[:, 1:])
        output = Scores(loss, scores)
        return output if loss is not None else output.scores
