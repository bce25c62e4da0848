# SPDX-License-Identifier: GPL-3.0-or-later
# Activations: modules exchanged by setattr, functions and methods by one function, and a table of replacements by name.
# case: swap_relu_modules Net() relu_to_gelu
# case: swap_to_class Net() swap_modules --old ReLU --new LeakyReLU
# case: swap_to_missing_class Net() swap_modules --old ReLU --new NoSuchLayer
# case: unify_activations Mixed() unify
# case: parametrize_relu Net() relu_to_prelu
# case: relu6_by_transformer Mixed() ClampRelu
# case: in_place_activations Mixed() make_in_place

import torch
import torch.fx
import torch.nn as nn
import torch.nn.functional as F
from torch.fx import GraphModule, Transformer

INPUTS = {"Net()": (torch.linspace(-1, 1, 6).reshape(2, 3),), "Mixed()": (torch.linspace(-9, 9, 4),)}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        self.act = nn.ReLU(inplace=True)
        self.body = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Sequential(nn.Dropout(), nn.ReLU()))

    def forward(self, x):
        return self.body(self.act(self.fc(x)))


class Mixed(nn.Module):
    def forward(self, x):
        a = torch.relu(x) + F.relu(x)
        b = x.relu() + F.relu6(x)
        return a + b.relu_() + F.hardtanh(x, min_val=0.0, max_val=6.0)


def relu_to_gelu(gm: GraphModule) -> GraphModule:
    for name, module in list(gm.named_modules()):
        if isinstance(module, nn.ReLU):
            parent, _, child = name.rpartition(".")
            setattr(gm.get_submodule(parent), child, nn.GELU(approximate="tanh"))
    print(gm)
    gm.recompile()
    return gm


def swap_modules(gm, old="ReLU", new="ReLU"):
    old_class, new_class = getattr(nn, old), getattr(nn, new)
    count = 0
    for node in gm.graph.nodes:
        if node.op == "call_module" and type(gm.get_submodule(node.target)) is old_class:
            fresh = f"{node.target.replace('.', '_')}_{new.lower()}"
            gm.add_submodule(fresh, new_class())
            node.target = fresh
            count += 1
    gm.delete_all_unused_submodules()
    print(f"{count} of {old} are {new}")
    gm.graph.lint()
    gm.recompile()


def unify(gm):
    same = {torch.relu, F.relu, "relu", "relu_"}
    for node in gm.graph.nodes:
        if node.target in same:
            node.op, node.target = "call_function", torch.relu
            node.args, node.kwargs = node.args[:1], {}
    gm.recompile()
    print([(n.name, n.op) for n in gm.graph.nodes if n.target is torch.relu])


def relu_to_prelu(gm):
    for index, node in enumerate(gm.graph.find_nodes(op="call_module")):
        if isinstance(gm.get_submodule(node.target), nn.ReLU):
            gm.register_parameter(f"slope_{index}", nn.Parameter(torch.full((1,), 0.25)))
            with gm.graph.inserting_before(node):
                slope = gm.graph.get_attr(f"slope_{index}")
                new = gm.graph.call_function(F.prelu, (node.args[0], slope))
            node.replace_all_uses_with(new)
            gm.graph.erase_node(node)
    gm.graph.lint()
    gm.recompile()
    print(gm.code, [n for n, _ in gm.named_parameters()])


class ClampRelu(Transformer):
    def call_function(self, target, args, kwargs):
        if target is F.relu6:
            return torch.clamp(args[0], 0, 6)
        if target is F.hardtanh:
            return super().call_function(torch.clamp, args[:1], {"min": kwargs["min_val"], "max": kwargs["max_val"]})
        return super().call_function(target, args, kwargs)

    def call_method(self, target, args, kwargs):
        if target.rstrip("_") == "relu":
            return args[0].clamp(min=0)
        return super().call_method(target, args, kwargs)


def make_in_place(graph: torch.fx.Graph):
    for node in graph.nodes:
        if "inplace" in node.kwargs and len(node.args[0].users) == 1:
            node.update_kwarg("inplace", True)
        print(node, dict(node.kwargs))
