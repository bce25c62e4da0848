# SPDX-License-Identifier: GPL-3.0-or-later
# split_by_tags: nodes moved into submodules by their attribute 'tag', in the order of a list of tags.
import copy
from dataclasses import dataclass, field
from typing import Optional

import torch
from torch.fx.graph import Graph
from torch.fx.graph_module import GraphModule
from torch.fx.node import Node, map_arg
from torch.fx.passes.tools_common import CALLABLE_NODE_OPS, NodeList, is_node_output_tensor
from torch.fx.passes.utils import HolderModule, lift_subgraph_as_module
from torch.fx.proxy import Proxy

__all__ = ['getattr_recursive', 'setattr_recursive', 'Component', 'split_by_tags', 'move_non_tensor_nodes_on_boundary']


def getattr_recursive(obj, name):
    for layer in name.split('.'):
        if isinstance(obj, torch.nn.ModuleList):
            if layer not in obj._modules:
                return None
            obj = obj._modules[layer]
        elif hasattr(obj, layer):
            obj = getattr(obj, layer)
        else:
            return None
    return obj


def setattr_recursive(obj, attr, value):
    *path, last = attr.split('.')
    for layer in path:
        obj = getattr(obj, layer)
    setattr(obj, last, value)


@dataclass
class Component:
    graph: Graph
    order: int
    name: str
    input_placeholders: list[Node] = field(default_factory=list)
    orig_inputs: list[Node] = field(default_factory=list)
    orig_outputs: list[Node] = field(default_factory=list)
    getattr_maps: dict[Node, Node] = field(default_factory=dict)
    constructor_args: list[str] = field(default_factory=list)
    gm: Optional[GraphModule] = None


def _nodes_of(argument):
    found = []
    map_arg(argument, found.append)
    return found


class _TagSplit:
    def __init__(self, gm, tags):
        self.gm = gm
        self.main = Graph()
        self.components = [Component(Graph(), i, f'{tag}') for i, tag in enumerate(tags)]
        self.by_tag = dict(zip(tags, self.components))
        self.component_of = {}
        self.copies = {}  # in the components
        self.main_copies = {}
        self.read_outside = {}
        self.output = None

    def copy_nodes(self):
        for node in self.gm.graph.nodes:
            if node.op == 'output':
                if self.output is not None:
                    raise RuntimeError('Multiple output nodes in graph!')
                self.output = node
            elif node.op == 'placeholder':
                self.main_copies[node] = self.main.placeholder(node.name, type_expr=node.type)
                self.main_copies[node].meta = copy.copy(node.meta)
            elif node.op != 'get_attr':
                self._copy_call(node)
        if self.output is None:
            raise RuntimeError('Graph had no output node!')

    def _copy_call(self, node):
        if not hasattr(node, 'tag'):
            raise AssertionError(f'Node does not have tag: {node.format_node()}')
        before = [self.component_of[read].order for read in _nodes_of(node.args) + _nodes_of(node.kwargs)
                  if read.op not in ('placeholder', 'get_attr')]
        highest = max(before, default=0)
        component = self.by_tag[node.tag]
        self.component_of[node] = component
        if component.order < highest:
            raise AssertionError(f'Component {component.name} order must be >= max of its upstream components, '
                                 f'order={component.order} and max={highest}')
        fresh = component.graph.node_copy(node, lambda read: self._read_in(component, read))
        fresh.tag = node.tag
        self.copies[node] = fresh
        self.component_of[fresh] = component

    def _read_in(self, component, read):
        """What the copy of a node reads instead: attributes and values of its component, or a new input of that."""
        if read.op == 'get_attr':
            if not isinstance(read.target, str):
                raise RuntimeError(f'Expected get_attr node target to be a str, got {type(read.target)}')
            known = component.getattr_maps
            if read not in known:
                known[read] = component.graph.get_attr(read.target, type_expr=read.type)
                known[read].meta = copy.copy(read.meta)
            return known[read]
        if read.op != 'placeholder' and self.component_of[read] is component:
            return self.copies[read]
        if read not in component.orig_inputs:
            component.orig_inputs.append(read)
            fresh = component.graph.placeholder(read.name, type_expr=read.type)
            fresh.meta = copy.copy(read.meta)
            component.input_placeholders.append(fresh)
            self.read_outside[read] = None
        return component.input_placeholders[component.orig_inputs.index(read)]

    def find_outputs(self):
        for read in _nodes_of(self.output.args[0]):
            if read.op == 'get_attr':
                self.main_copies[read] = self.main.get_attr(read.name, type_expr=read.type)
            else:
                self.read_outside[read] = None
        for node in self.read_outside:
            if node.op != 'placeholder':
                self.component_of[node].orig_outputs.append(node)

    def write_component(self, component, return_tuple):
        """Finishes the component and calls it. Returns the mapping of its names."""
        results = tuple([self.copies[node] for node in component.orig_outputs])
        bare = len(results) == 1 and not return_tuple
        component.graph.output(results[0] if bare else results)
        component.gm, mapping = lift_subgraph_as_module(self.gm, subgraph=component.graph, comp_name=component.name)
        call = self.main.call_module(component.name, args=tuple([self.main_copies[read] for read in component.orig_inputs]),
                                     kwargs=None)
        for i, node in enumerate(component.orig_outputs):
            self.main_copies[node] = call if bare else Proxy(call)[i].node
        return mapping

    def root(self):
        root = HolderModule({component.name: component.gm for component in self.components})
        for read in _nodes_of(self.output.args[0]):
            if read.op == 'get_attr':
                setattr(root, read.name, getattr_recursive(self.gm, read.target))
        return root


