# SPDX-License-Identifier: GPL-3.0-or-later
"""What remains of a trace: proxies that a tracer of the program's has kept, tracers that go on by hand, and where the code of a
graph comes from.

# case: after_kept_proxies Net() kept_proxies
# case: after_goes_on Net() goes_on
# case: after_traced_again Net() traced_again
# case: after_other_graph Net() other_graph
# case: after_names_alone Net() names_alone
# case: after_literal nothing proxyable_literal
# case: after_file_name Net() file_name
# case: after_failing_line Net() failing_line
# case: after_failing_leaf Net() failing_leaf
"""

import contextlib
import io
import os

import torch
import torch.fx
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.linear(x) + 1)


def nothing(x):
    return x


INPUTS = {"Net()": (torch.ones(2, 4),)}


class Keeping(torch.fx.Tracer):
    def __init__(self):
        super().__init__()
        self.kept = []

    def create_proxy(self, kind, target, args, kwargs, name=None, type_expr=None, proxy_factory_fn=None):
        proxy = super().create_proxy(kind, target, args, kwargs, name, type_expr, proxy_factory_fn)
        self.kept.append((kind, proxy))
        return proxy


def kept_proxies(gm):
    tracer = Keeping()
    graph = tracer.trace(Net())
    for kind, proxy in tracer.kept:
        print(kind, proxy, proxy.node.name, proxy.node.op == kind, proxy.tracer is tracer, proxy.node.graph is graph, len(proxy.node.users))
    again = Keeping()
    again.trace(Net())
    print([proxy.node.graph is graph for _, proxy in tracer.kept], [proxy.node.graph is graph for _, proxy in again.kept])


def traced_again(gm):
    tracer = Keeping()
    tracer.trace(Net())
    before, tracer.kept = tracer.kept, []

    def forgetful(x):
        before.clear()  # the last that held the first trace
        return torch.relu(x) + 1

    print(tracer.trace(forgetful), [proxy.node.name for _, proxy in tracer.kept])


def goes_on(gm):
    tracer = Keeping()
    graph = tracer.trace(Net())
    output = graph.output_node()
    with graph.inserting_before(output):
        more = torch.sigmoid(tracer.kept[-1][1]) * 2
    output.args = (more.node,)
    graph.lint()
    return torch.fx.GraphModule(gm, graph)


def other_graph(gm):
    tracer = torch.fx.Tracer()
    for name, module in (("first", nn.Linear(4, 4)), ("second", nn.ReLU())):
        tracer.graph, tracer.root = torch.fx.Graph(), nn.Module()
        x = torch.fx.Proxy(tracer.graph.placeholder("x"), tracer)
        tracer.root.add_module(name, module)
        print(tracer.path_of_module(module), tracer.call_module(module, module.forward, (x,), {}))
        print(tracer.graph)


def names_alone(gm):
    tracer = torch.fx.Tracer()
    tracer.root = gm
    print(tracer.path_of_module(gm.linear), tracer.get_fresh_qualname("new"))
    gm.new0 = 1
    print(tracer.get_fresh_qualname("new"))


class Pair(metaclass=torch.fx.ProxyableClassMeta):
    def __init__(self, left, right):
        self.left, self.right = left, right

    def add(self, other):
        return Pair(self.left + other.left, self.right + other.right)


def plus_ones(pair):
    return pair.add(Pair(torch.ones(2), torch.ones(2))).add(ONES).add(ONES)


ONES = Pair(torch.ones(2), torch.ones(2))


def proxyable_literal(gm):
    traced = torch.fx.symbolic_trace(plus_ones)
    print(traced.graph)
    print(traced._Pair_constant_0.left, traced._Pair_constant_1 is ONES)
    out = traced(Pair(torch.zeros(2), torch.ones(2)))
    print(out.left, out.right)


def file_name(gm):
    traced = torch.fx.symbolic_trace(Net())
    code = traced.forward.__code__
    print(code.co_filename.replace(os.path.dirname(__file__) + os.sep, ""), code.co_name)
    print(torch.fx.GraphModule(traced, torch.fx.Graph()).forward.__code__.co_filename)


def said(module, *args):
    err = io.StringIO()
    with contextlib.redirect_stderr(err):
        try:
            module(*args)
        except Exception as error:
            print(type(error).__name__, str(error).split("\n")[0])
    lines = err.getvalue().split("\n")
    print("\n".join(lines[next((i for i, line in enumerate(lines) if line.startswith("Call using")), len(lines)):]))


def failing_line(gm):
    def dotted(x):
        return torch.dot(x.sin(), x).relu()

    said(torch.fx.symbolic_trace(dotted), torch.ones(2, 2))
    said(torch.fx.symbolic_trace(dotted), 5)


def failing_leaf(gm):
    said(gm, torch.ones(2, 5))
