# SPDX-License-Identifier: GPL-3.0-or-later
# Networks by name. A decorator puts each builder into a table; which checkpoints a builder takes is read from its signature.
import fnmatch
import functools
import importlib
import inspect
import sys
from collections import OrderedDict
from dataclasses import dataclass, field, fields
from enum import Enum
from functools import partial
from inspect import signature
from types import ModuleType
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Type, TypeVar, Union, get_args

from torch import nn

from .._utils import by_keyword, old_option

__all__ = ["Checkpoint", "Checkpoints", "register", "build", "builder_of", "names", "checkpoint_of"]

_BUILDERS: Dict[str, Callable[..., nn.Module]] = {}


@dataclass(frozen=True)
class Checkpoint:
    """Where numbers of a network are kept, how a picture is prepared for them, and what is known of them."""

    place: str
    prepare: Callable[..., Any] = lambda picture: picture
    meta: Mapping[str, Any] = field(default_factory=dict)

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, Checkpoint):
            return NotImplemented
        for one in fields(self):
            mine, its = getattr(self, one.name), getattr(other, one.name)
            if isinstance(mine, partial) and isinstance(its, partial):
                if (mine.func, mine.args, mine.keywords) != (its.func, its.args, its.keywords):
                    return False
            elif mine != its:
                return False
        return True


class Checkpoints(Enum):
    @classmethod
    def take(cls, wanted: Any) -> Any:
        if wanted is not None:
            if type(wanted) is str:
                wanted = cls[wanted.replace(cls.__name__ + ".", "")]
            elif not isinstance(wanted, cls):
                raise TypeError(f"checkpoint of {cls.__name__} expected, got {wanted.__class__.__name__}")
        return wanted

    def numbers(self) -> Mapping[str, Any]:
        """Own checkpoints hold nothing: a network keeps the numbers that it was made with."""
        return OrderedDict() if self.value.place.startswith("own:") else importlib.import_module(self.value.place).NUMBERS

    @property
    def meta(self):
        return self.value.meta

    @property
    def prepare(self):
        return self.value.prepare

    def __repr__(self) -> str:
        return f"{self.__class__.__name__}.{self._name_}"


M = TypeVar("M", bound=nn.Module)


def register(name: Optional[str] = None) -> Callable[[Callable[..., M]], Callable[..., M]]:
    def keep(fn: Callable[..., M]) -> Callable[..., M]:
        key = name if name is not None else fn.__name__
        if key in _BUILDERS:
            raise ValueError(f"two builders are named '{key}'")
        _BUILDERS[key] = fn
        return fn

    return keep


def weighted(*defaults, **tables):
    """A builder that also takes `weights=True` and `pretrained`, as it did before checkpoints had names."""

    def outer(fn):
        @functools.wraps(fn)
        @old_option("pretrained", "weights", change=lambda on: "DEFAULT" if on else None)
        @by_keyword
        @functools.wraps(fn)
        def inner(*args, **kwargs):
            return fn(*args, **kwargs)

        return inner

    return outer(defaults[0]) if defaults else outer


def names(pattern: Union[str, Iterable[str], None] = None, but: Union[str, Iterable[str], None] = None) -> List[str]:
    found = set(_BUILDERS)
    if pattern:
        found = set().union(*(fnmatch.filter(_BUILDERS, p) for p in ([pattern] if isinstance(pattern, str) else pattern)))
    if but:
        for p in [but] if isinstance(but, str) else but:
            found -= {n for n in found if fnmatch.fnmatch(n, p)}
    return sorted(found)


def builder_of(name: str) -> Callable[..., nn.Module]:
    try:
        return _BUILDERS[name.lower()]
    except KeyError:
        raise ValueError(f"no network {name}") from None


def build(name: str, **options: Any) -> nn.Module:
    return builder_of(name)(**options)


def checkpoints_of(fn: Callable) -> Type[Checkpoints]:
    hint = signature(fn).parameters["weights"].annotation
    if isinstance(hint, type) and issubclass(hint, Checkpoints):
        return hint
    found = next((kind for kind in get_args(hint) if isinstance(kind, type) and issubclass(kind, Checkpoints)), None)
    if found is None:
        raise ValueError(f"{fn.__name__} does not say which checkpoints it takes")
    return found


def checkpoint_of(name: str) -> Checkpoints:
    """`SmallNet_Checkpoints.FIRST`, written in full."""
    owner, dot, member = name.partition(".")
    here: ModuleType = sys.modules[__name__]
    if not dot:
        raise ValueError(f"{name} does not name a member")
    for fn in vars(here)["_BUILDERS"].values():
        kinds = checkpoints_of(fn) if "weights" in inspect.signature(fn).parameters else None
        if kinds is not None and kinds.__name__ == owner:
            return kinds[member]
    raise ValueError(f"no checkpoints {owner}")


def settle(options: Dict[str, Any], name: str, value: Any) -> None:
    """An option that a checkpoint decides; another value for it is refused."""
    if options.setdefault(name, value) != value:
        raise ValueError(f"{name} is {options[name]}, the checkpoint wants {value}")


def filled(network: M, weights: Optional[Checkpoints]) -> M:
    if weights is not None:
        network.load_state_dict(weights.numbers(), strict=False)
    return network
