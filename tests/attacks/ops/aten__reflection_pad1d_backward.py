# SPDX-License-Identifier: GPL-3.0-or-later
# aten::reflection_pad1d_backward: SIGSEGV
import torch
class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('b0', torch.tensor([1], dtype=torch.uint8))
        self.register_buffer('b1', torch.tensor([[0.9156050682067871, 2.512892007827759, -0.03705112636089325], [-1.0181289911270142, -1.1638543605804443, 0.08581221103668213], [0.05057914927601814, 0.1480533480644226, -0.4363493323326111]], dtype=torch.float32))
    def forward(self, x):
        return torch.ops.aten.reflection_pad1d_backward.default(self.b0, self.b1, []), x
