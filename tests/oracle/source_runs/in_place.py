# SPDX-License-Identifier: GPL-3.0-or-later
# Buffers and attributes that a forward replaces, in-place operators that tensors have none for, and tensors that a program
# has put into its graph.
import operator

import torch
from torch import nn


class Stateful(nn.Module):
    def __init__(self, step):
        super().__init__()
        self.register_buffer("n", torch.ones(2))
        self.inner = nn.Module()
        self.inner.register_buffer("n", torch.ones(2) * 3)
        self.plain = torch.ones(2) * 5
        self.step = step

    def forward(self, x):
        return self.step(self, x)


def added(m, x):
    m.n += x
    return x, m.n


def multiplied(m, x):
    m.n *= x
    m.n -= 1
    return m.n * 2


def replaced(m, x):
    m.n = m.n + x
    return m.n * x


def below(m, x):
    m.inner.n += x
    return m.inner.n + m.n


def attribute(m, x):
    m.plain += x
    return m.plain * 2


def unread(m, x):
    m.n += x
    m.inner.n /= 2
    return x


def item(m, x):
    m.n[0] += x[1]
    return m.n + 0


def graph(function, *more):
    g = torch.fx.Graph()
    x = g.placeholder("x")
    y = g.call_function(function, (x, *more) if more else (x, x))
    g.output((x, y))
    return torch.fx.GraphModule(nn.Module(), g)


def imatmul():
    g = torch.fx.Graph()
    x = g.placeholder("x")
    m = g.call_function(torch.outer, (x, x))
    y = g.call_function(operator.imatmul, (m, m))
    z = g.call_function(operator.imatmul, (m, y))
    g.output((m, y, z))
    return torch.fx.GraphModule(nn.Module(), g)


def imatmul_rows():
    g = torch.fx.Graph()
    x = g.placeholder("x")
    m = g.call_function(torch.outer, (x, x))
    y = g.call_function(operator.imatmul, (m, x))
    g.output((m, y, g.call_function(operator.imatmul, (x, m)), x))
    return torch.fx.GraphModule(nn.Module(), g)


def imatmul_written():
    """A buffer is bound anew, as Tensor has no __imatmul__."""

    def step(m, x):
        m.n @= torch.outer(x, x)
        return m.n, m.n @ x

    return Stateful(step)


def in_place(name, *more):
    g = torch.fx.Graph()
    x = g.placeholder("x")
    y = g.call_method("to", (x, torch.int64)) if name in BITS else g.call_function(operator.add, (x, 0.0))
    other = g.call_function(operator.add, (y, 1))
    z = g.call_function(getattr(operator, name), (y, *(more or (other,))))
    g.output((x, y, z))
    return torch.fx.GraphModule(nn.Module(), g)


BITS = ["ilshift", "irshift", "iand", "ior", "ixor"]
IN_PLACE = ["iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow", *BITS]


def iconcat():
    g = torch.fx.Graph()
    x = g.placeholder("x")
    parts = g.call_method("tolist", (x,))
    more = g.call_function(operator.iconcat, (parts, [1.5]))
    g.output((parts, more))
    return torch.fx.GraphModule(nn.Module(), g)


def of_numbers():
    g = torch.fx.Graph()
    x = g.placeholder("x")
    n = g.call_method("size", (x, 0))
    more = g.call_function(operator.iadd, (n, 3))
    twice = g.call_function(operator.imul, (n, 2))
    g.output((x, n, more, twice))
    return torch.fx.GraphModule(nn.Module(), g)


def of_views():
    g = torch.fx.Graph()
    x = g.placeholder("x")
    view = g.call_function(operator.getitem, (x, slice(0, 1)))
    g.call_function(operator.iadd, (view, 1))
    g.call_function(operator.ipow, (view, 2))
    g.output((x, view))
    return torch.fx.GraphModule(nn.Module(), g)


