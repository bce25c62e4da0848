# SPDX-License-Identifier: GPL-3.0-or-later
# Every function marked with @register is a backbone, known by its name and by the file that it was written in.
import fnmatch
import re
import sys
import warnings
from collections import defaultdict
from copy import deepcopy
from typing import Any, Callable, Dict, List, Optional, Sequence, Set, Union

from ._pretrained import Tagged

__all__ = ["register", "listed", "has_model", "entry", "models_in", "card_of"]

_by_module: Dict[str, Set[str]] = defaultdict(set)
_module_of: Dict[str, str] = {}
_entries: Dict[str, Callable[..., Any]] = {}
_cards: Dict[str, Tagged] = {}


def register(fn: Callable[..., Any]) -> Callable[..., Any]:
    module = sys.modules[fn.__module__]
    short = fn.__module__.split(".")[-1]
    name = fn.__name__
    # The file is still being run: its own __all__ may be there already, or not at all.
    if hasattr(module, "__all__"):
        module.__all__.append(name)
    else:
        module.__all__ = [name]
    if name in _entries:
        warnings.warn(f"{name} of {_module_of[name]} gives way to that of {short}")
    if hasattr(module, "CARDS") and name in module.CARDS:
        _cards[name] = deepcopy(module.CARDS[name])
    _entries[name] = fn
    _module_of[name] = short
    _by_module[short].add(name)
    return fn


def _natural(text: str) -> List[Union[int, str]]:
    """vit_2 before vit_10."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", text.lower())]


def listed(pattern: Union[str, Sequence[str]] = "", module: str = "", but: Union[str, Sequence[str]] = ()) -> List[str]:
    wanted = [pattern] if isinstance(pattern, str) else list(pattern)
    pool = list(_by_module[module]) if module else list(_entries)
    found: Set[str] = set()
    for one in wanted or ["*"]:
        found |= set(fnmatch.filter(pool, one or "*"))
    for one in ([but] if isinstance(but, str) else but):
        found.difference_update(fnmatch.filter(found, one))
    return sorted(found, key=_natural)


def models_in(*modules: str) -> List[str]:
    assert all(isinstance(m, str) for m in modules)
    return sorted((n for m in modules for n in _by_module.get(m, ())), key=_natural)


def has_model(name: str) -> bool:
    return name in _entries


def entry(name: str, filtered: Optional[str] = None) -> Callable[..., Any]:
    if filtered and name not in _by_module[filtered]:
        raise RuntimeError(f"no model {name} in {filtered}")
    return _entries[name]


def card_of(name: str, tag: str = ""):
    if name not in _cards:
        return None
    kept = _cards[name]
    return deepcopy(kept.cards[tag] if tag else kept.default)
