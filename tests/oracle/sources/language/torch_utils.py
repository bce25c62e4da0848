# SPDX-License-Identifier: GPL-3.0-or-later
# What lies beside torch.nn: checkpointing, autocast, clipping, weight norm, profiler marks.
# case: {"expr": "Checkpointed()", "inputs": "torch.randn(2, 3)"}
# case: {"expr": "Checkpointed()", "inputs": "torch.randn(2, 3)", "train": true}
# case: {"expr": "autocast", "inputs": "torch.randn(2, 3)"}
# case: {"expr": "grad_modes", "inputs": "torch.randn(2, 3)"}

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Checkpointed(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = nn.Sequential(nn.Linear(3, 3), nn.ReLU())
        self.use_checkpoint = True

    def forward(self, x):
        if self.use_checkpoint and self.training:
            return checkpoint(self.block, x, use_reentrant=False)
        return self.block(x)


def autocast(x):
    with torch.autocast("cpu", enabled=False):
        y = x @ x.t()
    with torch.amp.autocast(device_type="cpu", dtype=torch.bfloat16, enabled=False):
        return y.float()


def grad_modes(x):
    with torch.enable_grad():
        y = x * 2
    with torch.set_grad_enabled(False), torch.inference_mode():
        y = y + 1
    with torch.no_grad():
        y = y - 1
    if torch.is_grad_enabled():
        y = y * 3
    return y
