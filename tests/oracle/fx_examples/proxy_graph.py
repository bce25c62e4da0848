# SPDX-License-Identifier: GPL-3.0-or-later
# Graphs made from proxies over raw nodes: the operators of Python and the functions of torch append to them.
# case: concatenated_graph nothing make_concat
# case: operators_of_proxies nothing all_operators
# case: what_proxies_refuse nothing refusals

import torch
import torch.fx
from torch.fx import Graph, GraphModule, Proxy


def nothing(x):
    return x


def make_concat(gm):
    graph = Graph()
    tracer = torch.fx.proxy.GraphAppendingTracer(graph)
    raw1 = graph.placeholder("x")
    raw2 = graph.placeholder("y")
    y = Proxy(raw1, tracer=tracer)
    z = Proxy(raw2, tracer=tracer)
    a = torch.cat([y, z])
    b = torch.tanh(a)
    c = torch.neg(b)
    d = y + z
    graph.output({"c": c.node, "sum": (d.node, 3)})
    made = GraphModule(torch.nn.Module(), graph)
    print(made.graph)
    print(made.code)
    print(made(torch.zeros(2), torch.ones(2)))
    return made


def all_operators(gm):
    graph = Graph()
    x = Proxy(graph.placeholder("x"))
    values = [x + 1, 1 + x, x - 1, 1 - x, x * 2, 2 * x, x @ x, x / 2, 2 / x, x // 2, 2 // x, x % 2, x**2, 2**x, -x, +x, ~x]
    values += [x == 1, x != 1, x < 1, x <= 1, x > 1, x >= 1, x & 1, 1 & x, x | 1, 1 | x, x ^ 1, x << 1, x >> 1, abs(x)]
    values += [x[0], x[1:, ..., None], x.shape, x.shape[0], x.T, x.view(-1, 2), x.sum(dim=0, keepdim=True), torch.stack([x, x], dim=1)]
    for value in values:
        print(value.node.format_node() if isinstance(value.node, torch.fx.Node) else value.node)
    graph.output([value.node for value in values[:3]])
    print(graph)


def refusals(gm):
    def attempt(work):
        x = Proxy(Graph().placeholder("x"))
        try:
            print(work(x))
        except Exception as error:
            print(type(error).__name__, str(error).splitlines()[0])

    attempt(lambda x: bool(x))
    attempt(lambda x: len(x))
    attempt(lambda x: "a" in x)
    attempt(lambda x: int(x))
    attempt(lambda x: float(x))
    attempt(lambda x: range(x))
    attempt(lambda x: [item for item in x])
    attempt(lambda x: torch.zeros(x))
    attempt(lambda x: {**x})
    attempt(lambda x: "%d" % x)
    attempt(lambda x: f"{x}")
    attempt(lambda x: not x)
    attempt(lambda x: x and 1)
    attempt(lambda x: min(x, 2))
    attempt(lambda x: hash(x) == hash(x))
    attempt(lambda x: x.keys())
    attempt(lambda x: x())
