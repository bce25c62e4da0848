# SPDX-License-Identifier: GPL-3.0-or-later
# aten::view_copy.dtype: SIGSEGV
import torch
class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('b0', torch.tensor([[0.4000000059604645], [0.9000000357627869], [-0.30000001192092896], [-0.20000000298023224], [-0.30000001192092896]], dtype=torch.float32))
    def forward(self, x):
        return torch.ops.aten.view_copy.dtype(torch.quantize_per_tensor(self.b0, 0.1, 3, torch.quint8), torch.quint8), x
