# SPDX-License-Identifier: GPL-3.0-or-later
# Modes that hold while a source is traced: what is known is computed in them, and branches ask for them.
# case: {"expr": "grad_branch", "inputs": "torch.rand(2)"}
# case: {"expr": "decorated", "inputs": "torch.rand(2)"}
# case: {"expr": "nested", "inputs": "torch.rand(2)"}
# case: {"expr": "Cast()", "inputs": "torch.rand(2, 2)"}
# case: {"expr": "Mapped()", "fails": "error"}
# case: {"expr": "WithLeaf()", "leaf": ["Inner"], "inputs": "torch.rand(2, 2)"}
# case: {"expr": "wrapped", "inputs": "torch.rand(2, 2)"}
import torch
import torch.fx
from torch import nn


@torch.fx.wrap
def halved(x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = x @ x
        with torch.autocast("cpu", enabled=False):
            z = x @ x
    return y, z, torch.is_autocast_enabled("cpu")


@torch.fx.wrap
def drawn(x):
    return x + torch.rand(2, generator=torch.Generator().manual_seed(4)), torch.vmap(torch.sum)(x)


def grad_branch(x):
    return x + 1 if torch.is_grad_enabled() else x - 1


@torch.no_grad()
def decorated(x):
    return x + 1 if torch.is_grad_enabled() else x - 1


def nested(x):
    with torch.inference_mode():
        x = x * 2 if torch.is_inference_mode_enabled() else x
        with torch.enable_grad():
            x = x + 3 if torch.is_grad_enabled() else x
    with torch.autocast("cpu", dtype=torch.float16):
        if torch.is_autocast_enabled("cpu") and torch.get_autocast_dtype("cpu") is torch.float16:
            x = x - 4
    return x * 5 if torch.is_autocast_enabled("cpu") else x


class Cast(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("one", torch.eye(2))

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            known = self.one @ torch.ones(2, 2)
        with torch.no_grad():
            more = torch.softmax(self.one, 0) + 1
        return x + known, known.dtype is torch.bfloat16, more


class Mapped(nn.Module):
    def forward(self, x):
        return torch.vmap(lambda v: v * 2)(x)


def wrapped(x):
    return halved(x), drawn(x)


class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(2, 2)
        self.generator = torch.Generator().manual_seed(8)

    @torch.inference_mode()
    def frozen(self, x):
        return self.lin(x), torch.is_inference_mode_enabled()

    @torch.autocast("cpu")
    def cast(self, x):
        return self.lin(x)

    def forward(self, x):
        mapped = torch.vmap(lambda row: row.softmax(0) * row.sum())(x)
        with torch.enable_grad():
            asked = torch.is_grad_enabled()
        return self.frozen(x), self.cast(x), mapped, asked, x.untyped_storage().nbytes()


class WithLeaf(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, x):
        return self.inner(x * 2)
