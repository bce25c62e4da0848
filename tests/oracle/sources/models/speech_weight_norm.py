# SPDX-License-Identifier: GPL-3.0-or-later
# A Conformer block, and WaveNet with the old and the new weight norm, also removed again.
# case: {"expr": "Conformer()", "inputs": "torch.randn(1, 12, 16)"}
# case: {"expr": "WaveNet(layers=3)", "inputs": "torch.randn(1, 1, 32)"}
# case: {"expr": "WaveNet(layers=2).remove_weight_norm()", "inputs": "torch.randn(1, 1, 32)"}
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils import weight_norm, remove_weight_norm
from torch.nn.utils.parametrizations import weight_norm as new_weight_norm
from torch.nn.utils import parametrize


class GLU(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, x):
        a, b = x.chunk(2, dim=self.dim)
        return a * b.sigmoid()


class ConvModule(nn.Module):
    def __init__(self, d, kernel=3):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.pw1, self.glu = nn.Conv1d(d, 2 * d, 1), GLU(1)
        self.dw = nn.Conv1d(d, d, kernel, groups=d, padding=(kernel - 1) // 2)
        self.bn, self.act, self.pw2 = nn.BatchNorm1d(d), nn.SiLU(), nn.Conv1d(d, d, 1)

    def forward(self, x):
        x = self.norm(x).transpose(1, 2)
        x = self.dw(self.glu(self.pw1(x)))
        return self.pw2(self.act(self.bn(x))).transpose(1, 2)


class RelAttention(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h, self.dk = h, d // h
        self.q, self.k, self.v, self.o = [nn.Linear(d, d) for _ in range(4)]
        self.u = nn.Parameter(torch.zeros(h, self.dk))
        self.rel = nn.Embedding(2 * 12 - 1, self.dk)
        idx = torch.arange(12)
        self.register_buffer("dist", idx[:, None] - idx[None, :] + 11, persistent=False)

    def forward(self, x):
        b, t, d = x.shape
        split = lambda m: m(x).view(b, t, self.h, self.dk).transpose(1, 2)
        q, k, v = map(split, (self.q, self.k, self.v))
        content = (q + self.u[None, :, None]) @ k.mT
        position = torch.einsum("bhid,ijd->bhij", q, self.rel(self.dist))
        w = ((content + position) / self.dk ** 0.5).softmax(-1)
        return self.o((w @ v).transpose(1, 2).flatten(-2))


class Conformer(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        ff = lambda: nn.Sequential(nn.LayerNorm(d), nn.Linear(d, 4 * d), nn.SiLU(), nn.Linear(4 * d, d))
        self.ff1, self.attn, self.conv, self.ff2 = ff(), RelAttention(d, 4), ConvModule(d), ff()
        self.norm = nn.LayerNorm(d)

    def forward(self, x):
        x = x + 0.5 * self.ff1(x)
        x = x + self.attn(x)
        x = x + self.conv(x)
        x = torch.add(x, self.ff2(x), alpha=0.5)
        return self.norm(x)


class WaveNet(nn.Module):
    def __init__(self, c=4, layers=3, kernel=2):
        super().__init__()
        self.inp = weight_norm(nn.Conv1d(1, c, 1))
        self.convs = nn.ModuleList()
        self.res = nn.ModuleList()
        for i in range(layers):
            self.convs.append(new_weight_norm(nn.Conv1d(c, 2 * c, kernel, dilation=2 ** i)))
            self.res.append(new_weight_norm(nn.Conv1d(c, c + (c if i < layers - 1 else 0), 1), name="weight", dim=0))
        self.c, self.kernel = c, kernel

    def remove_weight_norm(self):
        remove_weight_norm(self.inp)
        for m in [*self.convs, *self.res]:
            parametrize.remove_parametrizations(m, "weight")
        return self

    def forward(self, x, g=None):
        x = self.inp(x)
        output = torch.zeros_like(x)
        n = len(self.convs)
        for i, (conv, res) in enumerate(zip(self.convs, self.res)):
            d = conv.dilation[0]
            h = conv(F.pad(x, (d * (self.kernel - 1), 0)))
            a, b = h[:, : self.c], h[:, self.c :]
            acts = torch.tanh(a) * torch.sigmoid(b)
            rs = res(acts)
            if i < n - 1:
                x = (x + rs[:, : self.c, :]) * 0.5 ** 0.5
                output = output + rs[:, self.c :, :]
            else:
                output = output + rs
        return output
