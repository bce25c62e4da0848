# SPDX-License-Identifier: GPL-3.0-or-later
# Models that are exported for passes over .pt2 files: each with its arguments, its keywords and what of them is dynamic.
import torch
import torch.nn as nn
from torch.export import Dim


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, padding=1)
        self.norm = nn.BatchNorm2d(4)
        self.unread = nn.Linear(2, 2)
        self.head = nn.Sequential(nn.ReLU(), nn.Flatten(), nn.Linear(64, 2))

    def forward(self, x):
        return self.head(self.norm(self.conv(x)))


class Counting(nn.Module):
    """Writes into buffers and into an input, has constants and a buffer that is not saved."""

    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(3))
        self.register_buffer("seen", torch.zeros(1))
        self.register_buffer("mask", torch.tensor([1.0, 0.0, 1.0]), persistent=False)

    def forward(self, x, state):
        self.seen.add_(x.sum())
        state["last"].copy_(x[0])
        return {"out": torch.relu(x * self.scale * self.mask + torch.tensor([1.0, 2.0, 3.0])), "sizes": [x.shape[0], 7]}


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(5, 4)
        self.head = nn.Linear(4, 5, bias=False)
        self.head.weight = self.tokens.weight

    def forward(self, ids, *, scale=2.0):
        return self.head(self.tokens(ids)).relu() * scale, None


class Growing(nn.Module):
    """Sizes are computed with, and are results."""

    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(4, 4)

    def forward(self, x, rows):
        batch, length, _ = x.shape
        flat = self.mix(x).reshape(batch * length, 4)
        both = torch.cat([flat, rows]).view(-1, 2).relu()
        return {"both": both, "count": batch * length + 1, "half": x[:, ::2], "steps": torch.arange(length // 2)}


MODELS = {
    "classifier": lambda: (Classifier().eval(), (torch.randn(2, 3, 4, 4),), {}, {"x": {0: Dim("batch", max=64)}}),
    "counting": lambda: (Counting(), (torch.ones(2, 3), {"last": torch.zeros(3)}), {}, None),
    "growing": lambda: (Growing(), (torch.randn(2, 6, 4), torch.randn(3, 4)), {},
                        {"x": {0: Dim("batch", max=64), 1: Dim.AUTO}, "rows": {0: Dim("rows", min=2)}}),
    "tied": lambda: (Tied(), (torch.tensor([1, 2]),), {"scale": torch.tensor(3.0)}, None),
}


def exported(name):
    torch.manual_seed(0)
    module, args, kwargs, dynamic = MODELS[name]()
    return torch.export.export(module, args, kwargs, dynamic_shapes=dynamic)
