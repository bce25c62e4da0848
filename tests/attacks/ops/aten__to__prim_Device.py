# SPDX-License-Identifier: GPL-3.0-or-later
# aten::to.prim_Device: SIGSEGV
import torch
class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('b0', torch.tensor([[-0.7513129711151123, -0.6100687384605408, 0.09839708358049393], [0.2255120873451233, -0.028841247782111168, 0.4213731288909912]], dtype=torch.float32))
    def forward(self, x):
        return torch.ops.aten.to.prim_Device(self.b0, None, None, True, True), x
