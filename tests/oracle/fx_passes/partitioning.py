# SPDX-License-Identifier: GPL-3.0-or-later
# Graphs cut in parts: by tags, by what is supported, for an accelerator, for devices; parts found by where they come from.
# case: tags_and_components Net() by_tags
# case: supported_nodes Net() supported
# case: partitions_proposed Net() proposed
# case: partitions_fused branches fused
# case: splitter_parts Net() splitter
# case: splitter_sizes branches splitter_sizes
# case: minimizer_reports Net() minimizer
# case: sizes_of_nodes Plain() sizes
# case: lowered_attributes Net() lowered
# case: devices_by_size Plain() devices
# case: source_partitions Net() sources
# case: fuser_parts branches fuser
# case: acc_names Net() acc_names

import operator

import torch
import torch.fx
import torch.nn as nn
from torch.fx.experimental.accelerator_partitioner import Partitioner
from torch.fx.experimental.partitioner_utils import Device, PartitionerConfig, PartitionMode
from torch.fx.passes import net_min_base, operator_support, splitter_base, tools_common
from torch.fx.passes.graph_manipulation import get_size_of_all_nodes, get_size_of_node, replace_target_nodes_with
from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner
from torch.fx.passes.param_fetch import extract_attrs_for_lowering, lift_lowering_attrs_to_nodes
from torch.fx.passes.shape_prop import ShapeProp
from torch.fx.passes.split_utils import getattr_recursive, setattr_recursive, split_by_tags
from torch.fx.passes.utils import compare_graphs, lift_subgraph_as_module
from torch.fx.passes.utils.fuser_utils import fuse_by_partitions, topo_sort, validate_partition
from torch.fx.passes.utils.source_matcher_utils import check_subgraphs_connected, get_source_partitions

IMAGE = torch.linspace(-1, 1, 128).reshape(2, 2, 4, 8)
INPUTS = {"Net()": (IMAGE,), "Plain()": (IMAGE,), "branches": (torch.linspace(-1, 1, 6).reshape(2, 3), torch.ones(2, 3))}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.norm, self.act = nn.Conv2d(2, 3, 3, padding=1), nn.BatchNorm2d(3), nn.ReLU()
        self.head, self.tail = nn.Linear(3, 5), nn.Linear(5, 2)
        self.scale = nn.Parameter(torch.linspace(0, 1, 5))

    def forward(self, x):
        y = self.act(self.norm(self.conv(x))).mean((2, 3))
        y = torch.relu(self.head(y) * self.scale)
        left, right = torch.chunk(y, 2, dim=1)
        return self.tail(y), left.sum(), right


def branches(x, y):
    a = x + y
    b = torch.relu(a)
    c = torch.sigmoid(a) * b
    d = (c - y).tanh()
    return d + torch.relu(x), b.neg()


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.head, self.tail = nn.Conv2d(2, 3, 3), nn.Linear(36, 20), nn.Linear(20, 20)

    def forward(self, x):
        y = self.head(torch.flatten(torch.relu(self.conv(x)), 1))
        return torch.relu(self.tail(y)) + y


class Supported(operator_support.OperatorSupportBase):
    def __init__(self, *words):
        self.words = words

    def is_node_supported(self, submodules, node):
        return node.op.startswith("call") and any(word in node.name for word in self.words)


def told(gm):
    print(gm.graph)
    for name, child in gm.named_children():
        if isinstance(child, torch.fx.GraphModule):
            print(name, child.graph, child.code)


def by_tags(gm):
    for node in gm.graph.nodes:
        if node.op.startswith("call"):
            node.tag = "front" if node.name in ("conv", "norm", "act", "mean") else "middle" if node.name in ("head", "mul", "relu") else "back"
    print(getattr_recursive(gm, "conv.weight").shape)
    setattr_recursive(gm, "conv.extra", 3)
    print(gm.conv.extra)
    parts, names = split_by_tags(gm, ["front", "middle", "back"], return_fqn_mapping=True)
    print(names)
    told(split_by_tags(gm, ["front", "middle", "back"], return_tuple=True))
    return parts


def supported(gm):
    ShapeProp(gm).propagate(IMAGE)
    modules = dict(gm.named_modules())
    kinds = operator_support.OperatorSupport({"torch.nn.modules.linear.Linear": None, "_operator.mul": (((torch.float32,), (torch.float16,)), {}),
                                              "torch.relu": (((torch.float32,),), {})})
    named = operator_support.OpSupports.decline_if_node_in_names({"relu", "head"})
    floats = operator_support.OpSupports.decline_if_input_dtype(torch.float32)
    own = operator_support.create_op_support(lambda submodules, node: node.op == "call_module")
    for support in (kinds, named, floats, own, operator_support.chain(named, own), operator_support.any_chain(kinds, own)):
        print([node.name for node in gm.graph.nodes if node.op.startswith("call") and support.is_node_supported(modules, node)])


def proposed(gm):
    for words, single in ((("conv", "norm", "act", "mean"), False), (("relu", "mul", "chunk", "getitem"), False), (("head", "sum"), True)):
        found = CapabilityBasedPartitioner(gm, Supported(*words), allows_single_node_partition=single).propose_partitions()
        print([(part.id, sorted(node.name for node in part.nodes), part.size()) for part in found])


def fused(gm):
    partitioner = CapabilityBasedPartitioner(gm, Supported("add", "relu", "sigmoid", "mul"))
    made = partitioner.partition_and_fuse(prefix="part_")
    told(made)
    return made


