# SPDX-License-Identifier: GPL-3.0-or-later
# Tracers of one's own: what is a leaf, how modules are called, which proxies are made, and what arguments may be.
# case: tracer_plain nothing plain
# case: tracer_leaf_documented nothing leaf_documented
# case: tracer_leaf_class nothing leaf_class
# case: tracer_module_paths nothing module_paths
# case: tracer_shadow nothing shadow
# case: tracer_create_arg nothing own_arguments
# case: tracer_create_arg_refused nothing refused_argument
# case: tracer_to_bool nothing always_true
# case: tracer_iter nothing known_length
# case: tracer_star_asks_len nothing star_display
# case: tracer_getattr nothing own_getattr
# case: tracer_create_proxy nothing stack_of_names
# case: tracer_nested_graphs nothing nested_graphs
# case: tracer_foreign_module nothing foreign_module
# case: tracer_of_result Outer() trace_again

from typing import Any, Callable, Dict, Optional, Tuple

import torch
import torch.fx
import torch.nn as nn
from torch.fx import Graph, GraphModule, Node, Proxy, Tracer


class MySpecialSubmodule(nn.Module):
    def forward(self, x):
        return torch.neg(x)


class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 4)
        self.submod = MySpecialSubmodule()
        self.block = nn.Sequential(nn.Linear(4, 4), MySpecialSubmodule(), nn.ReLU())

    def forward(self, x):
        return self.block(self.submod(self.linear(x)))


class AddsOnes(nn.Module):
    def forward(self, x):
        return torch.relu(x) + torch.ones(3, 4)


def nothing(x):
    return x


class MyCustomTracer(Tracer):
    pass


def plain(gm):
    mod = AddsOnes()
    traced_graph = MyCustomTracer().trace(mod)
    traced = GraphModule(mod, traced_graph)
    print(type(traced_graph).__name__, traced.code, traced(torch.zeros(3, 4)).sum())
    print(torch.fx.symbolic_trace(Outer()).code)


class LeafTracer(Tracer):
    def is_leaf_module(self, m: nn.Module, module_qualified_name: str) -> bool:
        print("asked", type(m).__name__, module_qualified_name)
        return isinstance(m, MySpecialSubmodule) or super().is_leaf_module(m, module_qualified_name)


def leaf_documented(gm):
    module = Outer()
    traced = GraphModule(module, LeafTracer().trace(module))
    print(traced.graph)
    return traced


def leaf_class(gm):
    class NoLeaves(Tracer):
        def is_leaf_module(self, m, module_qualified_name):
            return False

    class AllLeaves(Tracer):
        def is_leaf_module(self, m, module_qualified_name):
            return True

    print(NoLeaves().trace(nn.Sequential(nn.ReLU(), nn.Linear(2, 2))))
    print(AllLeaves().trace(Outer()))


