# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators of a library that is loaded: as overloads and as packets, in place, with several results."""

import torch
import torch.fx
from torch import nn


def calls():
    ops = torch.ops.fxtest
    graph = torch.fx.Graph()
    x, y = graph.placeholder("x"), graph.placeholder("y")
    made = [graph.call_function(function, args, kwargs) for function, args, kwargs in (
        (ops.scaled, (x,), {}), (ops.scaled, (x, 3), {}), (ops.scaled, (x,), {"factor": 0.5}), (ops.scaled, (x, y), {}),
        (ops.scaled.default, (x, 4.0), {}), (ops.scaled.tensor, (x, y), {}), (ops.halves, (x,), {}),
        (ops.halves.default, (x,), {}), (ops.total, ([x, y],), {}), (ops.total.default, ([x, x],), {"times": 3}))]
    shifted = graph.call_function(ops.shift_, (x,))
    again = graph.call_function(ops.shift_.default, (y, 5))
    graph.output((*made, shifted, again, x))
    return torch.fx.GraphModule(nn.Module(), graph)


class Exported(nn.Module):
    def forward(self, x):
        low, high = torch.ops.fxtest.halves(torch.ops.fxtest.scaled(x))
        return torch.ops.fxtest.total([low, high])


class Written(nn.Module):
    """Operators that write into views and lists: run_decompositions() calls them on copies."""

    def forward(self, x, y):
        z, w = x.clone(), y * 2
        torch.ops.fxtest.add_into(z[0], y[0])
        torch.ops.fxtest.add_into(w[1:3], y[1:3])
        doubled = torch.ops.fxtest.add_to_all([z, w[:, 1], z[1]], y[0, 0], w[0])
        more = torch.ops.fxtest.add_to_all([w], y[0, 0])
        torch.ops.fxtest.add_into(y, w)
        return z, w, doubled, more, y + 1


class Allocated(nn.Module):
    """Operators that only write into out=: run_decompositions() allocates what they write."""

    def forward(self, x, y):
        out = torch.empty_strided((4, 2), (1, 4))
        made = torch.ops.fxtest.doubled(x, out=out)
        first, last = torch.ops.fxtest.ends(y, first=torch.empty(2), last=torch.empty(2, dtype=torch.float64))
        torch.ops.fxtest.add_to(x, x=y)
        return made + out, first, last, y * 2


def cases():
    yield "custom_allocated", Allocated(), [torch.randn(4, 2), torch.randn(4, 2)], {"export": True, "decompose": True}
    yield "custom_functionalized", Written(), [torch.randn(4, 2), torch.randn(4, 2)], {"export": True, "decompose": True}
    yield "custom_calls", calls(), [torch.randn(4, 2), torch.randn(4, 2)], {"graph": True}
    yield "custom_traced", torch.fx.symbolic_trace(Exported()), [torch.randn(4, 2)], {}
