# SPDX-License-Identifier: GPL-3.0-or-later
# Partitioner cuts a module into partitions for several devices. What partitions know of each other and of devices is in
# _partition_helpers.py, the two ways that search for the fastest cut in _partition_search.py.
import operator
from typing import NamedTuple
import torch
from torch.fx.experimental._partition_helpers import (check_dependency, combine_two_partitions, get_bfs_level_partition,
                                                      get_device_partition_stats, get_device_to_partitions_mapping,
                                                      get_logical_id_to_device, get_node_to_partition_mapping,
                                                      reorganize_partitions, reset_partition_device, set_parents_and_children)
from torch.fx.experimental._partition_search import cost_aware, kernighan_lin
from torch.fx.experimental.partitioner_utils import (Device, NodeLatency, Partition, PartitionerConfig, PartitionMode, _inputs_of,
                                                     get_extra_size_of, get_latency_of_partitioned_graph,
                                                     get_partition_to_latency_mapping)
from torch.fx.graph_module import GraphModule
from torch.fx.node import Node
from torch.fx.passes.graph_manipulation import get_size_of_all_nodes
from torch.fx.passes.split_module import split_module

_CALLS = ('call_module', 'call_method', 'call_function')


class DAGNode:
    # A partition as a node of a graph of partitions.
    def __init__(self, submodule_node, input_nodes, output_nodes, logical_device_ids, size_bytes):
        self.submodule_node = submodule_node
        self.input_nodes = input_nodes
        self.output_nodes = output_nodes
        self.logical_device_ids = logical_device_ids
        self.size_bytes = size_bytes

    def __str__(self):
        return str(self.submodule_node)


class DAG:
    def __init__(self):
        self.nodes = []

    def create_node(self, submodule_node, input_nodes, output_nodes, logical_devices, size_bytes):
        self.nodes.append(DAGNode(submodule_node, input_nodes, output_nodes, logical_devices, size_bytes))


class PartitionResult(NamedTuple):
    dag: DAG
    module_with_submodules: GraphModule


