# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that use what TorchScript has of Python: branches on settings, loops, containers, classes, interfaces."""

import math
from enum import Enum
from typing import Dict, List, NamedTuple, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import nn


class Settings(nn.Module):
    mode: str

    def __init__(self, mode):
        super().__init__()
        self.mode = mode
        self.repeats = 3
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        if self.mode == "double":
            x = x * 2
        elif self.mode == "half":
            x = x / 2
        else:
            raise ValueError(f"unknown mode {self.mode}")
        for i in range(self.repeats):
            x = self.fc(x) + i
        return x


class Optionals(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.extra: Optional[nn.Linear] = None

    def forward(self, x, mask: Optional[torch.Tensor] = None):
        y = self.fc(x)
        if mask is not None:
            y = y.masked_fill(mask, 0.0)
        return y


class Pair(NamedTuple):
    left: torch.Tensor
    right: torch.Tensor


class Containers(nn.Module):
    def __init__(self):
        super().__init__()
        self.sizes: List[int] = [1, 2, 3]
        self.names: Dict[str, float] = {"a": 0.5, "b": 2.0}

    def forward(self, x):
        parts: List[torch.Tensor] = []
        for size in self.sizes:
            parts.append(x * size)
        for name, factor in self.names.items():
            parts.append(x + factor)
        parts.insert(0, x)
        last = parts.pop()
        table: Dict[str, torch.Tensor] = {}
        table["first"] = parts[0]
        table["last"] = last
        if "first" in table:
            parts += [table["first"] + 1]
        doubled = [p * 2 for p in parts[1:]]
        return torch.stack(doubled), table, (len(parts), last)


class Named(nn.Module):
    def forward(self, x):
        pair = Pair(x + 1, x - 1)
        return pair.left * pair.right


@torch.jit.script
class Counter:
    def __init__(self, start: int):
        self.count = start
        self.total: List[torch.Tensor] = []

    def add(self, x: torch.Tensor):
        self.count += 1
        self.total.append(x)

    def result(self) -> torch.Tensor:
        out = self.total[0]
        for item in self.total[1:]:
            out = out + item
        return out * self.count


class Instances(nn.Module):
    def forward(self, x):
        counter = Counter(1)
        for i in range(3):
            counter.add(x * i)
        return counter.result()


@torch.jit.interface
class Step(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        pass


class Double(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2


class Lift(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.fc(x) + 1


class Interfaces(nn.Module):
    chosen: Step

    def __init__(self):
        super().__init__()
        self.steps = nn.ModuleList([Double(), Lift(), Double()])
        self.chosen = Lift()

    def forward(self, x):
        for i in range(2):
            x = self.steps[1](x)
        return self.chosen.forward(x)


class Color(Enum):
    RED = 1
    BLUE = 2


class Enums(nn.Module):
    def __init__(self):
        super().__init__()
        self.color = Color.BLUE

    def forward(self, x):
        if self.color == Color.RED:
            return x + 1
        return x * Color.BLUE.value


class InPlace(nn.Module):
    def forward(self, x):
        y = x.clone()
        y += 1
        y.mul_(2)
        y[:, 0] = 5.0
        total = torch.zeros(4)
        for i in range(3):
            total += y[i]
        return y, total


class InPlaceComparison(nn.Module):
    def forward(self, x):
        y = x.clone()
        y.gt_(0.0)
        return y * 2


def helper(x: torch.Tensor, scale: float = 0.5) -> torch.Tensor:
    if scale > 1:
        return x
    return torch.tanh(x) * scale


class Functions(nn.Module):
    def forward(self, x):
        return helper(x) + helper(x, scale=2.0) + math.sqrt(4.0) * math.pi


class Checks(nn.Module):
    def forward(self, x):
        assert x.size(1) == 4, "wrong width"
        if x.dim() != 2:
            raise ValueError("expected 2 dimensions, got {}".format(x.dim()))
        batch, width = x.size(0), x.shape[1]
        return x.reshape(batch * width).view(batch, -1), x.new_zeros(batch, 2) + 1


class Constants(nn.Module):
    def __init__(self):
        super().__init__()
        self.plain = torch.arange(4.0)

    def forward(self, x):
        mask = torch.triu(torch.ones(4, 4), 1) > 0
        steps = torch.arange(4, dtype=torch.float32)
        return x.masked_fill(mask, 0.0) * steps + self.plain


class Early(nn.Module):
    def __init__(self):
        super().__init__()
        self.skip = True

    def forward(self, x):
        if self.skip:
            return x + 1
        y = x * 2
        while True:
            y = y + 1
        return y


class Comprehensions(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, n) for n in (2, 3, 4)])
        self.named = nn.ModuleDict({"relu": nn.ReLU(), "tanh": nn.Tanh()})

    def forward(self, x):
        outs = [layer(x) for layer in self.layers]
        acts: List[torch.Tensor] = []
        for name, act in self.named.items():
            acts.append(act(outs[0]))
        for i, layer in enumerate(self.layers):
            outs[i] = outs[i] + i
        first = [a + b for a, b in zip(acts, acts)]
        return torch.cat(outs, 1), first[0], acts[-1]


class State(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.zeros(1))
        self.last = 0

    def forward(self, x):
        self.last = 5
        return x + self.last


class NoGrad(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        with torch.no_grad():
            y = self.fc(x)
        return y + x.detach()


class Types(nn.Module):
    def forward(self, x):
        a = x.to(torch.float64)
        b = torch.zeros_like(x, dtype=torch.int64)
        c = torch.ones(2, 2, device=x.device, dtype=x.dtype)
        d = (x > 0).long().type_as(b)
        return a, b, c + 1, d, x.half().float()


class Inner(nn.Module):
    def __init__(self, offset: int):
        super().__init__()
        self.offset = offset

    def forward(self, x, scale: float = 1.0) -> Tuple[torch.Tensor, int]:
        return x * scale + self.offset, self.offset


class Nested(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.ModuleList([Inner(1), Inner(2)])

    def forward(self, x):
        total = 0
        for module in self.inner:
            x, offset = module(x, scale=0.5)
            total += offset
        return {"x": x, "sum": x + total}


class Forked(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        future = torch.jit.fork(self.fc, x)
        return torch.jit.wait(future) + x


class Texts(nn.Module):
    def __init__(self):
        super().__init__()
        self.kind = "  Sum-Mean "

    def forward(self, x):
        for word in self.kind.strip().lower().split("-"):
            if word == "sum":
                x = x + x.sum()
            elif word.startswith("me"):
                x = x - x.mean()
        return x


class Branches(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x
        return -x


class Rows(nn.Module):
    def forward(self, x):
        total = torch.zeros(4)
        for i in range(x.size(0)):
            total = total + x[i]
        return total


class ByShape(nn.Module):
    def forward(self, x):
        if x.size(0) > 2:
            x = x[:2]
        if x.dim() == 2:
            x = x.unsqueeze(0)
        for i in range(x.size(1)):
            x = x + i
        return x


class Raises(nn.Module):
    def forward(self, x):
        raise RuntimeError("never to be used")
        return x


class Restoring(nn.Module):
    def __init__(self):
        super().__init__()
        self.factor = 2

    def forward(self, x):
        return x * self.factor

    @torch.jit.export
    def __getstate__(self):
        return self.factor, self.training

    @torch.jit.export
    def __setstate__(self, state: Tuple[int, bool]):
        self.factor = state[0] * 2
        self.training = state[1]


def cases():
    x = torch.randn(3, 4)
    yield "double", Settings("double"), (x,), "script freeze same"
    yield "half", Settings("half"), (x,), "script trace same"
    yield "optionals", Optionals(), (x, torch.rand(3, 4) > 0.5), "script"
    yield "optionals_none", Optionals(), (x, None), "script", {"concrete": {"mask": "None"}}
    yield "containers", Containers(), (x,), "script"
    yield "named", Named(), (x,), "script trace same"
    yield "instances", Instances(), (x,), "script"
    yield "interfaces", Interfaces(), (x,), "script"
    yield "enums", Enums(), (x,), "script same"
    yield "in_place", InPlace(), (x,), "script"
    yield "in_place_comparison", InPlaceComparison(), (x,), "script trace same"
    yield "functions", Functions(), (x,), "script trace same"
    yield "checks", Checks(), (x,), "script trace"
    yield "constants", Constants(), (torch.randn(4, 4),), "script trace freeze"
    yield "early", Early(), (x,), "script"
    yield "comprehensions", Comprehensions(), (x,), "script trace"
    yield "state", State(), (x,), "script"
    yield "no_grad", NoGrad(), (x,), "script trace"
    yield "types", Types(), (x,), "script trace"
    yield "nested", Nested(), (x,), "script same"
    yield "forked", Forked(), (x,), "script"
    yield "texts", Texts(), (x,), "script same"
    yield "branches", Branches(), (x,), "script"
    yield "rows", Rows(), (x,), "script", {"error": "symbolically traced variables cannot be used as inputs to control flow\n    for i in range(x.size(0)):"}
    yield "rows_of_example", Rows(), (x,), "script", {"concrete": {"x": "torch.zeros(3, 4)"}}
    yield "by_shape", ByShape(), (x,), "script", {"concrete": {"x": "torch.zeros(3, 4)"}}
    yield "by_shape_unknown", ByShape(), (x,), "script", {"error": "symbolically traced variables cannot be used as inputs to control flow\n    if x.size(0) > 2:"}
    yield "raises", Raises(), (x,), "script", {"error": "never to be used\n    raise RuntimeError(\"never to be used\")"}
