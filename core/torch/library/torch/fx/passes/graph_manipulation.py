# SPDX-License-Identifier: GPL-3.0-or-later
# Replacing what calls call, and how many bytes nodes take.
from typing import NamedTuple
import torch
from torch.fx.graph import Graph
from torch.fx.graph_module import GraphModule
from torch.fx.node import Node, Target, map_arg
from torch.fx.passes.shape_prop import ShapeProp, TensorMetadata

__all__ = ['replace_target_nodes_with', 'size_bytes', 'get_size_of_all_nodes', 'get_tensor_meta', 'get_size_of_node']


class size_bytes(NamedTuple):
    output_size: int
    total_size: int


def replace_target_nodes_with(fx_module, old_op, old_target, new_op, new_target):
    # The nodes of the new graph, by those that they stand for.
    copies = {}
    graph = Graph()
    for node in fx_module.graph.nodes:
        if (node.op, node.target) != (old_op, old_target):
            copies[node] = graph.node_copy(node, lambda n: copies[n])
            continue
        args, kwargs = map_arg((node.args, node.kwargs), lambda n: copies[n])
        copies[node] = graph.create_node(new_op, new_target, args, kwargs, node.name)
    fx_module.graph = graph


def get_tensor_meta(node):
    found = node.meta.get('tensor_meta')
    if not found:
        raise RuntimeError(f'Node {node} has no tensor metadata associated with it! Check that shape propagation has run.')
    return found


def _element_size(meta):
    if meta.is_quantized:
        return torch._empty_affine_quantized([], dtype=meta.dtype).element_size()
    return torch.tensor([], dtype=meta.dtype).element_size()


def get_size_of_node(fx_module, node):
    weights = 0
    if node.op == 'call_module':
        module = dict(fx_module.named_modules())[node.target]
        weights = sum(parameter.numel() for _, parameter in module.named_parameters())
    meta = get_tensor_meta(node)
    output, each = meta.shape.numel(), _element_size(meta)
    return size_bytes(each * output, each * (weights + output))


def get_size_of_all_nodes(fx_module, args=None):
    if args is not None:
        ShapeProp(fx_module).propagate(*args)
    for node in fx_module.graph.nodes:
        if node.op == 'output':
            return
        node.size_bytes = get_size_of_node(fx_module, node)
