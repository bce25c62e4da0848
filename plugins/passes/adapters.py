# SPDX-License-Identifier: GPL-3.0-or-later
"""Small trainable parts beside frozen ones."""
import torch
import torch.nn as nn


class LoRALinear(nn.Module):
    """A linear layer that stays as it is, and a product of two small ones that is added to it."""

    def __init__(self, base, rank, alpha):
        super().__init__()
        self.base = base
        self.down = nn.Linear(base.in_features, rank, bias=False)
        self.up = nn.Linear(rank, base.out_features, bias=False)
        nn.init.zeros_(self.up.weight)
        self.scale = alpha / rank

    def forward(self, x):
        return self.base(x) + self.up(self.down(x)) * self.scale


def insert_lora(gm: torch.fx.GraphModule, rank: int = 4, alpha: float = 8.0, name: str = ""):
    """Put a low-rank adapter beside each Linear, and freeze everything else.

    The adapter adds nothing before it is trained. name: only layers whose path holds it.
    """
    modules = dict(gm.named_modules())
    wanted = []
    for node in gm.graph.nodes:
        if node.op == "call_module" and type(modules[node.target]) is nn.Linear and name in node.target and node.target not in wanted:
            wanted.append(node.target)
    for parameter in gm.parameters():
        parameter.requires_grad_(False)
    for target in wanted:
        parent, _, last = target.rpartition(".")
        setattr(modules[parent], last, LoRALinear(modules[target], rank, alpha))
    trained = sum(parameter.numel() for parameter in gm.parameters() if parameter.requires_grad)
    print(f"{len(wanted)} adapters, {trained} numbers to train")
    return gm
