# SPDX-License-Identifier: GPL-3.0-or-later
# Models for the pass lower, in evaluation mode.
import torch
import torch.nn as nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, width, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(width, width, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, padding=1, groups=2, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.down = nn.Sequential(nn.Conv2d(width, width, 1, stride, bias=False), nn.BatchNorm2d(width)) if stride > 1 else None
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x):
        y = self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x)))))
        y += x if self.down is None else self.down(x)
        return self.relu(y)


class Images(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 7, 2, 3)
        self.blocks = nn.Sequential(Block(8), Block(8, 2))
        self.head = nn.Linear(8, 5)

    def forward(self, x):
        x = F.max_pool2d(F.gelu(self.stem(x)), 3, 2, 1)
        return self.head(F.adaptive_avg_pool2d(self.blocks(x), 1).flatten(1))


class Words(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(20, 16)
        self.norm = nn.LayerNorm(16)
        self.up, self.down = nn.Linear(16, 32), nn.Linear(32, 16, bias=False)
        self.gate = nn.Linear(16, 32)

    def forward(self, ids):
        x = self.tokens(ids)
        y = self.norm(x)
        return x + self.down(F.gelu(self.up(y), approximate="tanh") * F.silu(self.gate(y))) @ self.tokens.weight.t()[:, :16]


class Volumes(nn.Module):
    """Activations with numbers; what is left alone."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv3d(2, 4, 2)
        self.same = nn.Conv2d(4, 4, 3, padding="same")
        self.reflected = nn.Conv2d(4, 4, 3, padding=1, padding_mode="reflect")
        self.back = nn.ConvTranspose2d(4, 2, 2)

    def forward(self, x):
        y = F.leaky_relu(self.conv(x), 0.1)
        y = F.hardtanh(y, -0.5, 0.5).flatten(1, 2)[:, :4]
        return self.back(self.reflected(self.same(y)))


class Nets(nn.Module):
    """Sums and moves of all kinds between quantized layers."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Conv2d(4, 8, 3, padding=1), nn.Conv2d(8, 8, 1)
        self.third, self.fourth = nn.Conv2d(8, 8, 3, padding=2, dilation=2, groups=8), nn.Conv2d(16, 8, (3, 1), (2, 1), bias=False)
        self.pool = nn.MaxPool2d(2)
        self.head = nn.Linear(8 * 4 * 10, 6)

    def forward(self, x):
        x = F.relu(self.first(x))
        y = self.second(x)
        x = F.relu(y + x)
        x = x + self.third(x)  # read again below
        x = self.fourth(torch.cat([x, y], 1))
        return self.head(self.pool(F.relu(x)).transpose(2, 3).flatten(1))


class Shared(nn.Module):
    """One weight for two layers, and one value that several read."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(6, 6, 3, padding=1)
        self.head = nn.Linear(6, 3)

    def forward(self, x):
        y = self.conv(x)
        z = torch.relu(self.conv(y) + y)
        return self.head(z.mean((2, 3))) + self.head(y.mean((2, 3)))


class Sounds(nn.Module):
    """Convolutions over one dimension."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Conv1d(4, 8, 3, padding=1), nn.Conv1d(8, 6, 4, 2, dilation=2, groups=2)

    def forward(self, x):
        return self.second(F.relu(self.first(x)))


class Tables(nn.Module):
    """An embedding, and one whose table a linear layer shares."""

    def __init__(self):
        super().__init__()
        self.tokens, self.shared, self.head = nn.Embedding(50, 64), nn.Embedding(48, 64), nn.Linear(64, 48, bias=False)
        self.head.weight = self.shared.weight

    def forward(self, ids):
        return self.tokens(ids), self.head(self.shared(ids))


class Rows(nn.Module):
    """Linear layers over rows, some of which no kernel for small weights takes: 7 channels, and what is turned."""

    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(64, 96), nn.Linear(96, 32, bias=False)
        self.side, self.head = nn.Linear(64, 64), nn.Linear(32, 7)

    def forward(self, x):
        y = self.down(F.gelu(self.up(x)))
        return self.head(y), self.side(x[0].t()[:, :64])


def drawn(model, seed=0):
    torch.manual_seed(seed)
    for each in model.modules():
        if isinstance(each, nn.BatchNorm2d):
            each.running_mean.normal_(0, 0.5), each.running_var.uniform_(0.5, 2)
    return model.eval()


def build(name):
    torch.manual_seed(3)
    return drawn({"Images": Images, "Words": Words, "Volumes": Volumes, "Nets": Nets, "Shared": Shared, "Rows": Rows,
                  "Sounds": Sounds, "Tables": Tables}[name]())
