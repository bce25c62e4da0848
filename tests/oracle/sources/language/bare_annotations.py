# SPDX-License-Identifier: GPL-3.0-or-later
# case: {"expr": "Bare()", "inputs": "torch.ones(2)"}
# case: {"expr": "Nested()", "inputs": "torch.ones(2)"}
# case: {"expr": "Builtin()", "inputs": "torch.ones(2)"}
# case: {"expr": "Abstract()", "inputs": "torch.ones(2)"}
# case: {"expr": "first", "inputs": "torch.ones(2)"}
# case: {"expr": "second", "inputs": "torch.ones(2)"}
# case: {"expr": "Optionals()", "inputs": "torch.ones(2)"}
"""Names of typing without brackets, alone and in Union, Optional and containers, and builtins in them."""

import collections
import typing
from typing import (Any, Callable, Counter, DefaultDict, Deque, Dict, FrozenSet, Iterable, List, Mapping, NewType, Optional, OrderedDict, Sequence, Set, Tuple,
                    Type, Union)

import torch
from torch import Tensor, nn

Named = NewType("Named", int)
Alias = Optional[Tuple]


class Bare(nn.Module):
    def forward(self, x, a: Tuple = (), b: List = (), c: Dict = (), d: Set = (), e: FrozenSet = (), f: Type = None, g: Deque = (),
                h: DefaultDict = (), i: OrderedDict = (), j: Counter = ()) -> Tuple:
        return x, x


class Nested(nn.Module):
    def forward(self, x, a: Optional[Tuple] = None, b: Union[List, Dict, None] = None, c: Union[int, Tuple] = 1, d: List[Tuple] = (),
                e: Dict[str, List] = (), f: Tuple[Tuple, ...] = (), g: Dict[str, Union[Tuple, List]] = (), h: list[Tuple] = (),
                i: Optional[Dict[str, Optional[List]]] = None, j: Alias = None, k: Tuple[()] = (), l: Dict[str, Tuple[()]] = (),
                m: Optional[Union[Tuple, List]] = None, n: List | None = None, o: Named = 1, p: Optional[Named] = None) -> Union[Tuple, Dict]:
        return x, x


class Builtin(nn.Module):
    def forward(self, x, a: Optional[list[int]] = None, b: Union[int, tuple[int, ...]] = 1, c: List[dict[str, int]] = (),
                d: dict[str, int | None] | None = None, e: Tuple[list[int], ...] = (), f: int | None | None = 1, g: type[int] = None,
                h: Type[int] = None, i: Sequence[list[int]] = (), j: Union[dict[str, int], str, None] = None) -> Optional[list[Tensor]]:
        return [x, x]


class Abstract(nn.Module):
    def forward(self, x, a: Callable = None, b: Sequence = (), c: Iterable = (), d: Mapping = (), e: Optional[Callable] = None, f: Optional[Mapping[str, Any]] = None,
                g: Union[Sequence, Tuple] = (), h: Callable[..., int] = None, i: typing.Pattern = None, j: Deque[int] = (),
                k: collections.OrderedDict = (), l: typing.ChainMap[str, int] = ()) -> Sequence:
        return [x, x]


def first(x: Union[Tensor, List]) -> Union[Tuple[Tensor, Tensor], Tuple, Dict[str, Tensor]]:
    return x, x


def second(x: Optional[Tensor]) -> Dict[str, Optional[Tuple]]:
    return {"x": (x, x)}


class Optionals(nn.Module):
    def forward(self, x: Optional[Tensor], y: Optional[List[Optional[Tuple]]] = None) -> Optional[Union[List, Tensor]]:
        return x
