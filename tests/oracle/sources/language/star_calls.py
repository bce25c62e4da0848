# SPDX-License-Identifier: GPL-3.0-or-later
# Positional and keyword packs passed through layers of functions and modules.
# case: {"expr": "Net()", "inputs": "torch.randn(2, 3)"}

from torch import nn
import torch.nn.functional as F


class Residual(nn.Module):
    def __init__(self, fn, *args, **kwargs):
        super().__init__()
        self.fn = fn(*args, **kwargs)

    def forward(self, x, *args, **kwargs):
        return self.fn(x, *args, **kwargs) + x


class Gated(nn.Module):
    def __init__(self, n, *, bias=True, act="sigmoid"):
        super().__init__()
        self.fc = nn.Linear(n, n, bias)
        self.act = act

    def forward(self, x, gate=None, **kw):
        y = self.fc(x)
        if gate is not None:
            y = y * getattr(F, self.act)(gate)
        return y.clamp(**kw) if kw else y


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        options = {"bias": False}
        self.blocks = nn.ModuleList([Residual(Gated, 3, **options), Residual(Gated, *(3,), act="tanh")])

    def forward(self, x):
        args = [x * 2]
        x = self.blocks[0](x, *args, **{"min": -1.0})
        x = self.blocks[1](x, gate=x, min=0, max=6)
        conv = dict(kernel_size=2, stride=1)
        return F.avg_pool1d(x, **conv), F.max_pool1d(x, *(2,), **{"stride": 1})
