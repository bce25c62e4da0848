# SPDX-License-Identifier: GPL-3.0-or-later
# split_module: the nodes of a graph moved into submodules by a function that numbers them, and a graph that calls those.
# Values go between them as arguments. Regions of autocast and of set_grad_enabled are opened again in each submodule.
import inspect

import torch
from torch.fx.graph import Graph
from torch.fx.graph_module import GraphModule
from torch.fx.node import Node, map_arg
from torch.fx.proxy import Proxy

__all__ = ['Partition', 'split_module', 'split_module_simple']


class Partition:
    def __init__(self, name):
        self.name = name
        self.submod_name = f'submod_{name}'
        self.node_names = []
        # ordered sets, of names of nodes and of names of partitions
        self.inputs, self.outputs, self.dependencies, self.dependents = {}, {}, {}, {}
        self.graph = Graph()
        self.environment = {}
        self.targets = {}

    def __repr__(self):
        return (f'name: {self.name},\n nodes: {self.node_names},\n inputs: {self.inputs},\n outputs: {self.outputs},\n'
                f' partitions depended on: {self.dependencies},\n partition dependents: {self.dependents}')


def _get_attr_from_qualname(mod, qualname):
    value = mod
    for name in qualname.split('.'):
        if not hasattr(value, name):
            raise AttributeError(f'Node target {qualname} not found!')
        value = getattr(value, name)
    return value


def _copy_onto(graph, node, args, kwargs, target=None, name=None):
    fresh = graph.create_node(op=node.op, target=node.target if target is None else target, args=args, kwargs=kwargs,
                              type_expr=node.type, name=name)
    fresh.meta = node.meta.copy()
    return fresh


def _call_part(graph, name, inputs, outputs, as_tuple, env):
    """Calls a submodule, and notes in env which value of it is which output."""
    call = graph.call_module(name, inputs)
    if len(outputs) == 1 and not as_tuple:
        env[outputs[0]] = call
        return
    result = Proxy(call)
    for i, output in enumerate(outputs):
        env[output] = result[i].node


class _Regions:
    """Which partitions are inside a block of autocast, or come after a node that sets the grad mode.

    Both are calls in the graph that change what others compute, so each partition has them for itself.
    """

    def __init__(self, number_of):
        self.number_of = number_of
        self.enter = getattr(torch.amp, '_enter_autocast', None)
        self.exit = getattr(torch.amp, '_exit_autocast', None)
        self.set_grad = torch._C._set_grad_enabled
        self.grad, self.autocast = {}, {}  # by the node that begins a region, the numbers of its partitions
        self.exits = {}
        self._active_grad = None
        self._active_autocasts = {}

    def begins_or_ends(self, node):
        target = node.target
        return target is not None and not isinstance(target, str) and target in (self.enter, self.exit, self.set_grad)

    def follow(self, node):
        if node.op == 'call_function' and self.begins_or_ends(node):
            self._change(node)
        if self._active_grad is not None:
            self.grad[self._active_grad].add(self.number_of(node))
        for begin in self._active_autocasts:
            self.autocast[begin].add(self.number_of(node))

    def _change(self, node):
        if node.target is self.set_grad:
            if len(node.args) != 1:
                raise AssertionError(f'Expected 1 arg for _set_grad_enabled, got {len(node.args)}')
            if not isinstance(node.args[0], bool):
                raise AssertionError(f'Expected bool arg, got {type(node.args[0])}')
            self._active_grad = node
            self.grad[node] = {self.number_of(node)}
        elif node.target is self.enter:
            if any(isinstance(arg, Node) for arg in node.args):
                raise AssertionError('Expected all args to be python constants, not Nodes')
            self._active_autocasts[node] = None
            self.autocast[node] = {self.number_of(node)}
            self.exits[node] = None
        else:
            if len(node.args) != 1:
                raise AssertionError(f'Expected 1 arg for _exit_autocast, got {len(node.args)}')
            begin = node.args[0]
            self.autocast[begin].add(self.number_of(node))
            del self._active_autocasts[begin]
            self.exits[begin] = node

    def close(self):
        if None in self.exits.values():
            raise AssertionError('autocast must exit')
        self.autocast = {begin: sorted(numbers) for begin, numbers in self.autocast.items()}
        self.grad = {begin: sorted(numbers) for begin, numbers in self.grad.items()}
        self.any = bool(self.autocast or self.grad)

    def write_begins(self, partitions):
        for regions in (self.autocast, self.grad):
            for begin, (first, *later) in regions.items():
                partitions[str(first)].environment[begin] = begin
                for number in later:
                    partition = partitions[str(number)]
                    partition.environment[begin] = _copy_onto(partition.graph, begin, tuple(begin.args), {})

    def write_ends(self, partitions):
        for begin in reversed(list(self.autocast)):
            for number in self.autocast[begin][:-1]:
                partition = partitions[str(number)]
                _copy_onto(partition.graph, self.exits[begin], (partition.environment[begin],), {})


