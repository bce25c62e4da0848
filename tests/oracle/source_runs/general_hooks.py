# SPDX-License-Identifier: GPL-3.0-or-later
# Hooks that are registered for all modules.
import torch
from torch import nn
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook

register_module_forward_pre_hook(lambda module, args: (args[0] + 1,) if isinstance(module, nn.ReLU) else None)
register_module_forward_hook(lambda module, args, out: out * 2 if isinstance(module, nn.ReLU) else None)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.r = nn.ReLU()
        self.r.register_forward_pre_hook(lambda module, args: (args[0] * 10,))
        self.r.register_forward_hook(lambda module, args, out: out - 3)

    def forward(self, x):
        return self.r(x)


def general():
    return Net()


CASES = [general]


def inputs():
    return [torch.tensor([1.0, -2.0])]
