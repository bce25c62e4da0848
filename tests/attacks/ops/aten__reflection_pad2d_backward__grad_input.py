# SPDX-License-Identifier: GPL-3.0-or-later
# aten::reflection_pad2d_backward.grad_input: SIGSEGV
import torch
class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('b0', torch.tensor([[[-0.1989981234073639, -0.041086163371801376, -1.3440444469451904, 0.776868999004364], [-0.21988268196582794, 0.251278817653656, 0.13433431088924408, -2.2115328311920166], [-0.1483849287033081, -0.7216593027114868, -0.3721370995044708, -0.9010455012321472]], [[1.6334947347640991, -0.23422181606292725, 0.6683207750320435, 0.5123463273048401], [-0.3630928695201874, 1.9044040441513062, -1.2250159978866577, 0.48790454864501953], [-1.1574146747589111, 1.77321195602417, -0.5426578521728516, -0.7139315605163574]]], dtype=torch.float32))
        self.register_buffer('b1', torch.tensor(-1, dtype=torch.int64))
        self.register_buffer('b2', torch.tensor([False, True, True, True, False, True, False, True, True, False, False, False, True, True, False, True, False, False, True, True, False, True, True, True], dtype=torch.bool))
    def forward(self, x):
        return torch.ops.aten.reflection_pad2d_backward.grad_input(self.b0, self.b1, [], grad_input=self.b2), x
