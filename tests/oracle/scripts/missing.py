# SPDX-License-Identifier: GPL-3.0-or-later
"""Items that may be None: a test for None depends on the input, so it is never decided while the program is traced."""

from typing import Dict, List, NamedTuple, Optional, Tuple

import torch
from torch import nn


class Pair(NamedTuple):
    left: torch.Tensor
    right: Optional[torch.Tensor]


class OfList(nn.Module):
    def forward(self, l: List[Optional[torch.Tensor]]):
        v = l[0]
        if v is None:
            return torch.zeros(1)
        return v + 1


class OfDict(nn.Module):
    def forward(self, d: Dict[str, Optional[torch.Tensor]]):
        v = d["a"]
        return torch.zeros(1) if v is None else v + 1


class OfGet(nn.Module):
    def forward(self, d: Dict[str, Optional[torch.Tensor]]):
        v = d.get("a", None)
        if v is not None:
            return v + 1
        return torch.zeros(1)


class OfPop(nn.Module):
    def forward(self, d: Dict[str, Optional[torch.Tensor]]):
        v = d.pop("a")
        if v is None:
            return torch.zeros(1)
        return v + 1


class OfListPop(nn.Module):
    def forward(self, l: List[Optional[torch.Tensor]]):
        v = l.pop()
        if v is None:
            return torch.zeros(1)
        return v + 1


class OfSetdefault(nn.Module):
    def forward(self, d: Dict[str, Optional[torch.Tensor]]):
        v = d.setdefault("a", None)
        if v is None:
            return torch.zeros(1)
        return v + 1


class OfTuple(nn.Module):
    def forward(self, t: Tuple[torch.Tensor, Optional[torch.Tensor]]):
        a, v = t
        if v is None:
            return a
        return a + v


class OfNamed(nn.Module):
    def forward(self, t: Pair):
        right = t.right
        if right is None:
            return t.left
        return t.left + right


class OfLoop(nn.Module):
    def forward(self, l: List[Optional[torch.Tensor]]):
        out = torch.zeros(1)
        for v in [l[0], l[1]]:
            if v is not None:
                out = out + v
        return out


class OfInstance(nn.Module):
    def forward(self, l: List[Optional[torch.Tensor]]):
        v = l[0]
        if isinstance(v, torch.Tensor):
            return v + 1
        return torch.zeros(1)


class OfNumbers(nn.Module):
    def forward(self, x: torch.Tensor, l: List[Optional[int]]):
        n = l[0]
        if n is None:
            return x
        return x * n


class Asserted(nn.Module):
    def forward(self, l: List[Optional[torch.Tensor]], d: Dict[str, torch.Tensor]):
        v, w = torch.jit._unwrap_optional(l[0]), torch.jit._unwrap_optional(d.get("a"))
        return v + w if v is not None and w is not None else v


class Told(nn.Module):
    def forward(self, x: torch.Tensor, l: List[Optional[torch.Tensor]]):
        return x, l[0] is None, l[1] is not None


def cases():
    x = torch.ones(2)
    undecided = {"error": "symbolically traced variables cannot be used as inputs to control flow"}
    yield "missing_in_list", OfList(), ([None],), "script", undecided
    yield "missing_in_list_not", OfList(), ([x],), "script", undecided
    yield "missing_in_dict", OfDict(), ({"a": None},), "script", undecided
    yield "missing_get", OfGet(), ({"b": x},), "script", undecided
    yield "missing_pop", OfPop(), ({"a": None},), "script", undecided
    yield "missing_list_pop", OfListPop(), ([x, None],), "script", undecided
    yield "missing_setdefault", OfSetdefault(), ({"b": x},), "script", undecided
    yield "missing_in_tuple", OfTuple(), ((x, None),), "script", undecided
    yield "missing_in_named", OfNamed(), (Pair(x, None),), "script", undecided
    yield "missing_in_loop", OfLoop(), ([x, None],), "script", undecided
    yield "missing_instance", OfInstance(), ([None],), "script", undecided
    yield "missing_number", OfNumbers(), (x, [None]), "script", undecided
    yield "missing_asserted", Asserted(), ([x], {"a": x + 1}), "script"
    yield "missing_told", Told(), (x, [None, x]), "script"
