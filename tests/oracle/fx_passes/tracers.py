# SPDX-License-Identifier: GPL-3.0-or-later
# Tracers and proxies of a program's own: methods that are overridden, proxies of nodes, what nodes are told while meta is preserved.
# case: trace_enums plain enums
# case: trace_enums_placed plain enums_placed
# case: trace_appended plain appended
# case: trace_roots plain roots
# case: trace_types plain types
# case: trace_annotated plain annotated
# case: trace_stacks plain stacks
# case: trace_proxy_classes plain proxy_classes
# case: trace_concrete plain concrete
# case: trace_higher_order plain higher_order
# case: trace_purity plain purity
# case: trace_function_names plain function_names
# case: trace_twins plain twins
# case: trace_dispatched plain dispatched
# case: trace_scopes plain scopes
# case: trace_tables Nested() tables
# case: trace_local_outputs plain local_outputs

import contextlib
import dataclasses
import enum
import io
import math
import re
import typing
from collections import namedtuple

import torch
import torch.fx
import torch.fx.traceback as fx_traceback
import torch.nn as nn
import torch.nn.functional as F
from torch.fx import PH, Graph, GraphModule, Interpreter, Proxy, Tracer, Transformer, symbolic_trace
from torch.fx._symbolic_trace import PHWithMeta
from torch.utils._python_dispatch import TorchDispatchMode

INPUTS = (torch.linspace(-1, 1, 4),)


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Level(enum.IntEnum):
    LOW = 1


def plain(x):
    return torch.relu(x) + 1


def paint(x, color):
    return (x, color)


@torch.fx.wrap
def wrapped_paint(x, color):
    return x


def enums(gm):
    graph = Graph()
    x = graph.placeholder("x")
    graph.output(graph.call_function(paint, (x, [Color.RED, Level.LOW]), {}))
    made = GraphModule(nn.Module(), graph)
    print(made(3), list(graph.nodes)[1].args[1][0] is Color.RED, made.code.count("Color.RED"))
    traced = symbolic_trace(lambda x: wrapped_paint(x, Color.BLUE))
    print(traced.graph, traced(2), "Color.BLUE)" in traced.code)


def enums_placed(gm):
    node = list(gm.graph.nodes)[1]
    with gm.graph.inserting_after(node):
        painted = gm.graph.call_function(paint, (node, Color.RED))
    gm.recompile()
    print("Color.RED)" in gm.code)
    gm.graph.erase_node(painted)
    gm.recompile()
    print(gm.code)


def appended(gm):
    graph = Graph()
    x = Proxy(graph.placeholder("x"))
    scaled = x * torch.tensor(2.0)
    total = torch.clamp(torch.ones(2) + scaled, min=torch.tensor(0.5))
    print(scaled, total)
    try:
        math.sqrt(x)
    except TypeError as error:
        print(error)
    print(graph)
    graph.output(nn.Linear(2, 2, bias=False)(total).node)
    list(graph.nodes)[-2].update_arg(1, torch.eye(2))
    made = GraphModule(nn.Module(), graph)
    print(Interpreter(made).run(torch.ones(2)), type(list(graph.nodes)[1].args[1]).__name__)


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(2, 2)

    def forward(self, x, flag=1):
        return self.lin(x) + torch.ones(2) * flag


def roots(gm):
    class Telling(Tracer):
        def create_args_for_root(self, root_fn, is_module, concrete_args=None):
            print("args", is_module, concrete_args, type(root_fn).__name__)
            fn, args = super().create_args_for_root(root_fn, is_module, concrete_args)
            print(len(args), [str(arg) for arg in args[is_module:]])
            return fn, args

        def get_fresh_qualname(self, prefix):
            return "own_" + super().get_fresh_qualname(prefix)

    for root, given in ((Small(), None), (Small(), {"flag": 2}), (lambda x, *rest: x + torch.ones(2), None)):
        tracer = Telling()
        print(tracer.trace(root, given), [name for name in vars(tracer.root) if name.startswith("own_")])

    class Doubling(Tracer):
        def create_args_for_root(self, root_fn, is_module, concrete_args=None):
            x = self.create_proxy("placeholder", "given", (), {})
            return root_fn, [x, x]

    print(Doubling().trace(lambda a, b: a * b))
    print(hasattr(Tracer, "create_args_for_root"), hasattr(Tracer, "get_fresh_qualname"))


