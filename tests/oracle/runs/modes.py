# SPDX-License-Identifier: GPL-3.0-or-later
"""Regions of autograd and autocast, and the grad mode of the whole run."""

import torch
import torch.fx
from torch import nn


class Regions(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        with torch.no_grad():
            a = self.one(x)
        b = self.two(a)
        with torch.enable_grad():
            c = self.one(x) * 2
        with torch.set_grad_enabled(False):
            d = c + 1
        return a, b, c, d, self.two.weight


class Autocast(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        with torch.autocast("cpu", torch.bfloat16):
            a = self.one(x)
            with torch.autocast("cpu", enabled=False):
                b = self.one(x)
            c = self.one(a) @ x
        with torch.autocast("cpu", torch.float16):
            d = self.two(x)
        return a, b, c, d, self.two(x)


def recorded_regions():
    """What torch.fx itself records of such calls, without the operators that take graphs."""
    graph = torch.fx.Graph()
    x, w = graph.placeholder("x"), graph.get_attr("w")
    graph.call_function(torch._C._set_grad_enabled, (False,))
    a = graph.call_function(torch.mul, (w, x))
    graph.call_function(torch._C._set_grad_enabled, (True,))
    b = graph.call_function(torch.mul, (w, x))
    cast = graph.call_function(torch.amp.autocast_mode._enter_autocast, ("cpu", torch.bfloat16, True, True))
    c = graph.call_function(torch.matmul, (w, x))
    graph.call_function(torch.amp.autocast_mode._exit_autocast, (cast,))
    d = graph.call_function(torch.matmul, (w, x))
    mode = graph.call_function(torch.autograd.grad_mode._enter_inference_mode, (True,))
    e = graph.call_function(torch.mul, (w, x))
    graph.call_function(torch.autograd.grad_mode._exit_inference_mode, (mode,))
    f = graph.call_function(torch.mul, (w, x))
    graph.output((a, b, c, d, e, f))
    root = nn.Module()
    root.w = nn.Parameter(torch.randn(4, 4))
    return torch.fx.GraphModule(root, graph)


def left_open():
    """The last region is never left."""
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    graph.call_function(torch.amp.autocast_mode._enter_autocast, ("cpu", torch.bfloat16, True, None))
    graph.call_function(torch._C._set_grad_enabled, (False,))
    graph.output(graph.call_function(torch.matmul, (x, x)))
    return torch.fx.GraphModule(nn.Module(), graph)


class Trained(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Tanh(), nn.Linear(8, 2))
        self.frozen = nn.Parameter(torch.ones(2), requires_grad=False)

    def forward(self, x):
        y = self.layers(x)
        return y, y.detach(), self.frozen, x, x * self.frozen[0]


def lazy_bits(z, x):
    """What tells of a tensor that its numbers are read through a conjugation or a negation."""
    neg = z.conj().imag
    return (z.is_conj(), z.conj().is_conj(), torch.is_conj(z.H), z.conj().resolve_conj().is_conj(), neg.is_neg(), torch.is_neg(neg),
            torch.sparse.mm(x.to_sparse(), x.t()), torch.sparse.softmax(x.to_sparse(), 1).to_dense(), neg + 1)


def cases():
    yield "lazy_bits", lazy_bits, [torch.randn(2, 2, dtype=torch.complex64), torch.randn(2, 3)], {}
    for grad in ("inference", "no_grad", "grad"):
        x = torch.randn(4, 4)
        yield f"regions_{grad}", Regions(), [x], {"grad": grad, "export": True}
        yield f"strict_regions_{grad}", Regions(), [x], {"grad": grad, "export": True, "strict": True}
        yield f"autocast_{grad}", Autocast(), [x], {"grad": grad, "export": True}
        yield f"recorded_{grad}", recorded_regions(), [x], {"grad": grad, "graph": True}
        yield f"trained_{grad}", Trained(), [x], {"grad": grad, "train": True}
    yield "left_open", left_open(), [torch.randn(4, 4)], {"graph": True}
    yield "after_left_open", left_open(), [torch.randn(4, 4)], {"graph": True, "grad": "grad"}
