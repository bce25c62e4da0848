# SPDX-License-Identifier: GPL-3.0-or-later
# aten::_nnpack_spatial_convolution: SIGSEGV
import torch
class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('b0', torch.tensor(True, dtype=torch.bool))
        self.register_buffer('b1', torch.tensor([-9223372036854775808, 1000000, 5, -1, -9223372036854775808, 1, -1, -2147483648, -1, 0, 100, 2147483648, 0, 0, -2147483648, 0, 2147483648, 1000000, -1, 5, 4611686018427387904, -2147483648, 1000000, 0], dtype=torch.int64))
    def forward(self, x):
        return torch.ops.aten._nnpack_spatial_convolution.default(self.b0, self.b1, None, [2, -1, -1, 3], [5, -2147483648]), x
