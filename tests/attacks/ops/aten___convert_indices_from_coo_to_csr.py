# SPDX-License-Identifier: GPL-3.0-or-later
# aten::_convert_indices_from_coo_to_csr: SIGSEGV
import torch
class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('b0', torch.tensor([-9223372036854775808], dtype=torch.int64))
    def forward(self, x):
        return torch.ops.aten._convert_indices_from_coo_to_csr.default(self.b0, 1, out_int32=True), x