class _Split:
    def __init__(self, m, split_callback, partition_affix):
        self.m = m
        self.number_of = split_callback
        self.affix = partition_affix
        self.nodes = {node.name: node for node in m.graph.nodes}
        self.partitions = {}
        self.regions = _Regions(split_callback)

    def assign(self):
        for node in self.m.graph.nodes:
            if node.op in ('placeholder', 'get_attr', 'output'):
                continue
            name = str(self.number_of(node))
            if self.affix is not None:
                name = f'{self.affix}_{name}'
            if name not in self.partitions:
                self.partitions[name] = Partition(name)
            self.partitions[name].node_names.append(node.name)
            node._fx_partition = name
            self.regions.follow(node)
        self.regions.close()

    def find_uses(self):
        highest = -1
        for node in self.m.graph.nodes:
            if node.op in ('placeholder', 'get_attr'):
                continue
            if node.op == 'output':
                map_arg(node.args[0], lambda read: self._note_use(read, None))
                continue
            if self.regions.any:
                number = self.number_of(node)
                if highest > number:
                    raise AssertionError('autocast or set_grad_enabled require monotonically increasing '
                                         f"partitions: highest: {highest}, this node's: {number}")
                highest = number
            if not self.regions.begins_or_ends(node):
                map_arg(node.args, lambda read: self._note_use(read, node))
                map_arg(node.kwargs, lambda read: self._note_use(read, node))

    def _note_use(self, read, user):
        made_in = getattr(read, '_fx_partition', None)
        used_in = getattr(user, '_fx_partition', None)
        if made_in == used_in:
            return
        if made_in is not None:
            maker = self.partitions[made_in]
            maker.outputs.setdefault(read.name)
            if used_in is not None:
                maker.dependents.setdefault(used_in)
        if used_in is not None:
            reader = self.partitions[used_in]
            reader.inputs.setdefault(read.name)
            if made_in is not None:
                reader.dependencies.setdefault(made_in)

    def in_order(self):
        """Names of partitions, each after those that it depends on; their dependencies are used up."""
        ready = [name for name, partition in self.partitions.items() if not partition.dependencies]
        result = []
        while ready:
            name = ready.pop()
            result.append(name)
            for reader in self.partitions[name].dependents:
                left = self.partitions[reader].dependencies
                left.pop(name)
                if not left:
                    ready.append(reader)
        if len(result) != len(self.partitions):
            raise RuntimeError('cycle exists between partitions!')
        return result

    def _module_read_by(self, node):
        """The submodule that a get_attr node reads, else None."""
        if node.op != 'get_attr':
            return None
        if not isinstance(node.target, str):
            raise AssertionError(f'Expected str target, got {type(node.target)}')
        value = _get_attr_from_qualname(self.m, node.target)
        return value if isinstance(value, torch.nn.Module) else None

    def make_inputs(self, partition, keep_names):
        # a module that is read is part of the partition; its node comes after all placeholders
        modules = {name: self._module_read_by(self.nodes[name]) for name in partition.inputs}
        arguments = [name for name, module in modules.items() if module is None]
        for i, name in enumerate(arguments):
            self._set_input(partition, name, partition.graph.placeholder(name if keep_names else f'arg_{i}',
                                                                         type_expr=self.nodes[name].type))
        for name, module in modules.items():
            if module is not None:
                target = self.nodes[name].target
                self._set_input(partition, name, partition.graph.get_attr(target))
                partition.targets[target] = module
        partition.inputs = dict.fromkeys(arguments)

    def _set_input(self, partition, name, fresh):
        node = self.nodes[name]
        fresh.meta = node.meta.copy()
        partition.environment[node] = fresh

    def copy_nodes(self, qualname_map, keep_names):
        for node in self.m.graph.nodes:
            if not hasattr(node, '_fx_partition'):
                continue
            partition = self.partitions[node._fx_partition]
            env = partition.environment
            args = map_arg(node.args, lambda read: env[read])
            kwargs = map_arg(node.kwargs, lambda read: env[read])
            target = node.target
            if node.op == 'call_module':
                module = _get_attr_from_qualname(self.m, target)
                target = target.replace('.', '_')
                partition.targets[target] = module
                if qualname_map is not None:
                    qualname_map[f'{partition.submod_name}.{target}'] = node.target
            env[node] = _copy_onto(partition.graph, node, args, kwargs, target, node.name if keep_names else None)


