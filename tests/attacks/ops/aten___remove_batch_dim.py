# SPDX-License-Identifier: GPL-3.0-or-later
# aten::_remove_batch_dim: SIGSEGV
import torch
class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('b0', torch.tensor([-0.6513671875, -0.8251953125, 0.4853515625, -2.037109375, -0.2132568359375, 0.09375, 0.2152099609375, -0.62744140625, -0.966796875, 1.248046875, 1.0791015625, -0.277587890625, -0.304931640625, -0.75732421875, -0.1185302734375, 1.72265625, -0.2264404296875, 1.611328125, 0.8505859375, -0.755859375, 0.10406494140625, 0.73193359375, 1.2109375, 0.2301025390625], dtype=torch.float16))
    def forward(self, x):
        return torch.ops.aten._remove_batch_dim.default(self.b0, 2, 9223372036854775807, 2147483647), x
