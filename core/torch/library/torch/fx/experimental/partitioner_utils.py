# SPDX-License-Identifier: GPL-3.0-or-later
# Partitions of a graph for several devices, what they take of memory, and how long they and the ways between them take.
from enum import Enum
from typing import NamedTuple
from torch.fx.node import Node, map_arg

_INPUT_OPS = ('placeholder', 'get_attr')


def _inputs_of(node):
    found = {}
    map_arg(node.args, found.setdefault)
    map_arg(node.kwargs, found.setdefault)
    return found


class Partition:
    def __init__(self, partition_id):
        self.nodes = set()
        self.partition_id = partition_id
        self.parents = set()
        self.children = set()
        self.bfs_level = -1
        self.used_mem_bytes = 0
        self.logical_device_ids = []

    def __str__(self):
        return str(self.partition_id)

    def recalculate_mem_size(self):
        self.used_mem_bytes = sum(get_extra_size_of(node, self.nodes) for node in self.nodes)

    def add_node(self, node):
        # The inputs and weights that it reads come along.
        self.nodes.update(n for n in _inputs_of(node) if n.op in _INPUT_OPS)
        self.nodes.add(node)
        self.recalculate_mem_size()

    def remove_node(self, node):
        if node not in self.nodes:
            return
        self.nodes.remove(node)
        for source in _inputs_of(node):
            if source.op in _INPUT_OPS and not any(user in self.nodes for user in source.users):
                self.nodes.remove(source)
        self.recalculate_mem_size()


class Device(NamedTuple):
    name: str
    available_mem_bytes: int
    logical_id: int


class NodeLatency(NamedTuple):
    mem_latency_sec: float
    computer_latency_sec: float


class PartitionLatency(NamedTuple):
    # Of the slowest way through a partition: memory and computing alone, and of each call the slower of both.
    mem_latency_sec: float
    computer_latency_sec: float
    overall_latency_sec: float


class PartitionMode(Enum):
    size_based = 0
    sparse_nn = 1
    cost_aware = 2
    kl_based = 3
    aot_based = 4


class PartitionerConfig(NamedTuple):
    devices: list[Device]
    mode: PartitionMode = PartitionMode.size_based
    transfer_rate_bytes_per_sec: float = 0.0
    node_to_latency_mapping: dict[Node, NodeLatency] = {}
    node_to_partition_mapping: dict[Node, int] = {}
    partition_to_logical_device_mapping: dict[int, list[int]] = {}
    saturate_host: bool = False


def _size_of(node):
    size = getattr(node, 'size_bytes', None)
    if not size:
        raise RuntimeError('node has no size_bytes attr')
    return size


def get_extra_size_of(node, nodes):
    inputs = sum(_size_of(n).output_size for n in _inputs_of(node) if n not in nodes)
    return inputs + _size_of(node).total_size


def _slowest(found):
    slowest = PartitionLatency(0.0, 0.0, 0.0)
    for latency in found:
        if latency.overall_latency_sec > slowest.overall_latency_sec:
            slowest = latency
    return slowest


def get_latency_of_one_partition(partition, node_to_latency_mapping):
    def starts_here(node):
        return node.op not in _INPUT_OPS and not any(n in partition.nodes and n.op not in _INPUT_OPS for n in _inputs_of(node))

    def through(node, so_far):
        own = node_to_latency_mapping[node]
        here = PartitionLatency(so_far.mem_latency_sec + own.mem_latency_sec,
                                so_far.computer_latency_sec + own.computer_latency_sec,
                                so_far.overall_latency_sec + max(own.computer_latency_sec, own.mem_latency_sec))
        users = set(node.users) & partition.nodes
        return _slowest(through(user, here) for user in users) if users else here

    nothing = PartitionLatency(0.0, 0.0, 0.0)
    return _slowest([through(node, nothing) for node in partition.nodes if starts_here(node)])


def get_partition_to_latency_mapping(partitions, node_to_latency_mapping):
    return {partition: get_latency_of_one_partition(partition, node_to_latency_mapping) for partition in partitions}


def get_comm_latency_between(parent_partition, child_partition, transfer_rate_bytes_per_sec):
    devices = parent_partition.logical_device_ids
    if devices != [] and devices == child_partition.logical_device_ids:
        return 0.0
    sent = {n for node in child_partition.nodes for n in _inputs_of(node) if n in parent_partition.nodes}
    sizes = [getattr(n, 'size_bytes', None) for n in sent]
    return sum(size.output_size for size in sizes if size is not None) / transfer_rate_bytes_per_sec


def get_latency_of_partitioned_graph(partitions, partition_to_latency_mapping, transfer_rate_bytes_per_sec):
    def through(partition, so_far):
        so_far += partition_to_latency_mapping[partition].overall_latency_sec
        if not partition.children:
            return so_far
        return max(0.0, *(through(child, so_far + get_comm_latency_between(partition, child, transfer_rate_bytes_per_sec))
                          for child in partition.children))

    return max([0.0] + [through(partition, 0.0) for partition in partitions if len(partition.parents) == 0])
