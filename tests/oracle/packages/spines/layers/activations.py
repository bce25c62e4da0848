# SPDX-License-Identifier: GPL-3.0-or-later
# Activations by name: functions, the modules made of them, and frugal ones that work out their slope anew.
from typing import Callable, Dict, Optional, Type, Union

import torch
from torch import nn
from torch.nn import functional as F

from .. import config


def tanh_gate(x: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    return x.mul_(x.tanh()) if inplace else x * x.tanh()


def soft_step(x: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    inner = x.add(2.0).clamp_(0.0, 4.0).div_(4.0)
    return x.mul_(inner) if inplace else x.mul(inner)


def bump(x: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    return torch.exp(-x.square())


class _FrugalGate(torch.autograd.Function):
    @staticmethod
    def symbolic(g, x):
        return g.op("Mul", x, g.op("Tanh", x))

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.mul(torch.tanh(x))

    @staticmethod
    def backward(ctx, grad):
        x = ctx.saved_tensors[0]
        t = torch.tanh(x)
        return grad * (t + x * (1 - t * t))


class Act(nn.Module):
    """Base of the made classes: each has its function beside it."""

    function: Callable = staticmethod(F.relu)

    def __init__(self, inplace: bool = False):
        super().__init__()
        self.inplace = inplace

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return type(self).function(x, inplace=self.inplace)

    def extra_repr(self) -> str:
        return "inplace=True" if self.inplace else ""


class FrugalGate(nn.Module):
    def __init__(self, inplace: bool = False):
        super(FrugalGate, self).__init__()

    def forward(self, x):
        return _FrugalGate.apply(x)


_FUNCTIONS: Dict[str, Callable] = dict(relu=F.relu, silu=F.silu, tanh_gate=tanh_gate, soft_step=soft_step, bump=bump)
_FUNCTIONS["swish"] = _FUNCTIONS["silu"]


def _title(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


_MODULES: Dict[str, Type[nn.Module]] = {
    name: type(_title(name), (Act,), {"function": staticmethod(fn), "__doc__": fn.__doc__, "__module__": __name__})
    for name, fn in _FUNCTIONS.items() if fn.__module__ == __name__
}
_MODULES.update(relu=nn.ReLU, silu=nn.SiLU, swish=nn.SiLU, gelu=nn.GELU, sigmoid=nn.Sigmoid)
GateAct = _MODULES["tanh_gate"]
_FRUGAL = {"tanh_gate": FrugalGate}
for _table in (_MODULES, _FUNCTIONS):
    _table.setdefault("identity", nn.Identity)


def act_kind(name: Union[str, Type[nn.Module], Callable, None] = "relu") -> Optional[Callable[..., nn.Module]]:
    if name is None:
        return None
    if not isinstance(name, str):
        return name
    if not name:
        return None
    name = name.lower()
    if config.frugal() and not (config.is_scripting() or torch.jit.is_scripting()):
        if name in _FRUGAL:
            return _FRUGAL[name]
    return _MODULES[name]


def make_act(name="relu", inplace: Optional[bool] = None, **kwargs) -> Optional[nn.Module]:
    kind = act_kind(name)
    if kind is None:
        return None
    if inplace is not None:
        try:
            return kind(inplace=inplace, **kwargs)
        except TypeError:
            pass
    return kind(**kwargs)
