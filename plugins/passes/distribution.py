# SPDX-License-Identifier: GPL-3.0-or-later
"""A model in parts, and marks for whoever distributes it."""
import torch
from torch.fx.passes.split_module import split_module


def _weights_of(gm, node):
    """The parameters that a node reads itself, by their names."""
    if node.op == "call_module":
        return {f"{node.target}.{name}": value for name, value in gm.get_submodule(node.target).named_parameters()}
    if node.op == "get_attr":
        value = gm
        for name in node.target.split("."):
            value = getattr(value, name)
        return {node.target: value} if isinstance(value, torch.nn.Parameter) else {}
    return {}


def split_in_stages(gm: torch.fx.GraphModule, stages: int = 2):
    """Split the model into stages that hold about as many bytes of parameters each, one submodule a stage."""
    if stages < 1:
        raise ValueError("there must be at least one stage")
    sizes, known = {}, set()
    for node in gm.graph.nodes:
        fresh = {name: value for name, value in _weights_of(gm, node).items() if name not in known}
        known.update(fresh)
        sizes[node] = sum(value.numel() * value.element_size() for value in fresh.values())
    total = sum(sizes.values())
    stage_of, before = {}, 0
    for node in gm.graph.nodes:
        # A node belongs to the stage in which the middle of its bytes lies.
        middle = before + sizes[node] / 2
        stage_of[node] = min(stages - 1, int(middle * stages / total)) if total else 0
        before += sizes[node]
    for stage in range(stages):
        inside = sum(size for node, size in sizes.items() if stage_of[node] == stage)
        print(f"stage {stage}: {inside} bytes")
    return split_module(gm, gm, lambda node: stage_of[node])


def mark_checkpoints(gm: torch.fx.GraphModule, every: int = 4):
    """Mark in meta which values to keep for the backward pass (checkpoint "keep") and which to compute again ("recompute")."""
    if every < 1:
        raise ValueError("every must be at least 1")
    number = 0
    for node in gm.graph.nodes:
        if node.op in ("call_function", "call_method", "call_module"):
            number += 1
            node.meta["checkpoint"] = "keep" if number % every == 0 else "recompute"
    print(f"{number // every} of {number} values are kept")
    return gm
