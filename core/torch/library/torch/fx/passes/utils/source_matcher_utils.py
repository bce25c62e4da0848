# SPDX-License-Identifier: GPL-3.0-or-later
# Nodes grouped by the function or the class of modules that they were decomposed from, which their meta says.
from dataclasses import dataclass, field
from typing import Any

from torch.fx.node import Node

__all__ = ['get_source_partitions', 'check_subgraphs_connected', 'SourcePartition']


@dataclass
class SourcePartition:
    nodes: list[Node]
    source: Any
    input_nodes: list[Node] = field(default_factory=list)
    output_nodes: list[Node] = field(default_factory=list)
    params: list[Node] = field(default_factory=list)


def _module_source(node, wanted_sources):
    """The wanted class that the innermost module of the node is of, and that module's name."""
    stack = node.meta.get('nn_module_stack')
    if node.op != 'call_function' or not stack:
        return None
    name, kind = list(stack.values())[-1]
    for wanted in wanted_sources:
        if not isinstance(wanted, type):
            same = kind == wanted
        elif isinstance(kind, type):
            same = issubclass(kind, wanted)
        else:
            same = isinstance(kind, str) and kind == f'{wanted.__module__}.{wanted.__qualname__}'
        if same:
            return wanted, name
    return None


def _source_of(node, wanted_sources):
    stack = node.meta.get('source_fn_stack')
    if stack is not None:
        name, source = stack[-1][:2]
        return (source, name) if source in wanted_sources else None
    call = node.meta.get('torch_fn')
    if call is not None:
        source = call[1].split('.')[1]
        if source in wanted_sources:
            return source, call[0]
    return _module_source(node, wanted_sources)


def _make_partition(nodes, source):
    inputs, outputs, params = {}, {}, {}
    for node in nodes:
        for arg in node.args:
            if isinstance(arg, Node) and arg not in nodes and arg.op != 'get_attr':
                inputs[arg] = None
        if node.op == 'get_attr':
            params[node] = None
        elif any(user not in nodes for user in node.users):
            outputs[node] = None
    return SourcePartition(nodes, source, list(inputs), list(outputs), list(params))


def get_source_partitions(graph, wanted_sources, filter_fn=None):
    groups = {}
    for node in graph.nodes:
        found = _source_of(node, wanted_sources)
        if found is not None:
            source, name = found
            groups.setdefault(source, {}).setdefault(name, []).append(node)
    return {source: [_make_partition(nodes, source) for nodes in named.values()
                     if not filter_fn or all(map(filter_fn, nodes))]
            for source, named in groups.items()}


def check_subgraphs_connected(subgraph1, subgraph2):
    return any(user in subgraph2.nodes for node in subgraph1.nodes for user in node.users)
