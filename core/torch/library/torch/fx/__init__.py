# SPDX-License-Identifier: GPL-3.0-or-later
# What model source uses of torch.fx: wrap, and the mark for arguments that stay placeholders.


class PHBase:
    def __repr__(self):
        return 'PH'


PH = PHBase()


class PHWithMeta(PHBase):
    def __init__(self, ph_key=None):
        self.ph_key = ph_key


def wrap(fn_or_name):
    return _fx_wrap(fn_or_name)


def has_side_effect(fn):
    return fn


class ProxyableClassMeta(type):
    # Instances made from traced values are calls of the class in the graph.
    def __call__(cls, *args, **kwargs):
        if _fx_holds_proxy(args, kwargs):
            return _fx_record(cls, args, kwargs)
        return super().__call__(*args, **kwargs)


Proxy = _fx_proxy
from ._tracer import Graph, GraphModule, Tracer, symbolic_trace
from .interpreter import Interpreter, Transformer
from .node import Node, map_arg
from .subgraph_rewriter import replace_pattern
from . import _symbolic_trace, graph, graph_module, node, proxy, subgraph_rewriter
