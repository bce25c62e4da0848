# SPDX-License-Identifier: GPL-3.0-or-later
# Branches and loops that data decides. Each case is run with inputs that go one way and with inputs that go the other.
from typing import Dict, List, Optional, Tuple

import torch
import torch.nn as nn


class Branch(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        if x.sum() > 0:
            y = self.up(x).relu()
        else:
            y = self.down(x) - 1
        return y * 2


class Ends(nn.Module):
    """Returns in the midst, nested."""

    def forward(self, x):
        if x.sum() > 0:
            return x + 1
        y = x * 2
        if y.min() < -3:
            return y - 1
        return y.relu()


class Kinds(nn.Module):
    """Branches give numbers, flags, tuples, lists and dicts; what is the same in both is no result."""

    def forward(self, x) -> Tuple[torch.Tensor, int, bool, float, Dict[str, torch.Tensor]]:
        count, isUp, factor = 3, False, 0.5
        pair, named = (x, x), {"a": x, "b": x * 3}
        if x.sum() > 0:
            count, isUp = 4, True
            pair = (x + 1, x)
            named = {"a": x * 2, "b": named["b"]}
        else:
            factor = 2.0
        out = [pair[0] * factor, pair[1] * count]
        if isUp:
            out = [out[0] + 7, out[1]]
        if not isUp and x.max() < 3:
            out = [out[1], out[0]]
        return out[0] + out[1], count, isUp, factor, named


class Writes(nn.Module):
    """Branches write into what is there before: inputs, buffers, constants."""

    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.zeros(3))

    def forward(self, x):
        y, table = x.clone(), torch.zeros(3)
        if x.sum() > 0:
            y.add_(1)
            table[0] = 5.0
            self.seen.add_(2)
        else:
            table[1:] += 1
        if x.max() > 100:
            y.mul_(2)
        return y.sum() + table, self.seen * 2


class Weights(nn.Module):
    """A parameter that is read in a branch first, and later again."""

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(4))
        self.gate = nn.Parameter(torch.tensor(0.5))

    def forward(self, x):
        if (x * self.gate).sum() > 0:
            x = x * self.w
        if self.gate > 0:
            x = x + 1
        return x + self.w


class Rounds(nn.Module):
    def forward(self, x) -> Tuple[torch.Tensor, int]:
        count = 0
        while x.abs().sum() < 100:
            x = x * 2 + 0.1
            count += 1
        return x, count


class Breaks(nn.Module):
    """Rounds that are known at first, and may end before."""

    def __init__(self):
        super().__init__()
        self.steps = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])

    def forward(self, x):
        for step in self.steps:
            x = step(x)
        for i in range(6):
            if x.sum() > 3:
                break
            x = x + i
            if x.min() > 1:
                continue
            x = x + 0.5
        return x


class Counted(nn.Module):
    def forward(self, x, n):
        total = x
        for i in range(int(n)):
            total = total * 0.5 + x[i % 2]
        for _ in range(int(n) - 2):
            total = total + 1
        return total


class State(nn.Module):
    """A recurrent layer until it says so: what is carried is a tuple, an optional, and of one shape."""

    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(4, 4)
        self.stop = nn.Linear(4, 1)

    def forward(self, x):
        hidden = (torch.zeros(2, 4), torch.zeros(2, 4))
        note: Optional[torch.Tensor] = None
        while self.stop(hidden[0]).sum() < 0.7:
            hidden = self.cell(x, hidden)
            x = x + 0.5
            if x.sum() > 60:
                break
        return hidden[0], hidden[1], note


class Grows(nn.Module):
    def forward(self, x):
        while x.size(0) < 9 and x.sum() < 40:
            x = torch.cat([x, x + 1])
        return x


class Newton(nn.Module):
    """Loops in loops in branches."""

    def forward(self, x):
        root = x.abs() + 1
        if x.sum() > 0:
            while (root * root - 2).abs().max() > 1e-3:
                step = root - (root * root - 2) / (2 * root)
                while step.min() < 1.3:
                    step = step * 1.01
                root = step
        else:
            table = torch.zeros(2)
            i = torch.tensor(0)
            while i < 4:
                local = torch.zeros(2)
                local[0] = i + 1
                table = table + local
                i = i + 1
            root = root + table.sum()
        return root


class Appends(nn.Module):
    def forward(self, x):
        out: List[torch.Tensor] = [x]
        while x.sum() < 10:
            x = x + 1
            out.append(x)
        return torch.stack(out)


class Differs(nn.Module):
    def forward(self, x):
        y: Optional[torch.Tensor] = None
        if x.sum() > 0:
            y = x
        return x if y is None else y + 1


class Remembers(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = 1

    def forward(self, x):
        if x.sum() > 0:
            self.last = 2
        return x * self.last


def cases():
    x = torch.randn(2, 4).abs()
    for name, module, given in (
            ("branch", Branch(), x), ("ends", Ends(), x), ("branch_kinds", Kinds(), x), ("branch_writes", Writes(), torch.ones(3)),
            ("branch_weights", Weights(), x), ("rounds", Rounds(), x), ("breaks", Breaks(), x), ("state_rounds", State(), x),
            ("newton", Newton(), torch.ones(2))):
        yield name, module, (given,), "script freeze" if name == "branch" else "script"
        yield name + "_other", module, (-5 * given,), "script"
    yield "state_rounds_shaped", State(), (x,), "script freeze", {"concrete": {"x": "torch.zeros(2, 4)"}}
    yield "grows", Grows(), (x,), "script", {"concrete": {"x": "torch.zeros(2, 4)"}}
    yield "grows_unknown", Grows(), (x,), "script", {"error": "fixes the sizes and the dtype of x"}
    for n in (0, 1, 5):
        yield f"counted_{n}", Counted(), (x, torch.tensor(n)), "script"
    changes = "what data decides changes a list, a dict or an attribute"
    yield "appends", Appends(), (x,), "script", {"error": f"; {changes}"}
    yield "remembers", Remembers(), (x,), "script", {"error": f"; {changes}"}
    yield "branch_differs", Differs(), (x,), "script", {"error": "; one branch gives a value of another kind than the other"}
