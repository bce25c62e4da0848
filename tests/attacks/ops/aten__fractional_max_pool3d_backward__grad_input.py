# SPDX-License-Identifier: GPL-3.0-or-later
# aten::fractional_max_pool3d_backward.grad_input: SIGSEGV
import torch
class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('b0', torch.tensor([[0.7980562448501587], [0.8754133582115173], [-1.6112022399902344], [-0.16255821287631989], [0.32342538237571716]], dtype=torch.float32))
        self.register_buffer('b1', torch.tensor([[[[True, True, False, False, True, True, False, True], [False, False, True, False, False, True, False, True], [True, True, True, False, True, False, True, False], [False, True, False, True, False, False, True, False], [False, True, True, True, False, True, False, False], [False, True, True, False, False, False, False, False], [True, True, False, True, True, True, False, True], [False, False, True, True, True, False, True, False]], [[False, False, True, False, True, True, True, False], [False, False, False, True, False, False, False, False], [False, True, True, True, True, True, True, True], [True, True, True, True, False, False, True, True], [True, True, True, False, False, False, False, True], [True, True, False, True, True, True, True, True], [False, False, True, False, True, True, True, False], [True, True, False, False, True, False, True, True]], [[True, False, False, False, False, False, True, True], [False, False, True, True, True, False, True, True], [False, False, False, False, True, True, False, True], [True, False, False, False, False, False, False, True], [True, True, True, False, False, False, True, True], [False, True, True, True, False, False, True, False], [False, True, True, False, True, True, True, False], [False, False, True, True, True, False, False, False]]]], dtype=torch.bool))
        self.register_buffer('b2', torch.tensor([[1.771140217781067, -0.8004475235939026, -0.5012069940567017], [0.0120950136333704, 2.4442968368530273, -1.8828204870224], [-1.1363494396209717, -1.0161669254302979, 0.39380091428756714]], dtype=torch.float32))
        self.register_buffer('b3', torch.tensor([True], dtype=torch.bool))
    def forward(self, x):
        return torch.ops.aten.fractional_max_pool3d_backward.grad_input(self.b0, self.b1, [0, 3], [], self.b2, grad_input=self.b3), x
