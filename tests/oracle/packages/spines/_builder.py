# SPDX-License-Identifier: GPL-3.0-or-later
# Makes a network of its class and its card, and puts numbers in where the card has some.
import logging
import re
from copy import copy
from typing import Any, Callable, Dict, Optional, Tuple, Type, TypeVar

import torch
from torch import nn

from ._hub import hub_numbers
from ._manipulate import seeded
from ._pretrained import Pretrained
from ._registry import card_of

_logger = logging.getLogger(__name__)
M = TypeVar("M", bound=nn.Module)


def _release(text: str) -> Tuple[int, ...]:
    found = re.match(r"(\d+)\.(\d+)(?:\.(\d+))?", text)
    return tuple(int(part or 0) for part in found.groups()) if found else (0,)


TORCH = _release(torch.__version__)
CAN_ASSIGN = TORCH >= (2, 1)
_CHECK = TORCH >= (1, 13, 0)


def read_numbers(card: Pretrained, change: Optional[Callable] = None) -> Optional[Dict[str, torch.Tensor]]:
    if card.state is not None:
        state = copy(card.state)
    elif card.hub:
        state = hub_numbers(card.hub)
    elif card.url:
        options = {"weights_only": True} if _CHECK else {}
        state = torch.hub.load_state_dict_from_url(card.url, map_location="cpu", **options)
    else:
        _logger.warning("no numbers for %s", card.name)
        return None
    return change(state) if change is not None else state


def assemble(kind: Type[M], name: str, pretrained: bool = False, card: Optional[Pretrained] = None, features_only: bool = False,
             strict: bool = True, **options: Any) -> M:
    base, _, tag = name.partition(".")
    card = card or card_of(base, tag) or Pretrained(name=base)
    options.setdefault("classes", card.classes)
    for unused in [key for key, value in options.items() if value is None]:
        options.pop(unused)
    if features_only:
        options["classes"] = 0
    model = kind(**options)
    model.pretrained = card
    if pretrained and (state := read_numbers(card, getattr(model, "change_numbers", None))) is not None:
        how = dict(assign=True) if CAN_ASSIGN else {}
        model.load_state_dict(state, strict=strict, **how)
    elif pretrained:
        seeded(model)
    return model
