# SPDX-License-Identifier: GPL-3.0-or-later
# aten::fractional_max_pool3d_backward: SIGSEGV
import torch
class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('b0', torch.tensor((0.3585412800312042+0.11032214760780334j), dtype=torch.complex64))
        self.register_buffer('b1', torch.tensor(-1.486565351486206, dtype=torch.float32))
        self.register_buffer('b2', torch.zeros((2, 0, 3), dtype=torch.int64))
    def forward(self, x):
        return torch.ops.aten.fractional_max_pool3d_backward.default(self.b0, self.b1, [3, 2147483648, 2, 9223372036854775807], [], self.b2), x
