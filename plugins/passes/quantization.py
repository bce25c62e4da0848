# SPDX-License-Identifier: GPL-3.0-or-later
"""The first steps of a quantization by hand."""
import torch
import torch.nn as nn

_KINDS = {"linear": nn.Linear, "conv1d": nn.Conv1d, "conv2d": nn.Conv2d, "relu": nn.ReLU}


def _chosen(gm, kinds):
    names = [name.strip() for name in kinds.split(",")]
    for name in names:
        if name not in _KINDS:
            raise ValueError(f"{name} is none of {', '.join(_KINDS)}")
    wanted = tuple(_KINDS[name] for name in names)
    modules = dict(gm.named_modules())
    return [node for node in gm.graph.nodes if node.op == "call_module" and isinstance(modules[node.target], wanted)]


class MinMax(nn.Module):
    """Passes its input on, and remembers the least and the greatest that it has seen."""

    def __init__(self):
        super().__init__()
        self.register_buffer("least", torch.tensor(float("inf")))
        self.register_buffer("greatest", torch.tensor(float("-inf")))

    def forward(self, x):
        self.least.copy_(torch.minimum(self.least, x.min()))
        self.greatest.copy_(torch.maximum(self.greatest, x.max()))
        return x


def insert_observers(gm: torch.fx.GraphModule, kinds: str = "linear,conv2d"):
    """Put a module that records the least and greatest value after each chosen kind of module.

    kinds: linear, conv1d, conv2d, relu, with commas between them.
    """
    for number, node in enumerate(_chosen(gm, kinds)):
        name = f"observer_{number}"
        gm.add_submodule(name, MinMax())
        with gm.graph.inserting_after(node):
            seen = gm.graph.call_module(name, (node,))
        node.replace_all_uses_with(seen, lambda user: user is not seen)
    gm.recompile()
    return gm


def insert_quant_dequant(gm: torch.fx.GraphModule, kinds: str = "linear,conv2d", scale: float = 0.1, zero_point: int = 0):
    """Round what each chosen kind of module gives to eight bits and back, to see what quantization would cost.

    kinds: linear, conv1d, conv2d, relu, with commas between them.
    """
    for node in _chosen(gm, kinds):
        with gm.graph.inserting_after(node):
            quantized = gm.graph.call_function(torch.quantize_per_tensor, (node, scale, zero_point, torch.qint8))
        with gm.graph.inserting_after(quantized):
            plain = gm.graph.call_method("dequantize", (quantized,))
        node.replace_all_uses_with(plain, lambda user: user is not quantized)
    gm.recompile()
    return gm
