# SPDX-License-Identifier: GPL-3.0-or-later
# An encoder: every place reads all others, but for those that the mask hides.
from typing import Optional

import torch
from torch import Tensor, nn

from ...activations import ACTS
from ...doc import doc_before, doc_of_result, doc_of_source
from ...modeling import Base, Hidden, Result, Scores, small_norm
from ...utils import logging, only_known
from .configuration_scribe import ScribeConfig

logger = logging.get_logger(__name__)


class ScribeWords(nn.Module):
    def __init__(self, config: ScribeConfig):
        super().__init__()
        self.words = nn.Embedding(config.words, config.hidden, padding_idx=config.pad)
        self.places = nn.Embedding(config.longest, config.hidden)
        self.kinds = nn.Embedding(config.kinds, config.hidden)
        self.norm = small_norm(config.hidden)
        self.dropout = nn.Dropout(config.dropout)
        self.register_buffer("place_ids", torch.arange(config.longest).expand((1, -1)), persistent=False)
        self.register_buffer("kind_ids", torch.zeros(self.place_ids.size(), dtype=torch.long), persistent=False)

    def forward(self, ids: Optional[Tensor] = None, kind_ids: Optional[Tensor] = None, embeds: Optional[Tensor] = None):
        shape = ids.size() if ids is not None else embeds.size()[:-1]
        length = shape[1]
        if kind_ids is None:
            if hasattr(self, "kind_ids"):
                kind_ids = self.kind_ids[:, :length].expand(shape[0], length)
            else:
                kind_ids = torch.zeros(shape, dtype=torch.long, device=self.place_ids.device)
        if embeds is None:
            embeds = self.words(ids)
        x = embeds + self.kinds(kind_ids) + self.places(self.place_ids[:, :length])
        return self.dropout(self.norm(x))


class ScribeAttention(nn.Module):
    def __init__(self, config: ScribeConfig, attend):
        super().__init__()
        self.heads, self.each = config.heads, config.hidden // config.heads
        self.scale, self.attend = self.each**-0.5, attend
        self.query, self.key, self.value = (nn.Linear(config.hidden, config.hidden) for _ in range(3))
        self.out = nn.Linear(config.hidden, config.hidden)

    def split(self, x: Tensor) -> Tensor:
        return x.view(x.size()[:-1] + (self.heads, self.each)).permute(0, 2, 1, 3)

    def forward(self, x, mask=None, **extras):
        result, weights = self.attend(self, *(self.split(f(x)) for f in (self.query, self.key, self.value)), mask, **extras)
        result = result.permute(0, 2, 1, 3).contiguous()
        return self.out(result.view(result.size()[:2] + (self.heads * self.each,))), weights


@doc_of_source
class ScribeLayer(nn.Module):
    def __init__(self, config, attend):
        super().__init__()
        self.attention = ScribeAttention(config, attend)
        self.norm1, self.norm2 = small_norm(config.hidden), small_norm(config.hidden)
        self.up, self.down = nn.Linear(config.hidden, 2 * config.hidden), nn.Linear(2 * config.hidden, config.hidden)
        self.act = ACTS[config.act] if isinstance(config.act, str) else config.act

    def forward(self, x, mask=None, **extras):
        attended = self.attention(x, mask, **extras)
        x = self.norm1(x + attended[0])
        x = self.norm2(x + self.down(self.act(self.up(x))))
        return (x,) + attended[1:]


class ScribeBase(Base):
    config: ScribeConfig
    base_prefix = "scribe"
    _can_fuse = True
    _words_path = "embed.words"

    def words_module(self):
        return getattr(self, self.base_prefix, self).get_submodule(self._words_path)


@doc_before("Gives a row for each word. ", "Bare, without a head. ")
class Scribe(ScribeBase):
    def __init__(self, config):
        super().__init__(config)
        self.embed = ScribeWords(config)
        self.layers = nn.ModuleList([ScribeLayer(config, self.attend()) for _ in range(config.layers)])
        self.post_init()

    @doc_of_source
    @doc_of_result(Hidden, config="ScribeConfig")
    @only_known
    def forward(self, ids: Optional[Tensor] = None, mask: Optional[Tensor] = None, kind_ids: Optional[Tensor] = None,
                embeds: Optional[Tensor] = None, all_hidden: bool = False, return_dict: Optional[bool] = None) -> Result:
        """Reads words, or rows that stand for them.

        Gives:
        """
        return_dict = return_dict if return_dict is not None else self.config.return_dict
        if ids is not None and embeds is not None:
            raise ValueError("ids and embeds say the same: give one of them")
        if ids is None and embeds is None:
            raise ValueError("neither ids nor embeds")
        wide = None if mask is None else self.open_mask(mask)
        x = self.embed(ids, kind_ids=kind_ids, embeds=embeds)
        kept = () if all_hidden else None
        for layer in self.layers:
            if all_hidden:
                kept += (x,)
            x, weights = layer(x, wide)
        if not return_dict:
            return tuple(v for v in (x, kept) if v is not None)
        return Hidden(last=x, all_hidden=kept)


class ScribeForLabels(ScribeBase):
    def __init__(self, config):
        super().__init__(config)
        self.scribe = Scribe(config)
        self.dropout = nn.Dropout(config.dropout)
        self.head = nn.Linear(config.hidden, config.label_count)
        self.post_init()

    def forward(self, ids=None, labels=None, kind_ids=None):
        hidden = self.scribe(ids, kind_ids=kind_ids)
        scores = self.head(self.dropout(hidden[0][:, 0]))
        loss = None
        if labels is not None:
            loss = self.loss_of(scores, labels)
        return Scores(loss=loss, scores=scores)


class ScribeForPairs(ScribeForLabels):
    """Takes any option of the model below, by a name that no trace can know."""

    def forward(self, ids=None, **kwargs):
        return super().forward(ids, **kwargs)["scores"].diff(dim=-1)
