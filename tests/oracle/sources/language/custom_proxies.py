# SPDX-License-Identifier: GPL-3.0-or-later
# Tracers whose proxies are of a class that the source defines: what it overrides, adds and inherits.
# case: {"expr": "Net()", "inputs": "torch.randn(2, 4)", "tracer_class": "Plain"}
# case: {"expr": "Net()", "inputs": "torch.randn(2, 4)", "tracer_class": "Operators"}
# case: {"expr": "Net()", "inputs": "torch.randn(2, 4)", "tracer_class": "Functions"}
# case: {"expr": "reads", "inputs": "torch.randn(2, 4)", "tracer_class": "Attributes"}
# case: {"expr": "branches", "inputs": "torch.randn(2, 4)", "tracer_class": "Valued"}
# case: {"expr": "counts", "inputs": "torch.randn(3, 4)", "tracer_class": "Sized"}
# case: {"expr": "named", "inputs": "torch.randn(3, 4)", "tracer_class": "Named"}
# case: {"expr": "named", "inputs": "torch.randn(3, 4)", "tracer_class": "Plain", "fails": "run_error"}
# case: {"expr": "items", "inputs": "torch.randn(3, 4)", "tracer_class": "Items"}
# case: {"expr": "branches", "tracer_class": "Plain", "fails": "error"}
# case: {"expr": "factory", "inputs": "torch.randn(3, 4)", "tracer_class": "Factory"}
# case: {"expr": "asks_type", "inputs": "torch.randn(3, 4)", "tracer_class": "Plain"}
# case: {"expr": "lazy", "inputs": "torch.randn(3, 4)", "tracer_class": "Lazy"}
# case: {"expr": "mixes", "inputs": "torch.randn(3, 4)", "tracer_class": "Operators"}
# case: {"expr": "mixes", "inputs": "torch.randn(3, 4)", "tracer_class": "Functions"}
# case: {"expr": "mixes", "inputs": "torch.randn(3, 4)", "tracer_class": "Unary"}
# case: {"expr": "by_class", "inputs": "torch.randn(3, 4)", "tracer_class": "Plain"}
# case: {"expr": "branches", "tracer_class": "NoNode", "fails": "error", "ours": "TypeError: NoNodeProxy has no node: its __init__ does not call Proxy.__init__"}
# case: {"expr": "spelled", "inputs": "torch.randn(3, 4)", "tracer_class": "Plain"}
# case: {"expr": "spelled", "inputs": "torch.randn(3, 4)"}
# case: {"expr": "without_proxies", "inputs": "torch.randn(3, 4)"}
import operator

import torch
import torch.nn.functional as F
from torch import fx, nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.scale = nn.Parameter(torch.full((4,), 0.5))

    def forward(self, x):
        y = torch.relu(self.fc(x)) * self.scale
        y = 2 + y - (1 - x)
        z = F.gelu(y).sum(dim=-1, keepdim=True)
        return torch.cat([z, y.abs()], dim=1)[:, 1:], y.shape[0], x @ y.t() + 1


def reads(x):
    return x.width + x.relu().T.sum(0).shape[0] + x.doubled, x.untouched(1).size(0)


def branches(x):
    if x.sum() > 0:
        return x + 1
    return x - 1


def counts(x):
    total = 0
    for i, row in enumerate(x):
        total = total + row * i
    return total * len(x)


def named(x):
    return x.twice().twice(by=3) + torch.ones(4)


def items(x):
    first, *rest = x
    return first + x["last"] + x[0], [item * 2 for item in rest]


def factory(x):
    return torch.add(x, 1) * x.mean()


def asks_type(x):
    if isinstance(x, PlainProxy) and type(x) is PlainProxy and issubclass(type(x), fx.Proxy):
        return x + type(x).number
    return x


class PlainProxy(fx.Proxy):
    number = 3


class Plain(fx.Tracer):
    def proxy(self, node):
        return PlainProxy(node, self)


class OperatorProxy(fx.Proxy):
    def __mul__(self, other):
        return super().__mul__(other) + 1

    def __radd__(self, other):
        return self.tracer.create_proxy("call_function", torch.add, (self, other), {"alpha": 2})

    def __getitem__(self, index):
        return super().__getitem__(index) - 1


class Operators(fx.Tracer):
    def proxy(self, node):
        return OperatorProxy(node, self)


class FunctionProxy(fx.Proxy):
    @classmethod
    def __torch_function__(cls, orig_method, types, args=None, kwargs=None):
        if orig_method is torch.relu:
            orig_method = torch.tanh
        if orig_method is F.gelu:
            return args[0].neg()
        return super().__torch_function__(orig_method, types, args, kwargs)


class Functions(fx.Tracer):
    def proxy(self, node: fx.Node) -> fx.Proxy:
        return FunctionProxy(node, self)


class AttributeProxy(fx.Proxy):
    def __init__(self, node, tracer):
        super().__init__(node, tracer)
        self.width = 4

    @property
    def doubled(self):
        return self * 2

    def __getattr__(self, name):
        if name == "T":
            return self.transpose(0, 1)
        return super().__getattr__(name)

    def untouched(self, by):
        return fx.Proxy(self.node, self.tracer) + by


