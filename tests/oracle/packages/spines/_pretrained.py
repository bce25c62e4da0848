# SPDX-License-Identifier: GPL-3.0-or-later
# What is known of the numbers of a network: where they lie, and what pictures they were made for.
import copy
from collections import OrderedDict, defaultdict, deque
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Deque, Dict, Optional, Tuple, Union

__all__ = ["Pretrained", "Tagged", "tagged"]


@dataclass
class Pretrained:
    url: Optional[str] = None
    hub: Optional[str] = None
    state: Optional[Dict[str, Any]] = field(default=None, repr=False)
    input_size: Tuple[int, int, int] = (3, 8, 8)
    mean: Tuple[float, ...] = (0.5, 0.5, 0.5)
    classes: int = 4
    name: Optional[str] = None
    tag: Optional[str] = None
    head: Optional[str] = "head"
    extra: Dict[str, Any] = field(default_factory=dict)

    @property
    def has_numbers(self) -> bool:
        return self.url is not None or self.hub is not None or self.state is not None

    def to_dict(self, bare: bool = False, keep: Tuple[str, ...] = ("url",)) -> Dict[str, Any]:
        return OrderedDict(
            (f.name, getattr(self, f.name)) for f in fields(self)
            if not bare or f.name in keep or getattr(self, f.name) is not None
        )


@dataclass
class Tagged:
    """The cards of one network; the tags in the order in which they are tried."""

    tags: Deque[str] = field(default_factory=deque)
    cards: Dict[str, Pretrained] = field(default_factory=dict)
    uses: Dict[str, int] = field(default_factory=lambda: defaultdict(int))

    @property
    def default(self) -> Pretrained:
        return self.cards[self.tags[0]]


def tagged(cards: Dict[str, Union[Pretrained, Dict[str, Any]]]) -> Dict[str, Tagged]:
    """Cards by "name.tag"; a star after the tag, or being the only one with numbers, makes it the first."""
    out: Dict[str, Tagged] = defaultdict(Tagged)
    filled = set()
    for key, card in cards.items():
        card = Pretrained(**card) if isinstance(card, dict) else copy.deepcopy(card)
        name, _, tag = key.partition(".")
        first = tag.endswith("*") or (card.has_numbers and name not in filled)
        tag = tag.rstrip("*")
        if card.has_numbers:
            filled.add(name)
        put = out[name].tags.appendleft if first else out[name].tags.append
        put(tag)
        out[name].cards[tag] = replace(card, name=name, tag=tag, extra=asdict(card)["extra"] | {"key": key})
        out[name].uses[tag] += 1
    return dict(out)
