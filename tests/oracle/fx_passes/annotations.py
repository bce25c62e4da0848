# SPDX-License-Identifier: GPL-3.0-or-later
# What passes write into the meta of nodes, and how it lives on: shardings, stages, tags, costs, and where nodes come from.
# case: shard_annotations Net() annotate_sharding --devices 4
# case: shard_propagated Net() propagate_sharding
# case: pipeline_stages Net() assign_stages --stages 2
# case: pipeline_split Net() split_stages --stages 2
# case: meta_copied Net() copy_meta
# case: meta_of_transformer Net() meta_through_transformer
# case: tags_by_depth Net() depths
# case: liveness Net() liveness

import copy

import torch
import torch.fx
import torch.nn as nn
from torch.fx.passes.split_module import split_module

INPUTS = (torch.linspace(-1, 1, 8).reshape(2, 4),)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(4, 8)
        self.gate = nn.Linear(4, 8)
        self.down = nn.Linear(8, 4)

    def forward(self, x):
        h = torch.sigmoid(self.gate(x)) * self.up(x)
        return self.down(h) + x


def annotate_sharding(gm, devices=2):
    for node in gm.graph.find_nodes(op="call_module"):
        weight = gm.get_submodule(node.target).weight
        axis = 0 if weight.shape[0] % devices == 0 and weight.shape[0] > weight.shape[1] else 1
        node.meta["sharding"] = {"axis": axis, "local": tuple(s // devices if i == axis else s for i, s in enumerate(weight.shape))}
    print({str(n): n.meta.get("sharding") for n in gm.graph.nodes})
    return gm


def propagate_sharding(graph: torch.fx.Graph):
    spec = {}
    for node in graph.nodes:
        if node.op == "placeholder":
            spec[node] = "replicated"
        elif node.target in ("up", "gate"):
            spec[node] = "split"
        elif node.target == "down":
            with graph.inserting_after(node):
                reduced = graph.call_method("clone", (node,))
            node.replace_all_uses_with(reduced)
            reduced.args = (node,)
            reduced.meta["collective"] = "all_reduce"
            spec[node] = "partial"
        elif "collective" in node.meta:
            spec[node] = "replicated"
        else:
            inputs = {spec[i] for i in node.all_input_nodes}
            spec[node] = inputs.pop() if len(inputs) == 1 else f"conflict of {sorted(inputs)}"
        node.meta["spec"] = spec[node]
    for node in graph.nodes:
        print(node.name, {key: value for key, value in node.meta.items() if key != "stack_trace"})
    graph.lint()


def assign_stages(gm, stages=2):
    calls = [n for n in gm.graph.nodes if n.op.startswith("call")]
    size = -(-len(calls) // stages)
    for index, node in enumerate(calls):
        node.meta["stage"] = index // size
        if index and node.meta["stage"] != calls[index - 1].meta["stage"]:
            with gm.graph.inserting_before(node):
                gm.graph.call_function(print, (f"stage {node.meta['stage']}",))
    gm.recompile()
    print(gm.code)
    gm(INPUTS[0])


def split_stages(gm, stages=2):
    calls = [n for n in gm.graph.nodes if n.op.startswith("call")]
    stage_of = {n: i * stages // len(calls) for i, n in enumerate(calls)}
    names = {}
    split = split_module(gm, gm, lambda n: stage_of[n], qualname_map=names)
    print(split.graph, names)
    for name, part in split.named_children():
        print(name, part.code)
    print(torch.equal(split(INPUTS[0]), gm(INPUTS[0])))
    return split


def copy_meta(gm):
    for index, node in enumerate(gm.graph.nodes):
        node.meta["index"] = index
        node.meta["list"] = [index]
    other = copy.deepcopy(gm)
    shallow = torch.fx.Graph()
    output = shallow.graph_copy(gm.graph, {})
    shallow.output(output)
    first = next(iter(gm.graph.nodes))
    first.meta["list"].append("changed")
    first.meta["index"] = 99
    for graph in (other.graph, shallow):
        print([(n.meta["index"], n.meta["list"]) for n in graph.nodes if "index" in n.meta])
    gm.graph.find_nodes(op="output")[0].meta.clear()
    print(["index" in n.meta for n in gm.graph.nodes])


def meta_through_transformer(gm):
    for node in gm.graph.nodes:
        node.meta["origin"] = node.name
    new = torch.fx.Transformer(gm).transform()
    print([n.meta.get("origin") for n in new.graph.nodes])
    return new


def depths(gm):
    depth = {}
    for node in gm.graph.nodes:
        depth[node] = 1 + max((depth[i] for i in node.all_input_nodes), default=-1)
        node.meta["depth"] = depth[node]
    levels = {}
    for node, level in depth.items():
        levels.setdefault(level, []).append(node.name)
    print(levels, max(depth, key=depth.get))


def liveness(gm):
    last_use = {}
    for node in reversed(gm.graph.nodes):
        torch.fx.map_arg(node.args, lambda n, node=node: last_use.setdefault(n, node))
        torch.fx.map_arg(node.kwargs, lambda n, node=node: last_use.setdefault(n, node))
    alive = 0
    for node in gm.graph.nodes:
        alive += 1
        dead = [n for n, user in last_use.items() if user is node]
        print(node.name, alive, [n.name for n in dead])
        alive -= len(dead)
