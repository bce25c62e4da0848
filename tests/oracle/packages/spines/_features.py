# SPDX-License-Identifier: GPL-3.0-or-later
# A network as a graph whose nodes bear the path of the layer that made them, so that features can be asked for by path.
import math
from typing import Any, Callable, Dict, List, Optional, Set, Type, Union

import torch
from torch import fx, nn

__all__ = ["keep_whole", "keep_whole_module", "FeatureTracer", "feature_graph"]

_whole_functions: Set[Callable] = set()
_whole_modules: Set[Type[nn.Module]] = set()


def keep_whole(fn: Callable) -> Callable:
    """No tracer looks into this function."""
    _whole_functions.add(fn)
    return fn


def keep_whole_module(kind: Type[nn.Module]) -> Type[nn.Module]:
    _whole_modules.add(kind)
    return kind


class FeatureTracer(fx.Tracer):
    def __init__(self, autowrap_modules=(math,), autowrap_functions=(), **kwargs: Any):
        wrapped = tuple(autowrap_functions) + tuple(sorted(_whole_functions, key=lambda fn: fn.__name__))
        super().__init__(autowrap_modules, wrapped, **kwargs)
        self.path = ""
        self.made: Dict[str, str] = {}

    def is_leaf_module(self, m: nn.Module, module_qualified_name: str) -> bool:
        if isinstance(m, tuple(_whole_modules)):
            return True
        return super().is_leaf_module(m, module_qualified_name)

    def call_module(self, m: nn.Module, forward: Callable, args, kwargs):
        before = self.path
        try:
            self.path = self.path_of_module(m)
            return super().call_module(m, forward, args, kwargs)
        finally:
            self.path = before

    def create_node(self, kind, target, args, kwargs, name=None, type_expr=None):
        if kind == "call_function" and self.path and name is None:
            name = "_".join([self.path.replace(".", "_"), getattr(target, "__name__", "call")])
        node = super().create_node(kind, target, args, kwargs, name, type_expr)
        self.made[node.name] = f"{self.path}.{target}" if self.path else str(target)
        return node


def feature_graph(model: nn.Module, paths: Optional[List[str]] = None, tracer: Union[Type[fx.Tracer], None] = None):
    tracer = (tracer or FeatureTracer)()
    graph = tracer.trace(model)
    if paths:
        kept = {n.target: n for n in graph.nodes if n.op == "call_module" and n.target in paths}
        (last,) = (n for n in graph.nodes if n.op == "output")
        with graph.inserting_before(last):
            graph.output({p: kept[p] for p in paths})
        graph.erase_node(last)
    module = fx.GraphModule(model, graph)
    if module.graph.eliminate_dead_code():
        module.recompile()
    return module
