# SPDX-License-Identifier: GPL-3.0-or-later
# Models of which a backend takes some calls and not others: what is refused, by table, of each.
import torch
import torch.fx
import torch.nn as nn


@torch.fx.wrap
def turned(x):
    """Data decides, so that it has no form in TorchScript here, and torch.export refuses it."""
    return x if x.sum() > 0 else -x


class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.LayerNorm(16))
        self.second = nn.Linear(16, 4)

    def forward(self, x):
        x = turned(self.first(x))
        y = turned(self.second(x))
        return torch.softmax(y, -1) + y.mean(), x


class Images(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, padding=1)
        self.norm = nn.BatchNorm2d(4)

    def forward(self, x):
        x = nn.functional.max_pool2d(torch.relu(self.norm(self.conv(x))), 2)
        return x.flatten(1), x.masked_select(x > 0).sum(), nn.functional.interpolate(x, scale_factor=2.0)


class Waves(nn.Module):
    def forward(self, x):
        spectrum = torch.fft.fft(torch.sin(x) * 2)
        return spectrum.abs().add_(1).log_() + torch.cumsum(torch.polar(x.abs(), x).abs(), -1)


class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.norm, self.fc2 = nn.Linear(8, 64), nn.LayerNorm(64), nn.Linear(64, 8)

    def forward(self, x):
        return torch.relu(self.fc2(self.norm(nn.functional.gelu(self.fc1(x)))))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.qkv, self.out = nn.LayerNorm(16), nn.Linear(16, 48), nn.Linear(16, 16)

    def forward(self, x):
        qkv = self.qkv(self.norm(x)).reshape(-1, 5, 3, 4, 4).permute(2, 0, 3, 1, 4)
        mixed = torch.softmax(qkv[0] @ qkv[1].transpose(-2, -1) / 2, -1) @ qkv[2]
        return x + self.out(mixed.transpose(1, 2).reshape(-1, 5, 16))


MODELS = {"Branches": (Branches, lambda: torch.randn(2, 8)), "Images": (Images, lambda: torch.randn(2, 3, 8, 8)),
          "Waves": (Waves, lambda: torch.randn(2, 6)), "Layers": (Layers, lambda: torch.randn(2, 8)),
          "Attention": (Attention, lambda: torch.randn(2, 5, 16))}
REFUSED = {("torchscript", "Branches"): {"turned", "turned_1"}, ("aotinductor", "Branches"): {"turned", "turned_1"},
           ("torchscript", "Images"): set(), ("aotinductor", "Images"): {"masked_select"},
           ("torchscript", "Waves"): set(), ("aotinductor", "Waves"): {"polar"},
           ("torchscript", "Layers"): set(), ("aotinductor", "Layers"): set(),
           ("torchscript", "Attention"): set(), ("aotinductor", "Attention"): set()}


def build(name):
    torch.manual_seed(0)
    return MODELS[name][0]().eval()
