# SPDX-License-Identifier: GPL-3.0-or-later
# torch.fx.experimental.meta_tracer: sizes are known while tracing.
# case: meta_trace_nets nothing nets
# case: meta_trace_functions nothing functions
# case: meta_trace_failures nothing failures
# case: meta_trace_again Small() again
# case: attributes_plainly nothing plainly

import warnings

import torch
import torch.fx
import torch.nn as nn
from torch.fx.experimental import meta_tracer
from torch.fx.experimental.meta_tracer import MetaProxy, MetaTracer, symbolic_trace


INPUTS = {"Small()": (torch.linspace(-1, 1, 24).reshape(2, 3, 4),)}


def nothing(x):
    return x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.norm = nn.Conv2d(3, 4, 3, stride=2), nn.BatchNorm2d(4)
        self.table, self.layer = nn.Embedding(10, 6), nn.LayerNorm(4)
        self.scale = nn.Parameter(torch.ones(4))
        self.register_buffer("shift", torch.zeros(2, 1))

    def forward(self, x):
        y = self.norm(self.conv(x))
        if y.shape[2] > 3:
            y = y.mean((2, 3))
        for i in range(y.dim()):
            y = y + i
        y = self.layer(y * self.scale) + self.shift[: y.shape[0]]
        return nn.Softmax(dim=y.dim() - 1)(y), y.size()


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(10, 6)

    def forward(self, ids, mask=None):
        y = self.table(ids)
        places = torch.arange(ids.shape[1], device=ids.device)
        if mask is None:
            mask = torch.ones(ids.shape[0], 1, dtype=y.dtype, device=ids.device)
        return torch.relu(y) * mask[..., None] + places[None, :, None].to(y.dtype)


def shown(gm, *inputs):
    print(type(gm).__name__)
    print(gm.code)
    print(gm.graph)
    print([tuple(out.shape) if isinstance(out, torch.Tensor) else out for out in (lambda out: out if isinstance(out, tuple) else (out,))(gm(*inputs))])


def nets(gm):
    made = symbolic_trace(Net().to("meta"), meta_args={"x": torch.randn(2, 3, 9, 9, device="meta")})
    shown(made, torch.ones(2, 3, 9, 9, device="meta"))
    print(list(made._modules), sorted(made.graph._tracer_extras))
    made = symbolic_trace(Table(), meta_args={"ids": torch.zeros(2, 5, dtype=torch.long, device="meta")}, concrete_args={"mask": None})
    shown(made, torch.ones(2, 5, dtype=torch.long))


def functions(gm):
    def several(x, y):
        parts = x.split(2, dim=1)
        z = torch.where(x > 0, x, torch.abs(x)) @ y.t()
        z = torch.nn.functional.relu(z).reshape(z.shape[0] * z.shape[1])
        rows = torch.eye(x.shape[0], device=x.device).to(x.dtype)
        return torch.cat([z, parts[0].flatten(), torch.zeros(x.size(1))]), rows + torch.full_like(rows, 2.0), x.dtype

    meta = {"x": torch.randn(3, 4, device="meta"), "y": torch.randn(5, 4, device="meta")}
    shown(symbolic_trace(several, meta_args=meta), torch.randn(3, 4), torch.randn(5, 4))
    shown(symbolic_trace(lambda x, n: torch.arange(n) + x.sum(), meta_args={"x": meta["x"]}), torch.ones(2), 3)

    class Telling(MetaTracer):
        def create_proxy(self, kind, *args, **kwargs):
            made = super().create_proxy(kind, *args, **kwargs)
            if isinstance(made, MetaProxy) and hasattr(made, "_tensor_meta"):
                value = made._tensor_meta
                print(kind, made.node.name, tuple(value.shape) if isinstance(value, torch.Tensor) else type(value).__name__)
            return made

    tracer = Telling()
    graph = tracer.trace(lambda x, y: (x + y[0]).t().contiguous().chunk(2), meta)
    print(graph, type(tracer.root).__name__)
    print([target.__name__ for target in meta_tracer.manual_meta_overrides], sorted(MetaTracer._TORCH_METHODS_TO_PATCH))


def failures(gm):
    def unknown(x, y):
        return (x + y).relu()

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        shown(symbolic_trace(unknown, meta_args={"x": torch.ones(2, device="meta")}), torch.ones(2), torch.ones(2))
    print([str(one.message)[:80] for one in told])
    for given in (None, [1]):
        try:
            symbolic_trace(unknown, meta_args=given)
        except AssertionError as error:
            print(error)
    try:
        symbolic_trace(lambda x: x if x.sum() > 0 else -x, meta_args={"x": torch.ones(2, device="meta")})
    except Exception as error:
        print(type(error).__name__)

    class Keeps(nn.Module):
        def forward(self, x):
            return nn.Linear(2, 2)(x)

    try:
        symbolic_trace(Keeps(), meta_args={"x": torch.ones(2, device="meta")})
    except NameError as error:
        print(error)
    print(torch.arange(3), torch.zeros.__name__)


class Small(nn.Module):
    def forward(self, x):
        return x.reshape(x.size(1), -1).relu(), torch.flatten(x, 1)


def again(gm):
    return symbolic_trace(gm, meta_args={"x": torch.randn(2, 3, 4, device="meta")})


class Asked:
    def __getattr__(self, name):
        if name.startswith("plain"):
            return self.__getattribute__(name)
        return name


class Watched(nn.Linear):
    def __getattribute__(self, name):
        if name == "hidden":
            raise AttributeError(name)
        return super().__getattribute__(name)

    @property
    def lacking(self):
        return self.nothing_of_the_kind


def plainly(gm):
    one, layer = Asked(), Watched(2, 2)
    print(one.any, hasattr(one, "plain"), hasattr(layer, "hidden"), layer.weight.shape, hasattr(layer, "lacking"))
    for ask in (lambda: object.__getattribute__(layer, "weight"), lambda: one.plainly, lambda: layer.none):
        try:
            print(ask())
        except AttributeError as error:
            print(error)
