# SPDX-License-Identifier: GPL-3.0-or-later
"""Layers that are one at inference."""
import torch
import torch.nn as nn

_PAIRS = {nn.Conv1d: nn.BatchNorm1d, nn.Conv2d: nn.BatchNorm2d, nn.Conv3d: nn.BatchNorm3d}


def fuse_conv_batch_norm(gm: torch.fx.GraphModule):
    """Fold each batch normalisation into the convolution before it; for models in evaluation mode.

    A convolution whose value others read, or that is called twice, stays as it is.
    """
    modules = dict(gm.named_modules())
    calls = {}
    for node in gm.graph.nodes:
        if node.op == "call_module":
            calls[node.target] = calls.get(node.target, 0) + 1
    count = 0
    for node in list(gm.graph.nodes):
        if node.op != "call_module" or not node.args or not isinstance(node.args[0], torch.fx.Node):
            continue
        before = node.args[0]
        if before.op != "call_module" or len(before.users) != 1 or calls[before.target] + calls[node.target] != 2:
            continue
        conv, norm = modules[before.target], modules[node.target]
        if _PAIRS.get(type(conv)) is not type(norm) or norm.running_mean is None:
            continue
        if conv.training or norm.training:
            raise RuntimeError(f"{node.target} is in training mode; call eval() first")
        _fold(conv, norm)
        node.replace_all_uses_with(before)
        gm.graph.erase_node(node)
        count += 1
    gm.delete_all_unused_submodules()
    gm.recompile()
    print(f"{count} folded")
    return gm


def _fold(conv, norm):
    scale = (norm.running_var + norm.eps).rsqrt()
    shift = -norm.running_mean * scale
    if norm.affine:
        scale = scale * norm.weight
        shift = -norm.running_mean * scale + norm.bias
    weight = conv.weight * scale.reshape([-1] + [1] * (conv.weight.dim() - 1))
    bias = shift if conv.bias is None else conv.bias * scale + shift
    conv.weight = nn.Parameter(weight.detach())
    conv.bias = nn.Parameter(bias.detach())