def types(gm):
    tracer = Tracer()
    tracer.root, tracer.graph = nn.Module(), Graph()
    x = tracer.create_proxy("placeholder", "x", (), {}, type_expr=torch.Tensor)
    y = tracer.create_proxy("call_function", torch.relu, (x,), {}, name="y", type_expr=typing.Optional[torch.Tensor])
    appending = torch.fx.proxy.GraphAppendingTracer(tracer.graph)
    appending.create_proxy("placeholder", "n", (), {}, type_expr=int)
    print(tracer.graph, [node.type for node in tracer.graph.nodes], y)

    class Typed(Tracer):
        def create_node(self, kind, target, args, kwargs, name=None, type_expr=None):
            print(kind, name, type_expr)
            return super().create_node(kind, target, args, kwargs, name, type_expr)

    def typed(x: torch.Tensor, n: int) -> torch.Tensor:
        return x + n

    print(Typed().trace(typed))


def annotated(gm):
    with fx_traceback.preserve_node_meta(), fx_traceback.annotate({"stage": 1}):
        inside = symbolic_trace(plain)
    print([node.meta.get("custom") for node in inside.graph.nodes])

    @fx_traceback.annotate_fn({"pp": 2})
    def double(x):
        return x * 2

    with fx_traceback.preserve_node_meta():
        partly = symbolic_trace(lambda x: double(x) + 1)
    print([node.meta.get("custom") for node in partly.graph.nodes], [sorted(node.meta) for node in partly.graph.nodes])
    with fx_traceback.annotate({"stage": 1}):
        print([node.meta for node in symbolic_trace(plain).graph.nodes])


class Nested(nn.Module):
    def __init__(self):
        super().__init__()
        self.seq = nn.Sequential(nn.ReLU(), Small())

    def forward(self, x):
        return torch.neg(self.seq(x))


def stacks(gm):
    traced = symbolic_trace(Nested())
    for graph in (traced.graph, Transformer(traced).transform().graph, symbolic_trace(traced).graph):
        for node in graph.nodes:
            print(node.name, sorted(node.meta), node.meta.get("nn_module_stack"), node.meta.get("seq_nr"),
                  [(source.name, source.pass_name) for source in node.meta.get("from_node", [])])


def proxy_classes(gm):
    class Named(Proxy):
        def __repr__(self):
            return f"Named({self.node})"

    class Naming(Tracer):
        def proxy(self, node):
            return Named(node, self)

    def root(x):
        y = torch.relu(x)
        print(x, y, x + 1, [y], f"{y}", type(y).__name__, super(Named, y).__repr__())
        return y

    print(Naming().trace(root))
    graph = Graph()
    x = Proxy(graph.placeholder("x"))
    shape = x.shape
    print(type(shape).__name__, shape.root, shape.attr, shape.root is x, isinstance(shape, torch.fx.proxy.Attribute), len(graph.nodes))
    print(shape.node.format_node(), len(graph.nodes))


def concrete(gm):
    Pair = namedtuple("Pair", "first second")
    made = symbolic_trace(lambda pair: pair.first + pair.second, concrete_args={"pair": Pair(PH, PH)})
    print(made.code, made(Pair(1, 2)))
    mark = PHWithMeta(ph_key="left")
    made = symbolic_trace(lambda inp: inp["a"] - inp["b"][0], concrete_args={"inp": {"a": mark, "b": [PH]}})
    print(made.code, [getattr(node, "ph_key", None) for node in made.graph.nodes], made({"a": 3, "b": [1]}))


def higher_order(gm):
    graph = Graph()
    x = graph.placeholder("x")
    branches = [graph.get_attr(name) for name in ("yes", "no")]
    positive = graph.call_function(torch.ops.aten.gt.Scalar, (graph.call_function(torch.ops.aten.sum.default, (x,)), 0))
    graph.output(graph.call_function(torch.ops.higher_order.cond, (positive, *branches, (x,))))
    root = nn.Module()
    root.yes, root.no = symbolic_trace(lambda x: (x + 1,)), symbolic_trace(lambda x: (x - 1,))
    made = GraphModule(root, graph)
    print(made.graph, made.code, made(torch.ones(2)), Interpreter(made).run(-torch.ones(2)))
    op = torch.ops.higher_order.cond
    print(op, op.__name__, op.name(), op.namespace, op.__module__, callable(op), isinstance(op, torch._ops.HigherOrderOperator))
    from torch._higher_order_ops.cond import cond_op
    from torch._higher_order_ops.while_loop import while_loop_op
    print(cond_op is op, [node.target is op for node in made.graph.nodes if node.op == "call_function"])
    print(torch._higher_order_ops.cond is torch.cond, while_loop_op)
    from torch.fx.passes.dialect.common.cse_pass import CSEPass
    print(CSEPass()(made).graph_module.code)


