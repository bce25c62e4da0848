# SPDX-License-Identifier: GPL-3.0-or-later
# Names for the types that the zoo hands around.
from __future__ import annotations

import collections.abc
import sys
from contextlib import nullcontext
from itertools import repeat
from typing import TYPE_CHECKING, Any, Callable, ContextManager, Protocol, Type, TypeVar, Union, overload, runtime_checkable

import torch

if sys.version_info >= (3, 10):
    from typing import TypeAlias
else:
    from typing_extensions import TypeAlias

if TYPE_CHECKING:
    from ._pretrained import Pretrained

LayerKind: TypeAlias = Union[str, Callable[..., torch.nn.Module], Type[torch.nn.Module], None]
T = TypeVar("T")


@runtime_checkable
class Backbone(Protocol):
    width: int
    pretrained: "Pretrained"

    def features(self, x: torch.Tensor) -> torch.Tensor: ...

    def reset_head(self, classes: int) -> None: ...


@overload
def pair(value: int) -> tuple[int, int]: ...
@overload
def pair(value: tuple[T, ...]) -> tuple[T, ...]: ...
def pair(value):
    """One number for both sides."""
    if isinstance(value, collections.abc.Iterable) and not isinstance(value, str):
        return tuple(value)
    return tuple(repeat(value, 2))


def calm(module: Any, on: bool) -> ContextManager:
    return torch.no_grad() if on and isinstance(module, torch.nn.Module) else nullcontext()
