# SPDX-License-Identifier: GPL-3.0-or-later
"""One activation in place of another."""
import torch
import torch.nn as nn
import torch.nn.functional as F

_FUNCTIONS = {
    "relu": (torch.relu, torch.relu_, F.relu),
    "gelu": (F.gelu,),
    "silu": (F.silu,),
    "tanh": (torch.tanh, F.tanh),
    "sigmoid": (torch.sigmoid, F.sigmoid),
    "leaky_relu": (F.leaky_relu,),
    "mish": (F.mish,),
}
_MODULES = {
    "relu": nn.ReLU,
    "gelu": nn.GELU,
    "silu": nn.SiLU,
    "tanh": nn.Tanh,
    "sigmoid": nn.Sigmoid,
    "leaky_relu": nn.LeakyReLU,
    "mish": nn.Mish,
}


def swap_activation(gm: torch.fx.GraphModule, old: str = "relu", new: str = "gelu"):
    """Replace an activation by another, whether a function, a method or a module computes it.

    What the old one was told beside its input (inplace, approximate, a slope) is dropped.
    """
    for name in (old, new):
        if name not in _FUNCTIONS:
            raise ValueError(f"{name} is none of {', '.join(_FUNCTIONS)}")
    modules = dict(gm.named_modules())
    count = 0
    for node in gm.graph.nodes:
        if node.op == "call_function" and node.target in _FUNCTIONS[old]:
            node.target = _FUNCTIONS[new][0]
            node.args, node.kwargs = _input_alone(node)
        elif node.op == "call_method" and node.target in (old, old + "_"):
            node.op, node.target = "call_function", _FUNCTIONS[new][0]
            node.args, node.kwargs = _input_alone(node)
        elif node.op == "call_module" and type(modules[node.target]) is _MODULES[old]:
            parent, _, name = node.target.rpartition(".")
            setattr(modules[parent], name, _MODULES[new]())
            modules[node.target] = modules[parent].get_submodule(name)
        else:
            continue
        count += 1
    gm.recompile()
    print(f"{count} of {old} became {new}")
    return gm


def _input_alone(node):
    given = node.args[0] if node.args else node.kwargs["input"]
    return (given,), {}
