# SPDX-License-Identifier: GPL-3.0-or-later
"""What a model does not need once it is trained."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.fx.experimental import optimization

_MODULES = (nn.Dropout, nn.Dropout1d, nn.Dropout2d, nn.Dropout3d, nn.AlphaDropout, nn.FeatureAlphaDropout)
_FUNCTIONS = (F.dropout, F.dropout1d, F.dropout2d, F.dropout3d, F.alpha_dropout, torch.dropout)


def remove_dropout(gm: torch.fx.GraphModule, identity: bool = False):
    """Remove dropout, of modules and of functions; with identity also nn.Identity."""
    modules = dict(gm.named_modules())
    kinds = _MODULES + ((nn.Identity,) if identity else ())
    count = 0
    for node in list(gm.graph.nodes):
        is_function = node.op == "call_function" and node.target in _FUNCTIONS
        if is_function or node.op == "call_module" and isinstance(modules[node.target], kinds):
            node.replace_all_uses_with(node.args[0] if node.args else node.kwargs["input"])
            gm.graph.erase_node(node)
            count += 1
    gm.delete_all_unused_submodules()
    gm.recompile()
    print(f"{count} removed")
    return gm


def optimize_for_inference(gm: torch.fx.GraphModule, fuse: bool = True, layout: bool = True):
    """Fold batch normalisation, remove dropout, and use MKLDNN's own layout of tensors where enough layers in a row know it.

    For models of float32 on the processor, in evaluation mode.
    """
    settings = {"conv_bn_fuse": fuse} if layout else {"conv_bn_fuse": fuse, "mkldnn_layout_optimize": False}
    return optimization.optimize_for_inference(gm, settings)
