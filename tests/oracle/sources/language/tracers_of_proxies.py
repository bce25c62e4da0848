# SPDX-License-Identifier: GPL-3.0-or-later
# Tracers that the source defines, with a say in what becomes a node, what a proxy is worth and how it is iterated.
# case: {"expr": "branches", "inputs": "torch.randn(2, 4)", "tracer_class": "TakesBranches"}
# case: {"expr": "branches", "tracer_class": "AsksBase", "fails": "error"}
# case: {"expr": "loops", "inputs": "torch.randn(3, 4)", "tracer_class": "Iterates"}
# case: {"expr": "spreads", "tracer_class": "Keys"}
# case: {"expr": "spreads", "tracer_class": "BaseKeys", "fails": "error"}
# case: {"expr": "Net()", "inputs": "torch.randn(2, 4)", "tracer_class": "Renames"}
# case: {"expr": "Net()", "inputs": "torch.randn(2, 4)", "tracer_class": "Replaces"}
# case: {"expr": "Net()", "inputs": "torch.randn(2, 4)", "tracer_class": "Counts"}
# case: {"expr": "Net()", "inputs": "torch.randn(2, 4)", "tracer_class": "Adds"}
# case: {"expr": "folds", "inputs": "torch.randn(2, 4)", "tracer_class": "Folds"}
# case: {"expr": "branches", "tracer_class": "Odd", "fails": "error"}
import operator

import torch
import torch.nn.functional as F
from torch import fx, nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.scale = nn.Parameter(torch.full((4,), 0.5))

    def forward(self, x, by: float = 2.0):
        y = torch.relu(self.fc(x)) * self.scale
        y = F.gelu(y + by, approximate="tanh").sum(dim=-1, keepdim=True)
        return torch.cat([y, x.abs()], dim=1)[:, 1:]


def branches(x):
    if x.sum() > 0:
        x = x + 1
    while x.mean() > 100:
        x = x - 1
    return x if x.min() else -x


def loops(x):
    out = [torch.sin(row) for row in x]
    first, second, third = x
    return torch.stack(out) + first - second * third


def spreads(x):
    return torch.cat([x[key] for key in x.keys()])


def folds(x):
    return x * (x.shape[1] // 2) + operator.add(x, 1)


class TakesBranches(fx.Tracer):
    """The first branch is taken, the second not, and so on."""

    def __init__(self):
        super().__init__()
        self.asked = 0

    def to_bool(self, obj):
        self.asked += 1
        return self.asked % 2 == 1


class AsksBase(fx.Tracer):
    def to_bool(self, obj: fx.Proxy) -> bool:
        return super().to_bool(obj)


class Iterates(fx.Tracer):
    def iter(self, obj):
        return iter([obj[i] for i in range(3)])


class Keys(fx.Tracer):
    def keys(self, obj):
        return ["a", "b"]


class BaseKeys(fx.Tracer):
    def keys(self, obj):
        return super().keys(obj)


class Renames(fx.Tracer):
    def create_proxy(self, kind, target, args, kwargs, name=None, type_expr=None, proxy_factory_fn=None):
        if kind == "call_function":
            name = f"called_{target.__name__}"
        return super().create_proxy(kind, target, args, kwargs, name, type_expr, proxy_factory_fn)


class Replaces(fx.Tracer):
    def create_proxy(self, kind, target, args, kwargs, *rest, **named):
        if target is torch.relu:
            return super().create_proxy("call_function", torch.clamp, args, {"min": 0.0}, *rest, **named)
        if kind == "call_method" and target == "sum":
            kwargs = {**kwargs, "keepdim": False}
            return super().create_proxy(kind, "mean", args, kwargs, *rest, **named).unsqueeze(-1)
        if target == operator.mul:
            target = operator.truediv
        return super().create_proxy(kind, target, args, kwargs, *rest, **named)


class Counts(fx.Tracer):
    """Calls what it records by itself as well."""

    def create_proxy(self, kind, target, args, kwargs, name=None, type_expr=None, proxy_factory_fn=None):
        out = super().create_proxy(kind, target, args, kwargs, name, type_expr, proxy_factory_fn)
        return out + 1 if kind == "call_module" else out


class Adds(fx.Tracer):
    def call_module(self, m, forward, args, kwargs):
        given = self.create_proxy("call_function", torch.neg, args, {}, name="negated")
        return super().call_module(m, forward, (given,), kwargs)


class Folds(fx.Tracer):
    def create_proxy(self, kind, target, args, kwargs, name=None, type_expr=None, proxy_factory_fn=None):
        if target is operator.floordiv:
            return 2
        if kind == "call_function" and target is operator.add:
            return args[0] - -args[1]
        return super().create_proxy(kind, target, args, kwargs, name, type_expr, proxy_factory_fn)


class Odd(fx.Tracer):
    def create_proxy(self, kind, target, args, kwargs, name=None, type_expr=None, proxy_factory_fn=None):
        if kind == "call_method":
            raise LookupError(f"no {target} today")
        return super().create_proxy(kind, target, args, kwargs, name, type_expr, proxy_factory_fn)
