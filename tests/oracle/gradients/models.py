# SPDX-License-Identifier: GPL-3.0-or-later
"""Models that are differentiated: what is read twice, written in place, cut off, shared, or of no gradient at all."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(6, 8)
        self.second = nn.Linear(8, 3)

    def forward(self, x):
        return self.second(torch.relu(self.first(x)) + 0.5)


class Images(nn.Module):
    """Batch norm that counts, a branch, a sum, pooling."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, padding=1)
        self.norm = nn.BatchNorm2d(4)
        self.again = nn.Conv2d(4, 4, 3, padding=1, bias=False)

    def forward(self, x):
        x = F.relu(self.norm(self.conv(x)), inplace=True)
        return F.max_pool2d(x + self.again(x), 2).mean((2, 3))


class InPlace(nn.Module):
    """Writes into its input, into values that were read before, and into a view."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4, 4))

    def forward(self, x):
        x.mul_(2)
        y = x @ self.weight
        z = y.add_(1).sin()
        part = z[:, :2]
        part.mul_(3)
        z[:, 3].copy_(x[:, 0])
        return z.relu_() * y


class Tied(nn.Module):
    """One weight for two modules, a module that is called twice, integer inputs."""

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(11, 6)
        self.block = nn.Linear(6, 6)
        self.head = nn.Linear(6, 11, bias=False)
        self.head.weight = self.words.weight

    def forward(self, ids):
        x = self.words(ids)
        return self.head(torch.tanh(self.block(torch.tanh(self.block(x)))))


class Frozen(nn.Module):
    """A parameter without a gradient, a part that is cut off, one that nobody reads, a buffer."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(5, 5)
        self.first.weight.requires_grad_(False)
        self.side = nn.Linear(5, 5)
        self.unread = nn.Parameter(torch.randn(5))
        self.register_buffer("scale", torch.randn(5))

    def forward(self, x):
        x = self.first(x)
        aside = self.side(x).detach()
        unread = x * self.unread
        return (x * aside * self.scale).cumsum(0)


class Several(nn.Module):
    """Several outputs, the first of them an index; values that are tuples."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(6, 6))

    def forward(self, x):
        a, b, c = torch.chunk(x @ self.weight, 3, dim=1)
        values, indices = torch.sort(a * b, dim=1)
        return {"indices": indices, "values": values, "rest": (c, c.sum())}


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.all = nn.Linear(8, 24)

    def forward(self, x):
        q, k, v = self.all(x).view(2, 5, 3, 2, 4).permute(2, 0, 3, 1, 4)
        return F.scaled_dot_product_attention(q, k, v, is_causal=True)


class Waves(nn.Module):
    """Complex values."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(8))

    def forward(self, x):
        return (torch.fft.rfft(x * self.weight) * 2j).abs()


class Sparse(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.EmbeddingBag(9, 4, sparse=True, mode="sum")

    def forward(self, ids, offsets):
        return self.words(ids, offsets).exp()


class Mixed(nn.Module):
    """Several dtypes, values that are no tensors."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4, 4, dtype=torch.float64))

    def forward(self, x):
        rows = x.shape[0]
        y = (x.to(torch.float64) @ self.weight) / rows
        return y.to(torch.bfloat16).float().softmax(-1)


class NoGradPart(nn.Module):
    """To be exported: a part of it runs where gradients are off."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.second = nn.Linear(4, 4)

    def forward(self, x):
        y = self.first(x)
        with torch.no_grad():
            scale = self.second(y).abs().sum() + 1
        return y / scale


class Root(nn.Module):
    """The gradient of sqrt at 0 is Inf, times 0 is NaN."""

    def __init__(self):
        super().__init__()
        self.line = nn.Linear(3, 3)

    def forward(self, x):
        return torch.sqrt(x) * 0 + self.line(x)


class Nothing(nn.Module):
    def forward(self, x):
        return x.argmax(-1), "text"


def build(name):
    torch.manual_seed(0)
    model = globals()[name]()
    return model.train() if name == "Images" else model.eval()


def inputs(name):
    torch.manual_seed(1)
    return {"Mlp": (torch.randn(4, 6),), "Images": (torch.randn(2, 3, 8, 8),), "InPlace": (torch.randn(3, 4),),
            "Tied": (torch.randint(0, 11, (2, 5)),), "Frozen": (torch.randn(3, 5),), "Several": (torch.randn(3, 6),),
            "Attention": (torch.randn(2, 5, 8),), "Waves": (torch.randn(8),), "Sparse": (torch.tensor([1, 2, 2, 8]), torch.tensor([0, 2])),
            "Mixed": (torch.randn(3, 4),), "NoGradPart": (torch.randn(2, 4),), "Root": (torch.tensor([0.0, 1.0, 4.0]),),
            "Nothing": (torch.randn(3, 4),)}[name]
