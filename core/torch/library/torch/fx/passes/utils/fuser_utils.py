# SPDX-License-Identifier: GPL-3.0-or-later
# Groups of nodes taken out of a graph into submodules that are called in their place.
import copy
import heapq

from torch.fx.graph import Graph
from torch.fx.passes.tools_common import NodeList, NodeSet, legalize_graph, stable_topological_sort
from torch.fx.passes.utils.common import lift_subgraph_as_module
from torch.fx.proxy import Proxy


def topo_sort(nodes):
    """The nodes so that each comes after those of the list that it reads, otherwise in their order."""
    place = {node: i for i, node in enumerate(nodes)}
    waits_for = {node: sum(read in place for read in node.all_input_nodes) for node in nodes}
    ready = [place[node] for node in nodes if not waits_for[node]]
    result = []
    while ready:
        node = nodes[heapq.heappop(ready)]
        result.append(node)
        for user in node.users:
            if user in waits_for:
                waits_for[user] -= 1
                if not waits_for[user]:
                    heapq.heappush(ready, place[user])
    if len(result) != len(nodes):
        raise AssertionError("topological sorted nodes doesn't have same length as input nodes")
    return result


def validate_partition(partition):
    """False where a value leaves the partition and comes back into it."""
    inside = set(partition)
    waiting = [user for node in inside for user in node.users if user not in inside]
    seen = set(waiting)
    while waiting:
        for user in waiting.pop().users:
            if user in inside:
                return False
            if user not in seen:
                seen.add(user)
                waiting.append(user)
    return True


def _check_nodes(gm, nodes):
    held = set(gm.graph.nodes)
    for node in nodes:
        if node.graph.owning_module is not gm:
            raise AssertionError(f"{node} doesn't belong to passed in graph module {gm._get_name()}")
        if getattr(node, '_erased', False):
            raise AssertionError(f'{node} has been removed from owning graph')
        if node not in held:
            raise AssertionError(f'{node} is not found in graph module {gm._get_name()}')


def fuse_as_graphmodule(gm, nodes, module_name, partition_lookup_table=None, *, always_return_tuple=False):
    _check_nodes(gm, nodes)
    if not validate_partition(nodes):
        raise AssertionError('Invalid partition, found dependency cycles')
    inside = dict.fromkeys(nodes) if partition_lookup_table is None else partition_lookup_table
    subgraph = Graph()
    inputs, copies = {}, {}

    def inner(node):
        if node in inside:
            return copies[node]
        if node not in inputs:
            inputs[node] = subgraph.placeholder(node.name, type_expr=node.type)
            inputs[node].meta = copy.copy(node.meta)
        return inputs[node]

    for node in nodes:
        copies[node] = subgraph.node_copy(node, inner)
    outputs = {node: copies[node] for node in nodes if any(user not in inside for user in node.users)}
    results = tuple(outputs.values())
    subgraph.output(results[0] if len(results) == 1 and not always_return_tuple else results)
    subgraph.lint()
    fused, _ = lift_subgraph_as_module(gm, subgraph, comp_name='', class_name=module_name)
    return fused, tuple(inputs), tuple(outputs)


def insert_subgm(gm, sub_gm, orig_inputs, orig_outputs, insertion_point=None):
    name = type(sub_gm).__name__
    gm.add_submodule(name, sub_gm)
    if insertion_point is None:
        insertion_point = next((node for node in reversed(gm.graph.nodes) if node in orig_outputs), None)
        if insertion_point is None:
            raise AssertionError('Cannot determine insertion point: no insertion_point provided and '
                                 'orig_outputs is empty. Pass the last partition node as insertion_point.')
    with gm.graph.inserting_after(insertion_point):
        call = gm.graph.call_module(name, args=orig_inputs, kwargs=None)
    if not orig_outputs:
        return gm
    results = sub_gm.graph.output_node().args[0]
    with gm.graph.inserting_before(call.next):
        if len(orig_outputs) == 1 and not isinstance(results, tuple):
            orig_outputs[0].replace_all_uses_with(call, propagate_meta=True)
        else:
            for i, old in enumerate(orig_outputs):
                old.replace_all_uses_with(Proxy(call)[i].node, propagate_meta=True)
            call.meta['val'] = tuple([old.meta.get('val') for old in orig_outputs])
    return gm


def erase_nodes(gm, nodes):
    for node in reversed(nodes):
        gm.graph.erase_node(node)


def fuse_by_partitions(gm, partitions, prefix='fused_', always_return_tuple=False):
    for i, partition in enumerate(partitions):
        nodes = topo_sort(list(partition))
        fused, inputs, outputs = fuse_as_graphmodule(gm, nodes, f'{prefix}{i}', partition,
                                                     always_return_tuple=always_return_tuple)
        insert_subgm(gm, fused, inputs, outputs, nodes[-1])
        erase_nodes(gm, nodes)
    stable_topological_sort(gm)
    gm.graph.lint()
    return gm
