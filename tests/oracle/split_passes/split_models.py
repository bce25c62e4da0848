# SPDX-License-Identifier: GPL-3.0-or-later
# Models whose graphs are odd to split, beside those of clean_passes: each with its arguments.
import torch
import torch.nn as nn


class Tuples(nn.Module):
    """Tuples between parts, values that are no tensors, results of several parts, an input that nobody reads."""

    def __init__(self):
        super().__init__()
        self.front, self.back = nn.Linear(4, 6), nn.Linear(3, 4)
        self.scale = nn.Parameter(torch.ones(6))

    def forward(self, x, unread, y):
        left, right = torch.chunk(self.front(x) * self.scale, 2, dim=1)
        rows = x.size(0)
        both = torch.relu(left) + right
        flat = both.reshape(rows, -1)
        out = self.back(flat)
        return {"out": out, "rest": [right, (y, flat.sum())]}, rows


class Diamond(nn.Module):
    """Ways that part and meet again, some of them through calls that a table leaves out."""

    def forward(self, x, y):
        a = torch.relu(x)
        b = torch.sigmoid(a)
        c = torch.tanh(a)
        d = b + c
        e = torch.neg(b)
        f = torch.exp(c) * y
        g = torch.relu(e) + torch.sin(f)
        return torch.cos(g) - d, torch.relu(y).sum()


class Blocks(nn.Module):
    """Modules in modules, one of them called twice; a weight that the root reads of a module."""

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.lin, self.norm = nn.Linear(4, 4), nn.LayerNorm(4)
            self.gain = nn.Parameter(torch.full((4,), 1.5))

        def forward(self, x):
            return torch.relu(self.norm(self.lin(x))) * self.gain

    def __init__(self):
        super().__init__()
        self.one, self.two = self.Block(), nn.Sequential(self.Block(), nn.GELU())

    def forward(self, x):
        y = self.two(self.one(x))
        return self.one(y + x) + self.one.lin.bias


class Silent(nn.Module):
    """A graph without calls."""

    def forward(self, x):
        return x


class Parallel(nn.Module):
    """Chains beside each other, of calls that are in the table and of others."""

    def forward(self, x, y):
        for step in range(4):
            x = torch.relu(torch.sin(x))
            y = torch.neg(torch.relu(y)) if step % 2 else torch.cos(torch.relu(y))
            if step == 2:
                x = x + y
        return x, y, torch.relu(x).sum()


def tensor(*sizes):
    return torch.linspace(-1, 1, torch.Size(sizes).numel()).reshape(sizes)


MODELS = {
    "tuples": lambda: (Tuples(), [tensor(2, 4), tensor(1), tensor(3)]),
    "diamond": lambda: (Diamond(), [tensor(2, 3), tensor(2, 3)]),
    "blocks": lambda: (Blocks(), [tensor(2, 4)]),
    "silent": lambda: (Silent(), [tensor(2)]),
    "parallel": lambda: (Parallel(), [tensor(2, 3), tensor(3)]),
}


def build(name):
    torch.manual_seed(0)
    return MODELS[name]()[0].eval()
