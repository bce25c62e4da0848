# SPDX-License-Identifier: GPL-3.0-or-later
# What dir(), hasattr() and vars() say of torch's modules, and going through them.
# case: {"expr": "listed", "inputs": "torch.ones(2)"}
# case: {"expr": "of_functional", "inputs": "torch.ones(2)"}
# case: {"expr": "looked_up", "inputs": "torch.ones(2)"}

import torch
import torch.nn as nn
import torch.nn.functional as F


def listed(x):
    names = [len(dir(module)) for module in (F, nn, torch.linalg, torch.fft, torch.special)]
    return [x * n for n in names], [name for name in dir(F) if "pool" in name]


def of_functional(x):
    for name in ("relu", "gelu", "no_such_function", "scaled_dot_product_attention", "_adaptive_max_pool1d"):
        x = x + (hasattr(F, name) * 2 + (name in dir(F)) + (name in vars(F)) * 4)
    return x * len([name for name in sorted(vars(F)) if not name.startswith("_")])


def looked_up(x):
    activations = {name: getattr(F, name) for name in dir(F) if name in ("relu", "elu", "selu")}
    for name in sorted(activations):
        x = activations[name](x)
    return F.__dict__["silu"](x) + len([name for name, value in vars(torch.linalg).items() if name.startswith("eig")])
