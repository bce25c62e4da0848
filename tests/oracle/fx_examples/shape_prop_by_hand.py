# SPDX-License-Identifier: GPL-3.0-or-later
# The interpreter that the documentation writes by hand: it runs a graph node by node and notes shapes and dtypes on the nodes.
# case: shapes_by_hand Net() propagate
# case: shapes_in_meta Net() propagate_into_meta
# case: shapes_as_documented Net() propagate_as_documented
# case: shapes_of_missing_attribute Net() propagate_with_missing_attribute
# case: shapes_by_torch Net() with_shape_prop

from typing import Dict

import torch
import torch.fx
import torch.nn as nn
from torch.fx.node import Node
from torch.fx.passes.shape_prop import ShapeProp as TorchShapeProp


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3)
        self.pool = nn.MaxPool2d(2)
        self.register_buffer("offset", torch.arange(3))

    def forward(self, x):
        y = self.pool(torch.relu(self.conv(x)))
        return y.flatten(1), y.argmax(dim=1, keepdim=True), self.offset.sum() + 1


class ShapeProp:
    def __init__(self, mod):
        self.mod = mod
        self.graph = mod.graph
        self.modules = dict(self.mod.named_modules())

    def propagate(self, *args):
        args_iter = iter(args)
        env: Dict[str, Node] = {}

        def load_arg(a):
            return torch.fx.graph.map_arg(a, lambda n: env[n.name])

        def fetch_attr(target: str):
            target_atoms = target.split(".")
            attr_itr = self.mod
            for i, atom in enumerate(target_atoms):
                if not hasattr(attr_itr, atom):
                    raise RuntimeError(f"Node referenced nonexistant target {'.'.join(target_atoms[:i])}")
                attr_itr = getattr(attr_itr, atom)
            return attr_itr

        for node in self.graph.nodes:
            if node.op == "placeholder":
                result = next(args_iter)
            elif node.op == "get_attr":
                result = fetch_attr(node.target)
            elif node.op == "call_function":
                result = node.target(*load_arg(node.args), **load_arg(node.kwargs))
            elif node.op == "call_method":
                self_obj, *args = load_arg(node.args)
                kwargs = load_arg(node.kwargs)
                result = getattr(self_obj, node.target)(*args, **kwargs)
            elif node.op == "call_module":
                result = self.modules[node.target](*load_arg(node.args), **load_arg(node.kwargs))
            elif node.op == "output":
                return load_arg(node.args[0])

            if isinstance(result, torch.Tensor):
                self.note(node, result)
            env[node.name] = result

        return load_arg(self.graph.result)

    def note(self, node, result):
        node.shape = result.shape
        node.dtype = result.dtype


class WithoutOutput(ShapeProp):
    def propagate(self, *args):
        self.graph.erase_node(self.graph.output_node())
        return super().propagate(*args)


class IntoMeta(ShapeProp):
    def note(self, node, result):
        node.meta["shape"] = tuple(result.shape)
        node.meta["strides"] = result.stride()


def propagate(gm):
    result = ShapeProp(gm).propagate(torch.ones(2, 1, 6, 8))
    print([value.shape for value in result])
    for node in gm.graph.nodes:
        if node.op != "output":
            print(node.name, node.shape, node.dtype, hasattr(node, "stride"))


def propagate_into_meta(gm):
    IntoMeta(gm).propagate(torch.ones(2, 1, 6, 8))
    for node in gm.graph.nodes:
        print(node.name, node.meta.get("shape"), node.meta.get("strides"))


def propagate_as_documented(gm):
    WithoutOutput(gm).propagate(torch.ones(2, 1, 6, 8))


def propagate_with_missing_attribute(gm):
    gm.graph.find_nodes(op="get_attr")[0].target = "offset.of.nothing"
    ShapeProp(gm).propagate(torch.ones(2, 1, 6, 8))


def with_shape_prop(gm):
    TorchShapeProp(gm).propagate(torch.ones(2, 1, 6, 8))
    for node in gm.graph.nodes:
        meta = node.meta.get("tensor_meta")
        print(node.name, node.meta["type"], meta.shape if hasattr(meta, "shape") else type(meta).__name__)
    print(gm.graph.find_nodes(op="call_module")[0].meta["tensor_meta"])
