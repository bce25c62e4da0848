# SPDX-License-Identifier: GPL-3.0-or-later
# Small help for the other files: decorators that take calls written for older releases, and picture grids.
import functools
import inspect
import math
import warnings
from types import FunctionType
from typing import Any, BinaryIO, Callable, List, Optional, Sequence, Tuple, TypeVar, Union

import torch

__all__ = ["tile", "describe_use", "by_keyword", "old_option", "sequence_text"]

R = TypeVar("R")
_ABSENT = object()
_uses: List[str] = []


@torch.no_grad()
def tile(pictures: Union[torch.Tensor, List[torch.Tensor]], columns: int = 4, border: int = 1) -> torch.Tensor:
    """One picture of many, row by row."""
    if isinstance(pictures, list):
        pictures = torch.stack(pictures)
    count, channels, high, wide = pictures.shape
    rows = math.ceil(count / columns)
    blank = pictures.new_zeros(rows * columns - count, channels, high, wide)
    framed = torch.nn.functional.pad(torch.cat([pictures, blank]), [border] * 4)
    framed = framed.reshape(rows, columns, channels, high + 2 * border, wide + 2 * border)
    return framed.permute(2, 0, 3, 1, 4).reshape(channels, rows * framed.shape[3], columns * framed.shape[4])


def describe_use(thing: Any) -> None:
    """Keeps the name of a function or the class of an object that somebody made use of."""
    name = thing.__name__ if isinstance(thing, (FunctionType, type)) else type(thing).__name__
    _uses.append(f"{thing.__module__}.{name}")


def sequence_text(items: Sequence, glue: str = "") -> str:
    """`'a', 'b' and 'c'`, as a sentence wants it."""
    items = [f"'{item}'" for item in items]
    if not items:
        return ""
    if len(items) == 1:
        return items[0]
    head = ", ".join(items[:-1])
    return f"{head} {glue}{items[-1]}" if glue else f"{head}, {items[-1]}"


def by_keyword(fn: Callable[..., R]) -> Callable[..., R]:
    """Takes positional arguments for parameters that are keyword-only by now, and hands them over by name."""
    parameters = inspect.signature(fn).parameters
    late = [name for name, p in parameters.items() if p.kind == inspect.Parameter.KEYWORD_ONLY]
    first = len([p for p in parameters.values() if p.kind == inspect.Parameter.POSITIONAL_OR_KEYWORD])

    @functools.wraps(fn)
    def call(*args: Any, **kwargs: Any) -> R:
        now, rest = args[:first], args[first:]
        if rest:
            named = dict(zip(late, rest))
            what = sequence_text(tuple(named.keys()), glue="and ")
            warnings.warn(f"give {what} of {fn.__name__} by keyword")
            kwargs.update(named)
        return fn(*now, **kwargs)

    return call


def old_option(old: str, new: str, change: Callable[[Any], Any] = lambda value: value):
    """Takes the keyword of an older release for a new one, its value changed by `change`."""

    def outer(fn: Callable[..., R]) -> Callable[..., R]:
        known = inspect.signature(fn).parameters
        assert new in known or any(p.kind is p.VAR_KEYWORD for p in known.values()), new

        @functools.wraps(fn)
        def inner(*args: Any, **kwargs: Any) -> R:
            value = kwargs.pop(old, _ABSENT)
            if value is not _ABSENT:
                if kwargs.get(new, _ABSENT) is not _ABSENT:
                    raise ValueError(f"{old!r} and {new!r} of {fn.__name__} say the same")
                kwargs[new] = change(value)
            return fn(*args, **kwargs)

        return inner

    return outer


def pair(value: Union[int, Tuple[int, int]], name: Optional[str] = None) -> Tuple[int, int]:
    if isinstance(value, Sequence) and not isinstance(value, str):
        if len(value) != 2:
            raise ValueError(f"{name or 'value'} has {len(value)} parts, not 2")
        return value[0], value[1]
    return (value,) * 2


def written(stream: BinaryIO, data: bytes) -> int:
    return stream.write(data)
