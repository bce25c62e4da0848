# SPDX-License-Identifier: GPL-3.0-or-later
# What all models share: how they start, which weights are one, what they give.
from __future__ import annotations

import copy
import inspect
import re
from dataclasses import dataclass
from functools import partial
from typing import Any, Callable, ClassVar, Dict, List, Optional, Tuple, Type, Union

import torch
from torch import Tensor, nn

from .configuration import Config
from .utils import Layered, Output, Stacked, logging

logger = logging.get_logger(__name__)


@dataclass
class Hidden(Output):
    last: Optional[torch.FloatTensor] = None
    all_hidden: Optional[Tuple[torch.FloatTensor, ...]] = None
    weights: Optional[Tuple[torch.FloatTensor, ...]] = None


@dataclass
class Scores(Output):
    loss: Optional[torch.FloatTensor] = None
    scores: Optional[torch.FloatTensor] = None
    all_hidden: Optional[Tuple[torch.FloatTensor, ...]] = None


def plain_attention(module: nn.Module, q: Tensor, k: Tensor, v: Tensor, mask: Optional[Tensor],
                    scale: Optional[float] = None, **_):
    weights = torch.matmul(q, k.transpose(2, 3)) * (module.scale if scale is None else scale)
    if mask is not None:
        weights = weights + mask
    weights = nn.functional.softmax(weights, dim=-1, dtype=torch.float32).to(q.dtype)
    return torch.matmul(weights, v), weights


def fused_attention(module, q, k, v, mask, scale=None, **_):
    return nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=scale or module.scale), None


class Attentions(Layered):
    _shared: Dict[str, Callable] = {"fused": fused_attention}


ATTENTIONS: Attentions = Attentions()


class CountMixin:
    def count(self, learning: bool = False, pattern: str = "") -> int:
        return sum(p.numel() for n, p in self.named_parameters() if re.search(pattern, n) and (p.requires_grad or not learning))

    @property
    def device(self) -> torch.device:
        return next(self.parameters()).device

    @property
    def dtype(self) -> torch.dtype:
        return next(self.parameters()).dtype

    def open_mask(self, mask: Tensor) -> Tensor:
        """Ones and zeros for each place -> what is added to the weights of attention."""
        if mask.dim() == 3:
            wide = mask[:, None, :, :]
        elif mask.dim() == 2:
            wide = mask[:, None, None, :]
        else:
            raise ValueError(f"a mask of shape {mask.shape}")
        return (1.0 - wide.to(dtype=self.dtype)) * torch.finfo(self.dtype).min


class WordsMixin:
    _words_path: ClassVar[str] = "words"

    def words_module(self) -> nn.Module:
        base = getattr(self, self.base_prefix, self)
        return getattr(base, self._words_path)

    def tie(self) -> None:
        for target in self._tied or []:
            owner, _, name = target.rpartition(".")
            if getattr(self.config, "tie_words", True):
                setattr(self.get_submodule(owner), name, self.words_module().weight)


class Base(nn.Module, CountMixin, WordsMixin):
    config_class: ClassVar[Optional[Type[Config]]] = None
    base_prefix: ClassVar[str] = ""
    _tied: ClassVar[Optional[List[str]]] = None
    _can_fuse = False

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        hint = cls.__dict__.get("__annotations__", {}).get("config")
        if hint is not None and cls.config_class is None:
            cls.config_class = getattr(inspect.getmodule(cls), hint) if isinstance(hint, str) else hint

    def __init__(self, config: Config, *inputs, **kwargs):
        super().__init__()
        if not isinstance(config, Config):
            raise TypeError(f"{self.__class__.__name__}(config) needs a Config, not a {type(config)}")
        if config.attention == "fused" and not self._can_fuse:
            raise ValueError(f"{type(self).__name__} cannot fuse its attention")
        self.config = config
        self.ready = False

    def post_init(self):
        with Stacked([torch.no_grad(), torch.random.fork_rng(devices=[], enabled=False)]):
            self.apply(self._init_weights)
        self.tie()
        self.ready = True

    def _init_weights(self, module: nn.Module) -> None:
        std = getattr(self.config, "spread", 0.2)
        if isinstance(module, (nn.Linear, nn.Embedding)):
            module.weight.data.normal_(mean=0.0, std=std)
            if getattr(module, "bias", None) is not None:
                module.bias.data.zero_()
            if getattr(module, "padding_idx", None) is not None:
                module.weight.data[module.padding_idx].zero_()
        elif "Norm" in module.__class__.__name__ and getattr(module, "weight", None) is not None:
            module.weight.data.fill_(1.0)

    @classmethod
    def _from_config(cls, config, **kwargs):
        return cls(copy.deepcopy(config), **kwargs)

    def loss_of(self, scores: Tensor, labels: Tensor) -> Tensor:
        return nn.functional.cross_entropy(scores.flatten(0, -2), labels.flatten())

    def attend(self) -> Callable:
        return ATTENTIONS[self.config.attention] if self.config.attention != "plain" else plain_attention


Result = Union[Tuple, Output]
small_norm = partial(nn.LayerNorm, eps=1e-5)