def of_tensors(function, *more, integers=False):
    """The value is another one after it, as the tensor itself is written."""
    g = torch.fx.Graph()
    x = g.placeholder("x")
    made = g.call_method("to", (x, torch.int64)) if integers else g.call_method("clone", (x,))
    before = g.call_method("clone", (made,))
    y = g.call_function(function, (made, *(more or (before,))))
    g.output((made, before, y))
    return torch.fx.GraphModule(nn.Module(), g)


def of_texts():
    g = torch.fx.Graph()
    x = g.placeholder("x")
    parts = g.call_method("tolist", (x,))
    more = g.call_function(operator.iconcat, (parts, [1.5]))
    g.output((parts, more, g.call_function(operator.iconcat, ("a", "b"))))
    return torch.fx.GraphModule(nn.Module(), g)


def tensor_argument():
    return graph(torch.add, torch.ones(2))


def two_alike():
    g = torch.fx.Graph()
    x = g.placeholder("x")
    a = g.call_function(torch.add, (x, torch.tensor([1.0, 1.00001])))
    b = g.call_function(torch.add, (a, torch.tensor([1.0, 1.00002])))
    g.output((a, b, torch.tensor(3)))
    return torch.fx.GraphModule(nn.Module(), g)


def tensors_in_lists():
    g = torch.fx.Graph()
    x = g.placeholder("x")
    y = g.call_function(torch.cat, ([x, torch.zeros(1), x, torch.ones(2)],), {"dim": 0})
    z = g.call_function(torch.where, (torch.tensor([True, False]), x, nn.Parameter(torch.tensor(7.0), requires_grad=False)))
    g.output((y, z))
    return torch.fx.GraphModule(nn.Module(), g)


def tensor_with_rows():
    return graph(torch.matmul, torch.eye(2) * 3)


def tensor_as_self():
    g = torch.fx.Graph()
    x = g.placeholder("x")
    y = g.call_method("add", (torch.ones(2), x), {"alpha": 2})
    g.output(y)
    return torch.fx.GraphModule(nn.Module(), g)


def operator_of_torch_ops():
    g = torch.fx.Graph()
    x = g.placeholder("x")
    g.output(g.call_function(torch.ops.aten.mul.Tensor, (x, torch.tensor([2.0, 3.0], dtype=torch.float64))))
    return torch.fx.GraphModule(nn.Module(), g)


def of_lists():
    g = torch.fx.Graph()
    x = g.placeholder("x")
    parts = g.call_method("tolist", (x,))
    more = g.call_function(operator.iadd, (parts, [1.5]))
    tuples = g.call_function(tuple, (parts,))
    longer = g.call_function(operator.iadd, (tuples, (2,)))
    g.output((parts, more, tuples, longer))
    return torch.fx.GraphModule(nn.Module(), g)


STEPS = [added, multiplied, replaced, below, attribute, unread, item]
CASES = [imatmul, imatmul_rows, imatmul_written, iconcat, of_numbers, of_views, of_lists, tensor_argument, two_alike, tensors_in_lists, tensor_with_rows, tensor_as_self, operator_of_torch_ops]
for name, more, integers in (("isub", (), False), ("iadd", (2.5,), False), ("imul", (), False), ("itruediv", (3,), False), ("ifloordiv", (2,), False),
                             ("imod", (0.75,), False), ("ipow", (3,), False), ("ilshift", (2,), True), ("irshift", (1,), True), ("iand", (3,), True),
                             ("ior", (5,), True), ("ixor", (), True), ("isub", (1,), True), ("ifloordiv", (2,), True), ("imod", (3,), True)):
    CASES.append(lambda name=name, more=more, integers=integers: of_tensors(getattr(operator, name), *more, integers=integers))
    CASES[-1].__name__ = f"of_tensors(operator.{name}, *{more}, integers={integers})"
CASES.append(of_texts)
for step in STEPS:
    CASES.append(lambda step=step: Stateful(step))
    CASES[-1].__name__ = f"Stateful({step.__name__})"


for name in IN_PLACE:
    for more in ((), (3,)):
        CASES.append(lambda name=name, more=more: in_place(name, *more))
        CASES[-1].__name__ = f"in_place({', '.join(map(repr, (name, *more)))})"


def inputs():
    return [torch.tensor([1.0, -2.0])]
