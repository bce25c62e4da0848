# SPDX-License-Identifier: GPL-3.0-or-later
# The two ways of accelerator_partitioner.py that search for the cut of a module that is fastest: joining partitions while that helps,
# and swapping nodes between partitions as Kernighan and Lin do.
from torch.fx.experimental._partition_helpers import (check_dependency, combine_two_partitions, get_bfs_level_partition,
                                                      get_device_to_partitions_mapping, get_node_to_partition_mapping,
                                                      reorganize_partitions, reset_partition_device, set_parents_and_children)
from torch.fx.experimental.partitioner_utils import get_latency_of_partitioned_graph, get_partition_to_latency_mapping

_NEVER = float('inf')


def _cost(partitions, rate, latencies):
    return get_latency_of_partitioned_graph(partitions, get_partition_to_latency_mapping(partitions, latencies), rate)


def _cost_combined(partitioner, i, j, rate, latencies):
    partitions = partitioner.partitions[:]
    p0, p1 = partitions[i], partitions[j]
    if abs(p0.bfs_level - p1.bfs_level) > 1 and p0 not in p1.parents and p0 not in p1.children:
        return _NEVER
    combine_two_partitions(p0, p1, partitions)
    if check_dependency(partitions[-1]):
        return _NEVER
    reset_partition_device(partitions)
    if not get_device_to_partitions_mapping(partitions, partitioner.devices):
        return _NEVER
    return _cost(partitions, rate, latencies)


def _combine_best(partitioner, rate, latencies):
    partitions = partitioner.partitions
    cost = _cost(partitions, rate, latencies)
    if len(partitions) == 1:
        return False
    best = None
    for i in range(len(partitions) - 1):
        for j in range(i + 1, len(partitions)):
            new_cost = _cost_combined(partitioner, i, j, rate, latencies)
            if new_cost <= cost:
                best, cost = (i, j), new_cost
            reorganize_partitions(partitions)
    if best is not None:
        combine_two_partitions(partitions[best[0]], partitions[best[1]], partitions)
    get_bfs_level_partition(partitions)
    reset_partition_device(partitions)
    get_device_to_partitions_mapping(partitions, partitioner.devices)
    return best is not None


def cost_aware(partitioner, rate, latencies):
    for node in partitioner.graph_module.graph.nodes:
        if node.op not in ('placeholder', 'get_attr', 'output'):
            partitioner.create_single_node_partition(node)
    set_parents_and_children(partitioner.partitions)
    get_bfs_level_partition(partitioner.partitions)
    while _combine_best(partitioner, rate, latencies):
        pass
    reorganize_partitions(partitioner.partitions)
    partitioner.node_to_partition = get_node_to_partition_mapping(partitioner.partitions)


def _swap(n0, n1, p0, p1):
    # None on one side: the other side's node just moves.
    if n0 is not None:
        p0.remove_node(n0)
        p1.add_node(n0)
    if n1 is not None:
        p0.add_node(n1)
        p1.remove_node(n1)


def _cost_swapped(partitioner, n0, n1, p0, p1, rate, latencies):
    partitions, devices = partitioner.partitions, partitioner.devices
    cost = _NEVER
    _swap(n0, n1, p0, p1)
    reorganize_partitions(partitions)
    if not check_dependency(p0) and not check_dependency(p1):
        reset_partition_device(partitions)
        times = get_partition_to_latency_mapping(partitions, latencies)
        if get_device_to_partitions_mapping(partitions, devices):
            cost = get_latency_of_partitioned_graph(partitions, times, rate)
    _swap(n1, n0, p0, p1)
    reorganize_partitions(partitions)
    reset_partition_device(partitions)
    get_device_to_partitions_mapping(partitions, devices)
    return cost


def _best_swap(partitioner, node, p0, p1, rate, latencies):
    # The cost is that of the last swap tried, which just moves the node; PyTorch has it so.
    lowest, pair = _NEVER, None
    for other in list(p1.nodes) + [None]:
        if other is not None and other.op in ('placeholder', 'get_attr'):
            continue
        cost = _cost_swapped(partitioner, node, other, p0, p1, rate, latencies)
        if cost < lowest:
            lowest, pair = cost, (node, other)
    return cost, pair


def kernighan_lin(partitioner, rate, latencies):
    partitioner.size_based_partition()
    partitions = partitioner.partitions
    cost = _cost(partitions, rate, latencies)
    best = None
    for node in partitioner.graph_module.graph.nodes:
        if node.op in ('placeholder', 'get_attr', 'output'):
            continue
        home = partitioner.node_to_partition[node]
        for number, other in enumerate(partitions):
            if number == home:
                continue
            new_cost, pair = _best_swap(partitioner, node, partitions[home], other, rate, latencies)
            if new_cost < cost:
                cost = new_cost
                best = pair and (pair, partitions[home], other)
        if best:
            (n0, n1), p0, p1 = best
            _swap(n0, n1, p0, p1)
            reorganize_partitions(partitions)
            get_device_to_partitions_mapping(partitions, partitioner.devices)
    reorganize_partitions(partitions)
    get_device_to_partitions_mapping(partitions, partitioner.devices)
