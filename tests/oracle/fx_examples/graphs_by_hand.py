# SPDX-License-Identifier: GPL-3.0-or-later
# Graphs made node by node, GraphModules from dictionaries and modules, and what is wrong with some of them.
# case: graph_by_hand nothing by_hand
# case: graph_from_dict nothing from_dict
# case: graph_from_module Two() from_module
# case: graph_empty nothing empty
# case: graph_no_output nothing without_output
# case: graph_types nothing with_types
# case: graph_names nothing names
# case: graph_bad_op nothing bad_op
# case: graph_bad_argument nothing bad_argument
# case: graph_missing_target Two() missing_target
# case: graph_missing_module Two() missing_module
# case: graph_missing_warned Two() missing_warned
# case: graph_two_outputs nothing two_outputs
# case: graph_defaults nothing defaults
# case: graph_config nothing from_config

import operator
import warnings

import torch
import torch.fx
import torch.nn as nn
from torch.fx import Graph, GraphModule


class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 2)
        self.inner = nn.Sequential(nn.Linear(2, 3), nn.Tanh())

    def forward(self, x):
        return self.inner(self.first(x))


def nothing(x):
    return x


def by_hand(gm):
    graph = Graph()
    x = graph.placeholder("x")
    w = graph.get_attr("weight")
    linear = graph.call_module("layers.0", (x,))
    added = graph.call_function(torch.add, (linear, w), {"alpha": 2})
    clamped = graph.call_method("clamp", args=(added,), kwargs={"min": 0.0, "max": 1.0})
    top = graph.create_node("call_function", torch.topk, (clamped, 3), {"dim": -1}, name="best")
    item = graph.call_function(operator.getitem, (top, 0))
    out = graph.output((item, {"rest": [clamped, slice(None, 2, None)]}))
    print(graph)
    print(out.op, out.args, graph.output_node() is out, [n.name for n in graph.nodes])
    print(graph.python_code("self").src)
    print(sorted(graph.python_code("self").globals))
    root = nn.Module()
    root.weight = nn.Parameter(torch.ones(4))
    root.layers = nn.Sequential(nn.Linear(2, 4))
    made = GraphModule(root, graph, "Made")
    graph.lint()
    print(made.code, type(made).__name__, [name for name, _ in made.named_modules()])
    return made


def from_dict(gm):
    graph = Graph()
    x = graph.placeholder("x")
    a = graph.get_attr("scale")
    b = graph.get_attr("deep.shift")
    y = graph.call_module("deep.act", (graph.call_function(torch.mul, (x, a)),))
    graph.output(graph.call_function(torch.add, (y, b)))
    made = GraphModule({"scale": torch.tensor([2.0]), "deep.shift": nn.Parameter(torch.ones(1)), "deep.act": nn.ReLU(), "unused": 3}, graph)
    print(made, made(torch.tensor([-1.0, 4.0])))
    print([n for n, _ in made.named_parameters()], [n for n, _ in made.named_buffers()], hasattr(made, "unused"))
    return made


def from_module(gm):
    graph = Graph()
    x = graph.placeholder("x")
    graph.output(graph.call_module("inner.0", (x,)))
    made = GraphModule(gm, graph)
    print(made, made.inner is gm.inner, made.get_submodule("inner.0") is gm.get_submodule("inner.0"))
    return made


def empty(gm):
    graph = Graph()
    print(repr(str(graph)), len(graph.nodes), list(graph.nodes), bool(graph))
    made = GraphModule({}, graph)
    print(made.code, made())
    graph.output(None)
    print(graph, GraphModule({}, graph).code)


def without_output(gm):
    graph = Graph()
    graph.call_function(torch.relu, (graph.placeholder("x"),))
    print(GraphModule({}, graph).code)
    graph.output_node()


def with_types(gm):
    graph = Graph()
    x = graph.placeholder("x", torch.Tensor)
    n = graph.placeholder("n", type_expr=int)
    y = graph.call_function(torch.roll, (x, n), type_expr=torch.Tensor)
    graph.output(y, torch.Tensor)
    print(graph)
    print(graph.python_code("self").src, y.type, [node.type for node in graph.nodes])


def names(gm):
    graph = Graph()
    x = graph.placeholder("x")
    made = [graph.call_function(torch.add, (x, i)) for i in range(3)]
    odd = ("add_1", "add", "x", "class", "None", "1st", "a-b c", "")
    made += [graph.create_node("call_function", torch.add, (x, 1), name=name) for name in odd]
    made += [graph.call_method("__add__", (x, 1)), graph.call_method("T", (x,)), graph.call_function(print, (x,)), graph.placeholder("*args")]
    made += [graph.call_module("a.b.0", (x,)), graph.get_attr("some.Weight_3"), graph.call_function(operator.getitem, (x, 0))]
    made += [graph.placeholder("torch")]
    print([n.name for n in made], [n.target for n in made[-3:-1]])
    graph.erase_node(made[0])
    print(graph.call_function(torch.add, (x, 7)).name)


def bad_op(gm):
    try:
        Graph().create_node("call_functional", torch.relu)
    except Exception as error:
        print(type(error).__name__, error)
    Graph().create_node("call_function", "relu")


def bad_argument(gm):
    graph = Graph()
    x = graph.placeholder("x")

    def attempt(*args, **kwargs):
        try:
            print(graph.call_function(torch.add, *args, **kwargs).format_node())
        except Exception as error:
            print(type(error).__name__, error)

    attempt((x, object))
    attempt([x, 1])
    attempt(x)
    attempt((x,), {"alpha": x})
    attempt((x, {"k": [1, (x,)]}))
    attempt((x, torch.float32, torch.device("cpu"), 2j, "text", b"bytes", Ellipsis))
    attempt((), {1: 2})
    graph.call_method(torch.relu, (x,))


def missing_target(gm):
    with gm.graph.inserting_before(gm.graph.output_node()):
        gm.graph.call_module("nowhere", (next(iter(gm.graph.nodes)),))


def missing_module(gm):
    gm.graph.find_nodes(op="call_module", target="first")[0].target = "inner.7"
    try:
        GraphModule(gm, gm.graph)
    except Exception as error:
        print(type(error).__name__, error)
    gm.graph.lint()


def missing_warned(gm):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with gm.graph.inserting_before(gm.graph.output_node()):
            node = gm.graph.get_attr("first.nothing")
    print([(warning.category.__name__, str(warning.message)) for warning in caught], node.target)
    gm.graph.lint()


def two_outputs(gm):
    graph = Graph()
    x = graph.placeholder("x")
    graph.output(x)
    graph.output(graph.call_function(torch.relu, (x,)))
    print(graph)
    graph.lint()


def defaults(gm):
    graph = Graph()
    x = graph.placeholder("x", default_value=3)
    y = graph.create_node("placeholder", "y", (torch.float32,))
    z = graph.placeholder("z", int, None)
    graph.output((x, y, z))
    made = GraphModule({}, graph)
    print(graph, made.code, made(), made(1, 2, 3), x.args, z.args)


CONFIG = [("conv", "relu", {}), ("scale", "mul", {"other": 3}), ("end", "clamp", {"min": 0, "max": 6})]


def from_config(gm):
    graph = Graph()
    value = graph.placeholder("x")
    for name, function, kwargs in CONFIG:
        value = graph.create_node("call_function", getattr(torch, function), (value,), kwargs, name)
    graph.output(value)
    made = GraphModule(nn.Module(), graph, class_name="Configured")
    print(made.code, made(torch.tensor([-1.0, 1.5, 5.0])))
    return made
