# SPDX-License-Identifier: GPL-3.0-or-later
# What partitions are to each other, and which devices they go to; names of accelerator_partitioner.py.
import operator
from collections import deque
from torch.fx.experimental.partitioner_utils import Partition, get_extra_size_of


def reset_partition_device(partitions):
    for partition in partitions:
        partition.logical_device_ids = []


def combine_two_partitions(partition_0, partition_1, partitions):
    both = Partition(len(partitions))
    both.nodes = partition_0.nodes | partition_1.nodes
    both.recalculate_mem_size()
    partitions.append(both)
    partitions.remove(partition_0)
    partitions.remove(partition_1)
    reorganize_partitions(partitions)


def set_parents_and_children(partitions):
    # Who reads what a partition computes, and does not compute it itself, is its child.
    for partition in partitions:
        partition.children, partition.parents = set(), set()
    for partition in partitions:
        for node in partition.nodes:
            for other in partitions:
                if other != partition and node not in other.nodes and any(user in other.nodes for user in node.users):
                    partition.children.add(other)
                    other.parents.add(partition)


def reorganize_partitions(partitions):
    for number, partition in enumerate(partitions):
        partition.partition_id = number
    set_parents_and_children(partitions)


def get_bfs_level_partition(partitions):
    current = {partition for partition in partitions if len(partition.parents) == 0}
    level = 0
    while current:
        following = set()
        for partition in current:
            partition.bfs_level = level
            following |= partition.children
        current = following
        level += 1


def get_node_to_partition_mapping(partitions):
    return {node: partition.partition_id for partition in partitions for node in partition.nodes}


def get_logical_id_to_device(devices):
    return {device.logical_id: device for device in devices}


def get_device_partition_stats(partitions, devices):
    by_id = get_logical_id_to_device(devices)
    on_device = {device: [] for device in devices}
    room = {device: device.available_mem_bytes for device in devices}
    homeless = []
    for partition in partitions:
        if partition.logical_device_ids == []:
            homeless.append(partition)
        for number in partition.logical_device_ids:
            on_device[by_id[number]].append(partition)
            room[by_id[number]] -= partition.used_mem_bytes
    return on_device, room, homeless


def _extra_bytes(partition, others):
    nodes = set().union(*(other.nodes for other in others))
    if not nodes:
        return partition.used_mem_bytes
    nodes |= partition.nodes
    return sum(get_extra_size_of(node, nodes) for node in partition.nodes)


def get_device_to_partitions_mapping(partitions, devices):
    # Each partition that has no device goes to the fullest that still has room for it.
    on_device, room, homeless = get_device_partition_stats(partitions, devices)
    for partition in homeless:
        room = dict(sorted(room.items(), key=operator.itemgetter(1)))
        for device in room:
            extra = _extra_bytes(partition, on_device[device])
            if extra < room[device]:
                on_device[device].append(partition)
                partition.logical_device_ids.append(device.logical_id)
                room[device] -= extra
                break
        else:
            return False
    return True


def check_dependency(partition):
    # Whether a partition waits for itself.
    seen = {partition}
    queue = deque([partition])
    while queue:
        for child in queue.popleft().children:
            if child == partition:
                return True
            if child not in seen:
                seen.add(child)
                queue.append(child)
    return False