def purity(gm):
    graph = Graph()
    x = graph.placeholder("x")
    aten = torch.ops.aten
    for target, args in ((aten.bernoulli.default, (x,)), (torch.rand, (2,)), (aten.dropout.default, (x, 0.5, True)), (aten.rand_like.default, (x,)),
                         (torch.bernoulli, (x,)), (aten.add_.Tensor, (x, x)), (aten.add.Tensor, (x, x)), (aten.add_, (x, x)), (aten.add, (x, x))):
        graph.call_function(target, args)
    print([(node.name, node.is_impure(), node.is_impure(False)) for node in graph.nodes])


def function_names(gm):
    for f in (torch.fft.fft, torch.linalg.norm, torch.special.expit, F.linear, F.conv2d, F.gelu, F.pixel_shuffle, torch.add, F.relu, torch.einsum, F.one_hot,
              F.softmax, torch.max_pool2d, F.pad, torch.empty_like):
        print(f.__name__, f.__module__, f.__qualname__, type(f).__name__, repr(f).split(" at ")[0])


def scaled_by(factor):
    def scale(x):
        return x * factor

    return scale


class Nameless:
    def __call__(self, x):
        return x


def twins(gm):
    graph = Graph()
    x = graph.placeholder("x")
    doubled = graph.call_function(scaled_by(2), (x,))
    tripled = graph.call_function(scaled_by(3), (doubled,))
    graph.output(graph.call_function(lambda x: x + 1, (graph.call_function(lambda x: x * 5, (tripled,)),)))
    made = GraphModule(nn.Module(), graph)
    copied = Graph()
    copied.output(copied.graph_copy(graph, {}))
    print(made(1), [node.target(1) for node in graph.nodes if node.op == "call_function"], [node.name for node in graph.nodes])
    print(GraphModule(nn.Module(), copied)(1), "scale_1(scale)" in made.code)
    try:
        graph.call_function(Nameless(), (x,))
    except AttributeError as error:
        print(error)


class Telling(TorchDispatchMode):
    def __init__(self, name):
        super().__init__()
        self.name = name

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        print(self.name, func, types, len(args), sorted(kwargs or {}), type(func).__name__)
        out = func(*args, **(kwargs or {}))
        return out * 2 if func == torch.ops.aten.relu.default else out


def dispatched(gm):
    x = torch.linspace(-1, 1, 4).reshape(2, 2)
    weight = torch.ones(2, 2, requires_grad=True)
    with Telling("outer"):
        y = F.linear(torch.relu(x), weight).sum()
        print(y)
    y.backward()
    print(weight.grad)
    with Telling("outer") as outer, Telling("inner"):
        a, b = x.split(1)
        print(outer.name, gm(x), a.add_(1), torch.max(b, 1))
    try:
        with Telling("failing"):
            raise ValueError("left")
    except ValueError:
        print(torch.neg(x))


def scopes(gm):
    tracer = Tracer()
    graph = tracer.trace(Nested())
    print(tracer.node_name_to_scope, tracer.module_stack, [node.name for node in graph.nodes])


def tables(gm):
    graph = gm.graph
    with graph.inserting_before(list(graph.nodes)[-1]):
        last = list(graph.nodes)[-2]
        for target in (torch.add, F.linear, torch.ops.aten.add.Tensor, math.pow):
            last = graph.call_function(target, (last, last))
    table = io.StringIO()
    with contextlib.redirect_stdout(table):
        graph.print_tabular()
    print(re.sub("0x[0-9a-f]+", lambda found: "x" * len(found[0]), table.getvalue()))


def local_outputs(gm):
    @dataclasses.dataclass
    class Pair:
        first: torch.Tensor
        second: torch.Tensor

    class Named(typing.NamedTuple):
        left: torch.Tensor
        right: torch.Tensor

    for kind in (Pair, Named):
        traced = symbolic_trace(lambda x: kind(x + x, x * 3))
        out = traced(torch.ones(2))
        print(traced.graph, traced.code, type(out) is kind, list(vars(out).values()) if kind is Pair else list(out))
    nested = symbolic_trace(lambda x: Pair(Named(x, x + 1), [x]))
    print(nested.graph, type(nested(torch.ones(2)).first) is Named)
