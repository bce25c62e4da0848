# SPDX-License-Identifier: GPL-3.0-or-later
# The results of models, which are dicts, tuples and objects at once; and small things about words and functions.
import inspect
from collections import OrderedDict
from collections.abc import MutableMapping
from contextlib import ExitStack
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import partial, partialmethod, wraps
from typing import Any, Callable, ContextManager, Dict, Iterable, List, Optional, Tuple, TypedDict

from .imports import is_torch_available


class Word(str, Enum):
    @classmethod
    def _missing_(cls, value):
        raise ValueError(f"{value} is no {cls.__name__}, take one of {list(cls._value2member_map_.keys())}")


class Extras(TypedDict, total=False):
    """What a model hands through to its parts unread."""

    scale: Optional[float]
    keep: int


class Output(OrderedDict):
    def __init_subclass__(cls) -> None:
        if is_torch_available():
            from torch.utils import _pytree

            _pytree.register_pytree_node(cls, _flatten, partial(_unflatten, kind=cls))

    def __post_init__(self):
        for field in fields(self):
            if (value := getattr(self, field.name)) is not None:
                super().__setitem__(field.name, value)

    def __delitem__(self, key):
        raise TypeError(f"a {self.__class__.__name__} keeps what it has")

    def __getitem__(self, key):
        return super().__getitem__(key) if isinstance(key, str) else self.to_tuple()[key]

    def __setattr__(self, name, value):
        super().__setattr__(name, value)
        if name in self.keys():
            super().__setitem__(name, value)

    def __setitem__(self, key, value):
        if key not in {field.name for field in fields(self)}:
            raise KeyError(f"{key} is no field of {self.__class__.__name__}")
        super().__setitem__(key, value)
        object.__setattr__(self, key, value)

    def to_tuple(self) -> Tuple[Any, ...]:
        return tuple(super(Output, self).__getitem__(name) for name in self.keys())


def _flatten(output: Output) -> Tuple[List[Any], List[str]]:
    return list(output.values()), list(output.keys())


def _unflatten(values: Iterable[Any], names: List[str], kind=None) -> Output:
    return kind(**dict(zip(names, values)))


class Stacked:
    """Many context managers as one."""

    def __init__(self, managers: List[ContextManager]):
        self.managers = managers
        self.stack = ExitStack()

    def __enter__(self):
        for manager in self.managers:
            self.stack.enter_context(manager)

    def __exit__(self, *args, **kwargs):
        self.stack.__exit__(*args, **kwargs)


class Layered(MutableMapping):
    """A table of one's own above one that all share."""

    _shared: Dict[str, Any] = {}

    def __init__(self):
        self._own: Dict[str, Any] = {}

    def __getitem__(self, key):
        return self._own[key] if key in self._own else self._shared[key]

    def __setitem__(self, key, value):
        self._own.update({key: value})

    def __delitem__(self, key):
        del self._own[key]

    def __iter__(self):
        return iter({**self._shared, **self._own})

    def __len__(self):
        return len(self._shared.keys() | self._own.keys())

    @classmethod
    def share(cls, key: str, value: Callable):
        cls._shared.update({key: value})

    def _first(self, kind, *keys):
        return next((self[key] for key in keys if key in self and isinstance(self[key], kind)), None)

    first_text = partialmethod(_first, str)


def only_known(fn: Callable) -> Callable:
    """Drops options that the function has no parameter for."""
    code = inspect.unwrap(fn).__code__
    known = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]

    @wraps(fn)
    def call(*args, **kwargs):
        return fn(*args, **{name: value for name, value in kwargs.items() if name in known})

    return call


def is_output(kind: type) -> bool:
    return is_dataclass(kind) and issubclass(kind, Output)
