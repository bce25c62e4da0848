# SPDX-License-Identifier: GPL-3.0-or-later
# aten::_fft_c2c: SIGSEGV
import torch
class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('b0', torch.tensor([[(0.9458050727844238+0.26843658089637756j)], [(0.12331432849168777-0.5456175804138184j)], [(1.3357480764389038-1.0717277526855469j)], [(0.1761767864227295+0.07674352079629898j)], [(-0.3180226981639862+1.0073292255401611j)]], dtype=torch.complex64))
    def forward(self, x):
        return torch.ops.aten._fft_c2c.default(self.b0, [1, 4611686018427387904, 4, 1], 1, False), x
