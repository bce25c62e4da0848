# SPDX-License-Identifier: GPL-3.0-or-later
# torch.fx. What few sources use is imported when it is asked for.
from . import immutable_collections, node
from .node import Node, has_side_effect, map_arg
from .graph import CodeGen, Graph
from .graph_module import GraphModule
from ._symbolic_trace import PH, PHBase, PHWithMeta, ProxyableClassMeta, Tracer, symbolic_trace, wrap
from .proxy import Proxy
from . import _symbolic_trace, graph, graph_module, proxy

_LAZY = {'Interpreter': 'interpreter', 'Transformer': 'interpreter', 'replace_pattern': 'subgraph_rewriter'}


def __getattr__(name):
    import importlib
    if name in _LAZY:
        return getattr(importlib.import_module(f'torch.fx.{_LAZY[name]}'), name)
    if name in ('_pytree', 'annotate', 'interpreter', 'operator_schemas', 'passes', 'experimental', 'subgraph_rewriter',
                'tensor_type', 'traceback'):
        return importlib.import_module(f'torch.fx.{name}')
    raise AttributeError(f"module 'torch.fx' has no attribute '{name}'")
