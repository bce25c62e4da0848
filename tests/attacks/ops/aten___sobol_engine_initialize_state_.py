# SPDX-License-Identifier: GPL-3.0-or-later
# aten::_sobol_engine_initialize_state_: SIGSEGV
import torch
class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('b0', torch.zeros((3, 0), dtype=torch.int64))
    def forward(self, x):
        return torch.ops.aten._sobol_engine_initialize_state_.default(self.b0, 9223372036854775807), x