class Attributes(fx.Tracer):
    def proxy(self, node):
        return AttributeProxy(node, self)


class ValuedProxy(fx.Proxy):
    def __bool__(self):
        return True


class Valued(fx.Tracer):
    def proxy(self, node):
        return ValuedProxy(node, self)


class SizedProxy(fx.Proxy):
    def __len__(self):
        return 3

    def __iter__(self):
        return iter([self[i] for i in range(len(self))])


class Sized(fx.Tracer):
    def proxy(self, node):
        return SizedProxy(node, self)


class NamedProxy(fx.Proxy):
    def __init__(self, node, tracer=None, label="made"):
        super().__init__(node, tracer)
        self.label = label

    def __repr__(self):
        return f"{self.label}:{self.node.name}"

    def twice(self, by=2):
        out = self * by
        out.node.meta["said"] = repr(self)
        return out


class Named(fx.Tracer):
    def proxy(self, node):
        return NamedProxy(node, self, label=node.op)


class ItemsProxy(fx.Proxy):
    def __iter__(self):
        for i in range(3):
            yield self[i]

    def __getitem__(self, key):
        if key == "last":
            key = -1
        return super().__getitem__(key)


class Items(fx.Tracer):
    def proxy(self, node):
        return ItemsProxy(node, self)


class Factory(fx.Tracer):
    def create_proxy(self, kind, target, args, kwargs, name=None, type_expr=None, proxy_factory_fn=None):
        if target is torch.add:
            return super().create_proxy(kind, target, args, kwargs, name, type_expr, lambda node: NamedProxy(node, self, "added"))
        if kind == "call_method" and target == "mean":
            return super().create_proxy(kind, target, args, kwargs, name="middle")
        return super().create_proxy(kind, target, args, kwargs, name, type_expr, proxy_factory_fn)


class LazyProxy(fx.Proxy):
    """An attribute is read where it is needed, and a shape is known ahead."""

    def __getattr__(self, name):
        if name == "hint":
            raise AttributeError(name)
        return LazyAttribute(self, name)

    def __setitem__(self, index, value):
        return self.tracer.create_proxy("call_function", operator.setitem, (self, index, value), {})

    def __contains__(self, item):
        return item == "width"


class LazyAttribute(LazyProxy):
    def __init__(self, root, name: str):
        self.root = root
        self.name = name
        self.tracer = root.tracer
        self._node = None

    @property
    def node(self):
        if self._node is None:
            self._node = self.tracer.create_proxy("call_function", getattr, (self.root, self.name), {}).node
        return self._node

    def __call__(self, *args, **kwargs):
        return self.tracer.create_proxy("call_method", self.name, (self.root,) + args, kwargs)


class Lazy(fx.Tracer):
    def proxy(self, node):
        return LazyProxy(node, self)


def lazy(x):
    size = x.shape
    if getattr(x, "hint", None) is None and "width" in x:
        x = x.relu()
    x[0] = 1.0
    return x.reshape(size[1], -1) + torch.neg(x).sum() * x.mT.size(0)


def mixes(x):
    ones = torch.ones(4)
    return ones + x, ones.add(x), torch.add(ones, other=x), torch.stack([ones, x[0]]), -x, abs(x), +x, ~(x > 0), 2 ** x


class UnaryProxy(fx.Proxy):
    def __neg__(self):
        return self * -1

    def __abs__(self):
        return super().__abs__() + 1

    def __invert__(self):
        return self == False

    def __gt__(self, other):
        return fx.Proxy.__gt__(self, other + 1)


class Unary(fx.Tracer):
    def proxy(self, node):
        return UnaryProxy(node, self)


def by_class(x):
    y = PlainProxy.__add__(x, 1)
    z = fx.Proxy.__rsub__(y, 2)
    return z.__mul__(3), fx.Proxy.__getattr__(z, "shape")[0], hasattr(z, "anything"), hasattr(PlainProxy, "__len__")


class NoNodeProxy(fx.Proxy):
    def __init__(self, node, tracer):
        self.kept = node


class NoNode(fx.Tracer):
    def proxy(self, node):
        return NoNodeProxy(node, self)


def spelled(x):
    keys = [hasattr(x, "__iter__"), hasattr(x, "__len__"), callable(x)]
    return x.__add__(1).__rpow__(2).__getitem__(0), x.__abs__(), keys, x.__radd__(x)


def without_proxies(x):
    refused = 0
    calls = (lambda: fx.Proxy.__add__(3, 4), lambda: fx.Proxy.__getattr__(3, "a"), lambda: fx.Proxy.__call__(),
             lambda: fx.Proxy.__init__(), lambda: fx.Proxy.__bool__(None), lambda: fx.Proxy.__getitem__([1], 0))
    for call in calls:
        try:
            call()
        except (AttributeError, TypeError):
            refused += 1
    return x + refused
