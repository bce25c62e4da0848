# SPDX-License-Identifier: GPL-3.0-or-later
"""A model in parts: by what nodes are marked with, by what a backend can run, by what devices hold."""
import torch
from torch.fx import Interpreter
from torch.fx.experimental.accelerator_partitioner import Partitioner
from torch.fx.experimental.optimization import extract_subgraph as _extract
from torch.fx.experimental.partitioner_utils import Device, PartitionerConfig
from torch.fx.passes.graph_manipulation import get_size_of_all_nodes
from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner
from torch.fx.passes.operator_support import OperatorSupportBase
from torch.fx.passes.split_module import split_module
from torch.fx.passes.split_utils import split_by_tags as _split_by_tags
from torch.fx.passes.splitter_base import _SplitterBase, _SplitterSettingBase

_CALLS = ("call_function", "call_method", "call_module")


def _kind_of(gm, node):
    """What a call is of, without its module: "linear", "relu", "add"."""
    if node.op == "call_module":
        return type(gm.get_submodule(node.target)).__name__.lower()
    if node.op == "call_method":
        return node.target
    return getattr(node.target, "__name__", str(node.target)).split(".")[0]


class _Supported(OperatorSupportBase):
    """Calls of some kinds."""

    def __init__(self, gm, operators):
        self._gm = gm
        self._kinds = {kind.strip().lower() for kind in operators.split(",")}

    def is_node_supported(self, submodules, node):
        return node.op in _CALLS and _kind_of(self._gm, node) in self._kinds


def split_by_key(gm: torch.fx.GraphModule, key: str = "nn_module_stack", depth: int = 1):
    """Split the model by the metadata that nodes have under a key, one submodule for each value.

    Of the stack of modules it is the path of the innermost, cut after `depth` names. Nodes without the key go with those before them.
    """
    part_of, numbers, last = {}, {}, None
    for node in gm.graph.nodes:
        value = node.meta.get(key)
        if key == "nn_module_stack" and value:
            value = ".".join(list(value)[-1].split(".")[:depth])
        last = last if value is None else str(value)
        part_of[node] = numbers.setdefault(last, len(numbers))
    for name, number in numbers.items():
        print(f"submod_{number}: {name}")
    return split_module(gm, gm, lambda node: part_of[node])


def split_by_tags(gm: torch.fx.GraphModule, operators: str = "linear,relu", tag: str = "acc", rest: str = "cpu"):
    """Tag the calls of some operators, and split the model into runs of calls with and without the tag."""
    supported = _Supported(gm, operators)
    tags, last = [], None
    for node in gm.graph.nodes:
        if node.op not in _CALLS:
            continue
        kind = tag if supported.is_node_supported({}, node) else rest
        if kind != last:
            tags.append(f"{kind}_{len(tags)}")
        node.tag, last = tags[-1], kind
    print(", ".join(tags))
    return _split_by_tags(gm, tags)


def partition_by_operators(gm: torch.fx.GraphModule, operators: str = "linear,relu", single: bool = False):
    """Make one submodule of each largest part whose calls are all of some operators; with single also of a lone call."""
    # Of itself it counts calls of functions alone, and would leave out parts that are all modules.
    partitioner = CapabilityBasedPartitioner(gm, _Supported(gm, operators), allows_single_node_partition=True)
    partitions = [partition for partition in partitioner.propose_partitions() if single or len(partition.nodes) > 1]
    for partition in partitions:
        print(f"fused_{partition.id}: {', '.join(node.name for node in gm.graph.nodes if node in partition.nodes)}")
    return partitioner.fuse_partitions(partitions)


class SplitForAccelerator(Interpreter):
    """Split the model into parts that an accelerator with some operators runs, and the rest; runs it to know the shapes."""

    def __init__(self, gm, operators: str = "linear,relu", min_size: int = 1):
        super().__init__(gm)
        self._operators, self._min_size = operators, min_size

    def run(self, *args):
        settings = _SplitterSettingBase(min_acc_module_size=self._min_size)
        return _SplitterBase(self.module, args, _Supported(self.module, self._operators), settings)()


class PlaceOnDevices(Interpreter):
    """Split the model so that each part fits one of several devices with so many bytes of memory; runs it to know the sizes."""

    def __init__(self, gm, memory: int = 1 << 30, devices: int = 2):
        super().__init__(gm)
        self._devices = [Device(f"device_{number}", memory, number) for number in range(devices)]

    def run(self, *args):
        get_size_of_all_nodes(self.module, list(args))
        done = Partitioner().partition_graph(self.module, self.module, PartitionerConfig(self._devices))
        for node in done.dag.nodes:
            print(f"{node.submodule_node.name}: devices {node.logical_device_ids}, {node.size_bytes} bytes")
        return done.module_with_submodules


def extract_subgraph(gm: torch.fx.GraphModule, first: str, last: str):
    """Keep the calls from one node to another alone: what they read is the input, what others read of them the output."""
    nodes = list(gm.graph.nodes)
    places = {node.name: place for place, node in enumerate(nodes)}
    for name in (first, last):
        if name not in places:
            raise ValueError(f"there is no node {name}")
    part = [node for node in nodes[places[first]:places[last] + 1] if node.op in _CALLS + ("get_attr",)]
    inputs = list(dict.fromkeys(read for node in part for read in node.all_input_nodes if read not in part))
    outputs = [node for node in part if any(user not in part for user in node.users)]
    return _extract(gm, part, inputs, outputs)
