# SPDX-License-Identifier: GPL-3.0-or-later
# What splitters and minimizers share: names of targets, groups of nodes that must stay together, and sorting a graph.
import heapq
import operator
from collections import deque
from dataclasses import dataclass
import torch
import torch.fx
from torch.fx.node import _get_qualified_name

__all__ = ['get_acc_ops_name', 'get_node_target', 'is_node_output_tensor', 'FxNetAccFusionsFinder', 'legalize_graph',
           'stable_topological_sort']

Tensors = tuple[torch.Tensor] | list[torch.Tensor]
TensorOrTensors = torch.Tensor | Tensors
NodeList = list[torch.fx.Node]
NodeSet = set[torch.fx.Node]
Names = list[str]
CALLABLE_NODE_OPS = {'call_module', 'call_function', 'call_method'}


def get_acc_ops_name(k):
    if isinstance(k, str):
        return k
    module = k.__module__
    if module and 'acc_ops' in module:
        return f'acc_ops.{k.__name__}'
    module = module.replace('torch._ops', 'torch.ops')
    return f'{module}.{k.__name__}'


def get_node_target(submodules, node):
    if node.op not in CALLABLE_NODE_OPS:
        raise AssertionError('Expect op types of ' + ', '.join(CALLABLE_NODE_OPS) + f', but found {node.op}')
    target = node.target
    if node.op == 'call_function':
        if target.__module__ is not None and 'acc_ops' in target.__module__:
            return f'acc_ops.{target.__name__}'
        return _get_qualified_name(target)
    if not isinstance(target, str):
        raise AssertionError(f'Expected str target, got {type(target)}')
    if node.op == 'call_method':
        return target
    module = submodules[target]
    return get_acc_ops_name(getattr(module, '_base_class_origin', type(module)))


def is_node_output_tensor(node):
    # ShapeProp has left the type of the value in meta.
    kind = node.meta.get('type', None)
    return kind is not None and issubclass(kind, torch.Tensor)


class FxNetAccFusionsFinder:
    # Groups of the nodes `acc_nodes` between which something else than tensors goes; such a group is split nowhere.
    def __init__(self, module, acc_nodes):
        self.module = module
        self.nodes = list(module.graph.nodes)
        self.acc_nodes = acc_nodes
        self.node_index = {node: i for i, node in enumerate(self.nodes)}

    @dataclass
    class FusionGroup:
        top_node_idx: int  # the first place of a node of the group in the graph
        nodes: NodeSet
        inputs: NodeSet
        nodes_need_process: NodeSet  # those whose neighbours nobody has looked at

        def add_node(self, node):
            if node in self.nodes:
                return
            self.nodes.add(node)
            self.nodes_need_process.add(node)
            self.inputs.discard(node)
            self.inputs |= {n for n in node.all_input_nodes if n.op in CALLABLE_NODE_OPS and n not in self.nodes}

    def recursive_add_node(self, fusion_group, inputs, visited=None):
        # What lies on a way from one node of the group to another belongs to it, too.
        for arg in inputs:
            if visited is not None:
                if arg in visited:
                    continue
                visited.add(arg)
            if arg.op not in CALLABLE_NODE_OPS or self.node_index[arg] < fusion_group.top_node_idx:
                continue
            if arg in fusion_group.nodes:
                return True
            if self.recursive_add_node(fusion_group, arg.all_input_nodes, visited):
                fusion_group.add_node(arg)
                return True
        return False

    def _close(self, group):
        self.recursive_add_node(group, group.inputs, visited=set())

    def _grow(self, group):
        while group.nodes_need_process:
            node = group.nodes_need_process.pop()
            self._close(group)
            if 'tensor_meta' not in node.meta:
                for user in node.users:
                    if user.op in CALLABLE_NODE_OPS and user not in group.nodes:
                        group.add_node(user)
                        self._close(group)
            for arg in node.all_input_nodes:
                if arg.op in CALLABLE_NODE_OPS and 'tensor_meta' not in arg.meta and arg not in group.nodes:
                    group.add_node(arg)
                    group.top_node_idx = min(group.top_node_idx, self.node_index[arg])
                    self._close(group)

    def __call__(self):
        found = {}
        for node in list(self.acc_nodes):
            if node in found or node.op not in CALLABLE_NODE_OPS or 'tensor_meta' in node.meta or node not in self.acc_nodes:
                continue
            group = self.FusionGroup(top_node_idx=self.node_index[node], nodes={node}, inputs=set(node.all_input_nodes),
                                     nodes_need_process={node})
            self._grow(group)
            if group.nodes <= self.acc_nodes:
                found.update(dict.fromkeys(group.nodes, group.nodes))
            else:
                self.acc_nodes -= group.nodes
        return found


def _waiting(graph):
    # For each node, on how many it waits.
    counts = dict.fromkeys(graph.nodes, 0)
    for node in graph.nodes:
        for user in node.users:
            counts[user] += 1
    return counts


def _cycle_words(counts):
    return f'Input graph has cycles, unable to add {[node for node in counts if counts[node] != 0]}'


def _now_ready(node, counts):
    for user in node.users:
        counts[user] -= 1
        if counts[user] == 0:
            yield user


def _take(gm, graph):
    graph._codegen = gm.graph._codegen
    gm.graph = graph
    return gm


def legalize_graph(gm):
    aten = torch.ops.aten
    # Checks of sizes, which come before what depends on them.
    first = [operator.add, operator.mul, operator.sub, operator.floordiv, operator.truediv, operator.mod, operator.le, operator.lt,
             operator.ge, operator.gt, operator.eq, operator.ne, aten.sym_constrain_range.default,
             aten.sym_constrain_range_for_size.default, aten._assert_async.msg, aten.scalar_tensor.default,
             aten._assert_scalar.default]
    counts = _waiting(gm.graph)
    ready = deque(node for node in gm.graph.nodes if counts[node] == 0)
    copies = {}
    graph = torch.fx.Graph()
    while ready:
        node = ready.popleft()
        copies[node] = graph.node_copy(node, lambda n: copies[n])
        for user in _now_ready(node, counts):
            if user.op == 'call_function' and user.target in first:
                ready.appendleft(user)
            else:
                ready.append(user)
    if len(graph.nodes) < len(gm.graph.nodes):
        raise RuntimeError(_cycle_words(counts))
    return _take(gm, graph)


def stable_topological_sort(gm):
    counts = _waiting(gm.graph)
    places = {node: place for place, node in enumerate(gm.graph.nodes)}
    nodes = list(gm.graph.nodes)
    ready = [places[node] for node in nodes if counts[node] == 0]
    copies = {}
    graph = torch.fx.Graph()
    while ready:
        node = nodes[heapq.heappop(ready)]
        copies[node] = graph.node_copy(node, lambda n: copies[n])
        for user in _now_ready(node, counts):
            heapq.heappush(ready, places[user])
    if len(graph.nodes) != len(gm.graph.nodes):
        raise AssertionError(_cycle_words(counts))
    return _take(gm, graph)