def splitter(gm):
    settings = splitter_base._SplitterSettingBase(min_acc_module_size=2)

    def fresh():
        support = Supported("conv", "norm", "act", "head", "mul", "relu")
        return splitter_base._SplitterBase(torch.fx.symbolic_trace(gm), (IMAGE,), support, settings)

    print(fresh().node_support_preview())
    told(fresh()())
    results = fresh().generate_split_results()
    print(results._fields, results.non_acc_submodule_prefix, sorted(results.submodule_inputs))
    return fresh()()


def splitter_sizes(gm):
    for size in (1, 3):
        settings = splitter_base._SplitterSettingBase(min_acc_module_size=size, skip_fusion=True)
        told(splitter_base._SplitterBase(torch.fx.symbolic_trace(gm), INPUTS["branches"], Supported("relu", "add", "tanh"), settings)())


class Rounded(net_min_base._MinimizerBase):
    def run_a(self, mod, inputs, report_idx=-1):
        return mod(*inputs)

    def run_b(self, mod, inputs, report_idx=-1):
        out = mod(*inputs)
        return out.round(decimals=1) if isinstance(out, torch.Tensor) and "relu" in mod.code else out


def compared(a, b, names):
    pairs = zip(a, b) if isinstance(a, tuple) else [(a, b)]
    difference = max(((one - other).abs().max().item() for one, other in pairs), default=0.0)
    return round(difference, 3), difference < 1e-6


def minimizer(gm):
    for method in ("sequential", "binary", "accumulate"):
        settings = net_min_base._MinimizerSettingBase(traverse_method=method)
        made = Rounded(gm, (IMAGE,), compared, settings)
        print([node.name for node in made.minimize()])
    try:
        made.run_nodes("no_such", "relu")
    except Exception as error:
        print(type(error).__name__, error)


def sizes(gm):
    get_size_of_all_nodes(gm, [IMAGE])
    print([(node.name, tuple(node.size_bytes)) for node in gm.graph.nodes if hasattr(node, "size_bytes")])
    print(get_size_of_node(gm, list(gm.graph.nodes)[1]))
    replace_target_nodes_with(gm, "call_function", torch.relu, "call_function", torch.neg)
    replace_target_nodes_with(gm, "call_module", "conv", "call_module", "conv")
    gm.recompile()
    return gm


def lowered(gm):
    for name in ("conv", "head", "norm"):
        found = extract_attrs_for_lowering(getattr(gm, name))
        print({key: tuple(value.shape) if isinstance(value, torch.Tensor) else value for key, value in found.items()})
    lift_lowering_attrs_to_nodes(gm)
    print([(node.name, sorted(node.attrs_for_lowering)) for node in gm.graph.nodes if hasattr(node, "attrs_for_lowering")])


def devices(gm):
    get_size_of_all_nodes(gm, [IMAGE])
    for memory, count, mode in ((6000, 3, PartitionMode.size_based), (100, 2, PartitionMode.size_based), (1 << 20, 1, PartitionMode.size_based)):
        config = PartitionerConfig([Device(f"dev_{number}", memory, number) for number in range(count)], mode)
        try:
            done = Partitioner().partition_graph(gm, gm, config)
        except RuntimeError as error:
            print(error)
            continue
        print([(node.submodule_node.name, node.logical_device_ids, node.size_bytes) for node in done.dag.nodes])
        told(done.module_with_submodules)
    return done.module_with_submodules


def sources(gm):
    found = get_source_partitions(gm.graph, [nn.Linear, nn.Conv2d, torch.relu])
    print(found)
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    made = [graph.call_function(torch.ops.aten.linear.default, (x, x)), graph.call_function(torch.relu, (x,))]
    made[1].args = (made[0],)
    graph.output(made[1])
    made[0].meta["source_fn_stack"] = [("linear", nn.Linear)]
    made[1].meta["source_fn_stack"] = [("relu", torch.relu)]
    parts = get_source_partitions(graph, [nn.Linear, torch.relu])
    for parts_of in parts.values():
        for part in parts_of:
            print(part.nodes, part.source, part.input_nodes, part.output_nodes, part.params)
    one, two = parts[nn.Linear][0], parts[torch.relu][0]
    print(check_subgraphs_connected(one, two), check_subgraphs_connected(two, one))


def fuser(gm):
    nodes = {node.name: node for node in gm.graph.nodes}
    print(validate_partition([nodes["add"], nodes["relu"]]), validate_partition([nodes["add"], nodes["mul"]]))
    print(topo_sort([nodes["mul"], nodes["relu"], nodes["add"], nodes["sigmoid"]]))
    part, names = lift_subgraph_as_module(gm, torch.fx.symbolic_trace(branches).graph)
    print(part.code, names, compare_graphs(gm.graph, torch.fx.symbolic_trace(branches).graph))
    made = fuse_by_partitions(gm, [dict.fromkeys([nodes["add"], nodes["relu"]]), dict.fromkeys([nodes["mul"], nodes["sub"]])])
    told(made)
    return made


def acc_names(gm):
    modules = dict(gm.named_modules())
    ShapeProp(gm).propagate(IMAGE)
    for node in gm.graph.nodes:
        if node.op.startswith("call"):
            print(node.name, tools_common.get_node_target(modules, node), tools_common.is_node_output_tensor(node))
    print([tools_common.get_acc_ops_name(one) for one in (nn.Linear, torch.relu, operator.add, "nn.x", nn.functional.relu)])
    acc = {node for node in gm.graph.nodes if node.op.startswith("call") and node.name != "tail"}
    groups = tools_common.FxNetAccFusionsFinder(gm, acc)()
    print({node.name: sorted(one.name for one in group) for node, group in groups.items()})