def split_by_tags(gm, tags, return_fqn_mapping=False, return_tuple=False, GraphModuleCls=GraphModule):
    split = _TagSplit(gm, tags)
    split.copy_nodes()
    split.find_outputs()
    mapping = {}
    for component in split.components:
        mapping.update(split.write_component(component, return_tuple))
    split.main.output(map_arg(split.output.args[0], lambda read: split.main_copies[read]))
    split.main._codegen = gm.graph._codegen
    result = GraphModuleCls(split.root(), split.main)
    return (result, mapping) if return_fqn_mapping else result


class _Boundary:
    """Which subgraph each node is in, and what of one may go to the next."""

    def __init__(self, subgraphs):
        self.subgraphs = subgraphs
        self.place = {node: i for i, subgraph in enumerate(subgraphs) for node in subgraph.nodes}

    def _held(self, nodes):
        return [node for node in nodes if node.op in CALLABLE_NODE_OPS and node in self.place]

    def targets(self, node):
        """The other subgraphs that read the node."""
        return {self.place[user] for user in self._held(node.users)} - {self.place[node]}

    def follow(self, node, target):
        """The node and all that must go with it to the target; None where something of that cannot."""
        source = self.place[node]
        found, waiting = {}, [node]
        while waiting:
            current = waiting.pop()
            if self.place[current] == target or current in found:
                continue
            if self.place[current] != source:
                return None
            found[current] = None
            waiting += reversed(self._held(current.users))
        return found

    def move(self, node, target, because_of):
        source = self.place[node]
        self.subgraphs[source].nodes.remove(node)
        self.subgraphs[target].nodes.append(node)
        self.place[node] = target
        print(f'In order move the non-tensor node {because_of.name} on boundary, moved node {node.name} '
              f'from {self._label(source)} to {self._label(target)}')

    def _label(self, i):
        return f"{'acc' if self.subgraphs[i].is_acc else 'gpu'}_{i}"

    def clear(self, source):
        """Moves what is no tensor and is read by one other subgraph there."""
        queue = [node for node in self.subgraphs[source].nodes
                 if not is_node_output_tensor(node) and self._leaves(node, source)]
        done = set()
        for node in queue:
            if node in done:
                continue
            done.add(node)
            if self.place.get(node) != source:
                continue
            readers = self._held(node.users)
            if not readers:
                raise AssertionError('Only node that has children in other subgraph can be moved')
            targets = self.targets(node)
            if len(targets) != 1:
                print(f'Cannot move non-tensor node {node.name} on boundary because it has children in multiple subgraphs')
                continue
            target = targets.pop()
            moved = self.follow(node, target)
            if moved is None:
                continue
            for one in moved:
                self.move(one, target, node)
            for read in self._held(node.all_input_nodes):
                if not is_node_output_tensor(read) and read not in done and self.place[read] == source:
                    if not self._leaves(read, source):
                        raise AssertionError(f'Parent {read.name} should have children in another subgraph')
                    queue.append(read)

    def _leaves(self, node, source):
        return any(self.place[user] != source for user in self._held(node.users))


def move_non_tensor_nodes_on_boundary(subgraphs):
    boundary = _Boundary(subgraphs)
    for i, subgraph in enumerate(subgraphs):
        if subgraph.is_acc:
            boundary.clear(i)
