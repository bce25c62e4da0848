# SPDX-License-Identifier: GPL-3.0-or-later
# aten::_stack: SIGSEGV
import torch
class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
    def forward(self, x):
        return torch.ops.aten._stack.default([], 3), x
