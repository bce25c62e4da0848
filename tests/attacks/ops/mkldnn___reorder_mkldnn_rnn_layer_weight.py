# SPDX-License-Identifier: GPL-3.0-or-later
# mkldnn::_reorder_mkldnn_rnn_layer_weight: SIGSEGV
import torch
class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('b0', torch.tensor([[[[1, 1, 3, 3], [3, 2, 2, 0], [2, 0, 3, 2]], [[2, 1, 2, 0], [3, 2, 3, 1], [1, 3, 2, 3]]], [[[1, 1, 3, 3], [3, 2, 2, 0], [2, 0, 3, 2]], [[2, 1, 2, 0], [3, 2, 3, 1], [1, 3, 2, 3]]], [[[1, 1, 3, 3], [3, 2, 2, 0], [2, 0, 3, 2]], [[2, 1, 2, 0], [3, 2, 3, 1], [1, 3, 2, 3]]]], dtype=torch.int64)[:1].expand((3, 2, 3, 4)))
        self.register_buffer('b1', torch.tensor([[0, 2, 2, 1], [3, 2, 2, 1], [0, 1, 2, 0], [3, 1, 2, 1]], dtype=torch.int64))
    def forward(self, x):
        return torch.ops.mkldnn._reorder_mkldnn_rnn_layer_weight.default(self.b0, self.b1, -1, False, True, False, []), x