class Partitioner:
    def __init__(self):
        self.partitions = []
        self.node_to_partition = {}
        self.devices = []

    def partition_graph(self, fx_module, torch_module, partitioner_config):
        config = partitioner_config
        self.graph_module = fx_module
        self.torch_module = torch_module
        self.devices = config.devices
        if len(self.devices) == 0:
            raise RuntimeError('No devices')
        get_size_of_all_nodes(fx_module)
        nodes = list(fx_module.graph.nodes)
        if all(node.op in ('placeholder', 'get_attr', 'output') for node in nodes):
            raise RuntimeError('No Partition since no operations in the module')
        total = 0
        for node in nodes:
            if node.op == 'output':
                break
            total += node.size_bytes.total_size
        self._choose(config, total)
        if config.saturate_host:
            self.saturate_host()
        module = self.do_partition()
        return PartitionResult(self.dump_dag(module), module)

    def _choose(self, config, total):
        largest = max(self.devices, key=lambda d: d.available_mem_bytes)
        if config.mode == PartitionMode.aot_based:
            self.aot_based_partition(config.node_to_partition_mapping, config.partition_to_logical_device_mapping)
        elif total <= largest.available_mem_bytes:
            self.find_single_partition(total, logical_device_id=largest.logical_id)
        elif total > sum(d.available_mem_bytes for d in self.devices):
            raise RuntimeError('Devices do not have enough memory for the module')
        elif config.mode == PartitionMode.sparse_nn:
            available = self.devices[0].available_mem_bytes
            if any(device.available_mem_bytes != available for device in self.devices):
                raise RuntimeError('All devices must have same memory size!')
            self.sparse_nn_partition(available)
        elif config.mode == PartitionMode.cost_aware:
            self.cost_aware_partition(config.transfer_rate_bytes_per_sec, config.node_to_latency_mapping)
        elif config.mode == PartitionMode.kl_based:
            self.kl_based_partition(config.transfer_rate_bytes_per_sec, config.node_to_latency_mapping)
        else:
            self.size_based_partition()

    def find_single_partition(self, total_size_of_graph, logical_device_id=0):
        partition = self.create_partition()
        partition.nodes.update(node for node in self.graph_module.graph.nodes if node.op != 'output')
        partition.used_mem_bytes = total_size_of_graph
        partition.logical_device_ids = [logical_device_id]
        self.node_to_partition = get_node_to_partition_mapping(self.partitions)

    def size_based_partition(self):
        # Device after device is filled with the calls in order; what is left over goes alone, to wherever there is room.
        occupied = []
        room = {}

        def device_for(node):
            needed = get_extra_size_of(node, set())
            for device in self.devices:
                if device not in occupied and device.available_mem_bytes >= needed:
                    occupied.append(device)
                    return device
            raise RuntimeError(str(node) + ' is too large to fit any device')

        partition = self.create_partition()
        for node in self.graph_module.graph.nodes:
            if node.op not in _CALLS:
                continue
            if len(self.partitions) > len(self.devices):
                self.create_single_node_partition(node)
                continue
            extra = get_extra_size_of(node, partition.nodes)
            if partition.used_mem_bytes == 0:
                device = device_for(node)
                room[partition] = device.available_mem_bytes
                partition.logical_device_ids.append(device.logical_id)
            elif room[partition] < extra:
                if len(self.partitions) == len(self.devices):
                    self.create_single_node_partition(node)
                    continue
                device = device_for(node)
                partition = self.create_partition()
                extra = get_extra_size_of(node, partition.nodes)
                room[partition] = device.available_mem_bytes
                partition.logical_device_ids.append(device.logical_id)
            partition.add_node(node)
            room[partition] -= extra
        reorganize_partitions(self.partitions)
        self.node_to_partition = get_node_to_partition_mapping(self.partitions)
        if not get_device_to_partitions_mapping(self.partitions, self.devices):
            raise RuntimeError('Cannot Get a Valid Partition to Logical Device Mapping')

    def saturate_host(self):
        # Devices that nobody uses get copies of what the others hold, as long as there are enough for one copy of all.
        on_device, room, homeless = get_device_partition_stats(self.partitions, self.devices)
        if len(homeless) != 0:
            raise AssertionError(f'Expect no_device_partitions has 0 device, but get {len(homeless)}')
        used = [d for d in self.devices if len(on_device[d]) > 0]
        copies = {}  # a device that gets a copy -> the one whose partitions it gets

        def one_round():
            idle = [d for d in self.devices if d not in used and d not in copies]
            found = {}
            for original in used:
                needed = original.available_mem_bytes - room[original]
                fitting = [d for d in idle if d.available_mem_bytes >= needed]
                if not fitting:
                    return None
                device = min(fitting, key=lambda d: d.available_mem_bytes)
                idle.remove(device)
                found[device] = original
            return found

        while len(used) * 2 + len(copies) <= len(self.devices):
            found = one_round()
            if found is None:
                break
            copies.update(found)
        for device, original in copies.items():
            for partition in on_device[original]:
                partition.logical_device_ids.append(device.logical_id)
        for partition in self.partitions:
            print(partition.logical_device_ids)

    def do_partition(self):
        return split_module(self.graph_module, self.torch_module, lambda node: self.node_to_partition[node])

    def dump_dag(self, module_with_submodules):
        dag = DAG()
        for node in module_with_submodules.graph.nodes:
            if node.op == 'output':
                break
            if node.op in ('placeholder', 'get_attr') or node.target is operator.__getitem__:
                continue
            # Several results are read through getitem nodes.
            outputs = list(node.users) if len(node.users) > 1 else [node]
            partition = self.partitions[int(node.name.rsplit('_', 1)[-1])]
            dag.create_node(node, list(_inputs_of(node)), outputs, partition.logical_device_ids, partition.used_mem_bytes)
        return dag

    def create_partition(self):
        partition = Partition(len(self.partitions))
        self.partitions.append(partition)
        return partition

    def create_single_node_partition(self, node):
        self.create_partition().add_node(node)

    def _is_embedding(self, node):
        if node.op != 'call_module':
            return False
        module = self.graph_module
        for atom in str(node.target).split('.'):
            if not hasattr(module, atom):
                raise RuntimeError(f'Module {module} has no attribute {atom}')
            module = getattr(module, atom)
            if 'Embedding' in str(module):
                return True
        return False

    def _combine(self, partitions, available):
        # The smallest goes together with the largest that has room and is next to it, as long as there is such a pair.
        while True:
            by_size = sorted(partitions, key=lambda p: p.used_mem_bytes)
            get_bfs_level_partition(self.partitions)
            smallest = by_size.pop(0)
            for other in by_size[::-1]:
                if abs(smallest.bfs_level - other.bfs_level) > 1:
                    continue
                nodes = other.nodes | smallest.nodes
                if sum(get_extra_size_of(node, nodes) for node in nodes) <= available:
                    combine_two_partitions(other, smallest, self.partitions)
                    partitions.remove(smallest)
                    partitions.remove(other)
                    partitions.append(self.partitions[-1])
                    break
            else:
                return

    def sparse_nn_partition(self, available_mem_bytes):
        # Embeddings and the rest are never in one partition: embeddings have a device each, and the rest is on all of those.
        embeddings, others = [], []
        in_embeddings = False
        partition = self.create_partition()

        def finish():
            (embeddings if in_embeddings else others).append(partition)

        def begin():
            fresh = self.create_partition()
            fresh.left_mem_bytes = available_mem_bytes
            return fresh

        for node in self.graph_module.graph.nodes:
            if node.op not in _CALLS:
                continue
            if self._is_embedding(node) != in_embeddings:
                if partition.used_mem_bytes != 0:
                    finish()
                    partition = begin()
                in_embeddings = not in_embeddings
            extra = get_extra_size_of(node, partition.nodes)
            if extra + partition.used_mem_bytes > available_mem_bytes:
                finish()
                partition = begin()
                if get_extra_size_of(node, partition.nodes) > available_mem_bytes:
                    raise RuntimeError(node.target + ' is too large to fit into a device')
            partition.add_node(node)
        finish()
        set_parents_and_children(self.partitions)
        self._combine(others, available_mem_bytes)
        self._combine(embeddings, available_mem_bytes)
        others_size = sum(partition.used_mem_bytes for partition in others)
        if len(embeddings) > len(self.devices):
            raise RuntimeError(f'Need {len(embeddings)} devices, but only {len(self.devices)} provided')
        devices = []
        for device, partition in zip(self.devices, embeddings):
            if others_size + partition.used_mem_bytes > available_mem_bytes:
                raise RuntimeError(f'partition_{partition.partition_id}(embedding partition) and non embedding partitions '
                                   'can not fit into one device')
            partition.logical_device_ids = [device.logical_id]
            devices.append(device.logical_id)
        for partition in others:
            partition.logical_device_ids = devices
        self.node_to_partition = get_node_to_partition_mapping(self.partitions)

    def cost_aware_partition(self, transfer_rate_bytes_per_sec, node_to_latency_mapping):
        cost_aware(self, transfer_rate_bytes_per_sec, node_to_latency_mapping)

    def kl_based_partition(self, transfer_rate_bytes_per_sec, node_to_latency_mapping):
        kernighan_lin(self, transfer_rate_bytes_per_sec, node_to_latency_mapping)

    def aot_based_partition(self, node_to_partition_mapping, partition_to_logical_device_mapping):
        # The caller has said where everything goes.
        made = {}
        self.node_to_partition = node_to_partition_mapping
        for node, number in node_to_partition_mapping.items():
            if number not in made:
                made[number] = Partition(number)
                self.partitions.append(made[number])
                made[number].logical_device_ids = partition_to_logical_device_mapping[number]
            made[number].add_node(node)