class _Base:
    """The graph that calls the partitions, while it is made."""

    def __init__(self, m, keep_names):
        self.m = m
        self.keep_names = keep_names
        self.graph = Graph()
        self.env = {}
        self.attributes = {}

    def copy(self, node):
        if node.op == 'placeholder':
            if self.keep_names:
                fresh = self.graph.create_node('placeholder', node.name, args=tuple(node.args[:1]), type_expr=node.type)
            else:
                default = node.args[0] if node.args else inspect.Signature.empty
                fresh = self.graph.placeholder(node.target, type_expr=node.type, default_value=default)
        elif node.op == 'get_attr':
            fresh = self.graph.get_attr(node.target)
            if not isinstance(node.target, str):
                raise AssertionError(f'Expected str target, got {type(node.target)}')
            self.attributes[node.target] = _get_attr_from_qualname(self.m, node.target)
        else:
            return
        fresh.meta = node.meta.copy()
        self.env[node.name] = fresh

    def copy_once(self, nodes):
        for node in nodes:
            if node.name not in self.env:
                self.copy(node)


def split_module(m, root_m, split_callback, qualname_map=None, keep_original_order=False, keep_original_node_name=False,
                 keep_original_input_name=True, *, partition_affix=None, tuple_return=False):
    split = _Split(m, split_callback, partition_affix)
    split.assign()
    split.find_uses()
    partitions = split.partitions
    order = split.in_order()
    split.regions.write_begins(partitions)
    for name in order:
        split.make_inputs(partitions[name], keep_original_input_name)
    split.copy_nodes(qualname_map, keep_original_node_name)
    split.regions.write_ends(partitions)

    base = _Base(m, keep_original_node_name)
    placeholders = [node for node in m.graph.nodes if node.op == 'placeholder']
    if keep_original_order:
        order = list(partitions)
    else:
        for node in m.graph.nodes:
            base.copy(node)
    for name in order:
        partition = partitions[name]
        outputs = tuple([partition.environment[split.nodes[output]] for output in partition.outputs])
        partition.graph.output(outputs[0] if len(outputs) == 1 and not tuple_return else outputs)
        if keep_original_order:
            # what a partition reads of the module stands right before its call
            base.copy_once(placeholders)
            base.copy_once([split.nodes[read] for read in partition.inputs])
        base.attributes[partition.submod_name] = GraphModule(partition.targets, partition.graph)
        _call_part(base.graph, partition.submod_name, tuple([base.env[read] for read in partition.inputs]),
                   list(partition.outputs), tuple_return, base.env)
    if keep_original_order and not base.env:
        for node in m.graph.nodes:
            base.copy(node)
    for node in m.graph.nodes:
        if node.op == 'output':
            base.graph.output(map_arg(node.args[0], lambda read: base.env[read.name]))
    result = GraphModule(base.attributes, base.graph)
    result.meta['partition_names'] = {partition.submod_name for partition in partitions.values()}
    return result


class _SimplePart:
    def __init__(self):
        self.graph = Graph()
        self.env, self.inputs, self.outputs = {}, {}, {}


def _find_simple_parts(m, node_to_partition):
    parts = {}

    def export(node):
        if hasattr(node, '_fx_partition'):
            parts[node._fx_partition].outputs.setdefault(node)
        return node

    for node in m.graph.nodes:
        if node.op == 'placeholder':
            continue
        if node.op == 'output':
            map_arg(node.args[0], export)
            continue
        number = node_to_partition[node]
        node._fx_partition = number
        part = parts.setdefault(number, _SimplePart())
        for read in node.all_input_nodes:
            if getattr(read, '_fx_partition', None) != number:
                part.inputs.setdefault(export(read))
    return parts


def split_module_simple(m, node_to_partition, *, partition_affix=None):
    """For graphs of functions and methods alone, whose partitions need no sorting."""
    parts = _find_simple_parts(m, node_to_partition)
    for part in parts.values():
        for read in part.inputs:
            part.env[read] = part.graph.placeholder(read.name, type_expr=read.type)
            part.env[read].meta = read.meta.copy()
    for node in m.graph.nodes:
        if hasattr(node, '_fx_partition'):
            part = parts[node._fx_partition]
            args = map_arg(node.args, lambda read: part.env[read])
            kwargs = map_arg(node.kwargs, lambda read: part.env[read])
            part.env[node] = _copy_onto(part.graph, node, args, kwargs)

    base, env, modules = Graph(), {}, {}
    for node in m.graph.nodes:
        if node.op == 'placeholder':
            env[node.name] = base.placeholder(node.target, type_expr=node.type)
            env[node.name].meta = node.meta.copy()
    for number, part in parts.items():
        outputs = tuple([part.env[node] for node in part.outputs])
        part.graph.output(outputs[0] if len(outputs) == 1 else outputs)
        name = f'submod_{number}' if partition_affix is None else f'submod_{partition_affix}_{number}'
        modules[name] = GraphModule(m, part.graph, 'GraphModuleImpl').eval()
        _call_part(base, name, tuple([env[read.name] for read in part.inputs]), [node.name for node in part.outputs],
                   False, env)
    for node in m.graph.nodes:
        if node.op == 'output':
            base.output(map_arg(node.args[0], lambda read: env[read.name]))
    return GraphModule(modules, base, 'GraphModuleImpl').eval()