class ModulePathTracer(Tracer):
    current_module_qualified_name: str = ""
    node_to_originating_module: Dict[Node, str] = {}

    def call_module(self, m: nn.Module, forward: Callable[..., Any], args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
        old_qualname = self.current_module_qualified_name
        try:
            self.current_module_qualified_name = self.path_of_module(m)
            return super().call_module(m, forward, args, kwargs)
        finally:
            self.current_module_qualified_name = old_qualname

    def create_proxy(self, kind: str, target, args, kwargs, name: Optional[str] = None, type_expr: Optional[Any] = None, *more):
        proxy = super().create_proxy(kind, target, args, kwargs, name, type_expr, *more)
        self.node_to_originating_module[proxy.node] = self.current_module_qualified_name
        return proxy


def module_paths(gm):
    tracer = ModulePathTracer()
    for node in tracer.trace(Outer()).nodes:
        print(f"Node {node} is from module {tracer.node_to_originating_module.get(node)!r}")


def shadow(gm):
    class Doubles(Tracer):
        def call_module(self, m, forward, args, kwargs):
            return super().call_module(m, forward, args, kwargs) * 2

    print(Doubles().trace(Outer()))


class Pair:
    def __init__(self, left, right):
        self.left, self.right = left, right


def use_pair(x):
    return torch.add(Pair(x, x.neg()), 1)


def own_arguments(gm):
    class Flattens(Tracer):
        def create_arg(self, a):
            if isinstance(a, Pair):
                return super().create_arg((a.left, a.right))
            return super().create_arg(a)

    tracer = Flattens()
    tracer.graph = Graph()
    x = Proxy(tracer.graph.placeholder("x"), tracer)
    made = tracer.create_proxy("call_function", torch.stack, (Pair(x, x.neg()),), {"dim": 0})
    tracer.create_node("output", "output", (tracer.create_arg([made, slice(1, x), {"k": x}, range(3), 2.5, None, torch.float16]),), {})
    print(tracer.graph)


def refused_argument(gm):
    tracer = Tracer()
    tracer.graph = Graph()
    x = Proxy(tracer.graph.placeholder("x"), tracer)
    tracer.create_proxy("call_function", torch.stack, (Pair(x, x),), {})


def branches(x):
    if x.sum() > 0:
        return torch.relu(x)
    return torch.neg(x)


def always_true(gm):
    class Optimist(Tracer):
        def to_bool(self, obj):
            print("decides", obj.node.name)
            return True

    print(Optimist().trace(branches))
    Tracer().trace(branches)


def unpacks(x):
    first, second = x.split(2)
    return [first + second, second]


def known_length(gm):
    class Pairs(Tracer):
        def iter(self, obj):
            return iter([obj[0], obj[1]])

        def keys(self, obj):
            return ["a", "b"]

    print(Pairs().trace(unpacks))
    print(Pairs().trace(lambda d: f(**d)))


def star_display(gm):
    class Pairs(Tracer):
        def iter(self, obj):
            return iter([obj[0], obj[1]])

    Pairs().trace(lambda x: [*x])


def f(a, b):
    return a - b


def own_getattr(gm):
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = nn.Parameter(torch.ones(2))
            self.register_buffer("shift", torch.zeros(2))
            self.rate = 0.5

        def forward(self, x):
            return x * self.scale + self.shift - self.rate

    class Tells(Tracer):
        def getattr(self, attr, attr_val, parameter_proxy_cache):
            found = super().getattr(attr, attr_val, parameter_proxy_cache)
            print(attr, type(found).__name__)
            return found

    print(Tells().trace(Net()))
    buffers = Tells()
    buffers.proxy_buffer_attributes = True
    print(buffers.trace(Net()))


def stack_of_names(gm):
    class Renames(Tracer):
        def create_proxy(self, kind, target, args, kwargs, name=None, type_expr=None, proxy_factory_fn=None):
            name = f"n{len(self.graph.nodes)}" if kind.startswith("call") else name
            proxy = super().create_proxy(kind, target, args, kwargs, name, type_expr, proxy_factory_fn)
            proxy.node.meta["order"] = len(self.graph.nodes)
            return proxy

    graph = Renames().trace(Outer())
    print(graph, [n.meta.get("order") for n in graph.nodes])


def nested_graphs(gm):
    class Nests(Tracer):
        def call_module(self, m, forward, args, kwargs):
            if isinstance(m, nn.Sequential):
                path = self.path_of_module(m)
                setattr(self.root, path, GraphModule(m, Tracer().trace(m)))
                return self.create_proxy("call_module", path, args, kwargs)
            return super().call_module(m, forward, args, kwargs)

    root = Outer()
    traced = GraphModule(root, Nests().trace(root))
    print(traced.graph)
    print(traced.block.graph)


def foreign_module(gm):
    other = nn.Linear(2, 2)

    class Uses(nn.Module):
        def forward(self, x):
            return other(x)

    Tracer().trace(Uses())


def trace_again(gm):
    print(str(Tracer().trace(gm)) == str(gm.graph))

    class Keeps(Tracer):
        def is_leaf_module(self, m, name):
            return not name.count(".")

    return Keeps().trace(gm)
