# SPDX-License-Identifier: GPL-3.0-or-later
# passes: ../../../plugins/passes/cleaning.py
# case: subexpressions_twice aten common_subexpressions
# case: reinplace_values aten Reinplace
# case: sort_stable Net() sort_nodes
# case: sort_plain Net() sort_nodes --stable False
# case: constants_of_weights Net() fold_constants
# case: constants_none aten fold_constants
# case: matmul_of_heads Net() merge_matmul
# case: target_relu Net() replace_target --old torch.relu --new torch.nn.functional.silu
# case: target_unknown Net() replace_target --old torch.relu --new torch.no_such

import torch
import torch.nn as nn

INPUTS = {"Net()": (torch.linspace(-1, 1, 12).reshape(2, 6),), "aten": (torch.linspace(-1, 1, 12).reshape(2, 6),)}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Parameter(torch.ones(6, 4)), nn.Parameter(torch.full((6, 4), 0.5))

    def forward(self, x):
        scale = torch.exp(self.two) + self.one.sum()
        left, right = torch.matmul(x, self.one), torch.matmul(x + 1, self.one)
        return torch.relu(left + right) * scale[0], x.max()


def aten(x):
    ops = torch.ops.aten
    y = ops.add.Tensor(x, 1)
    z = ops.mul.Tensor(ops.sin.default(x), ops.sin.default(x))
    return ops.relu.default(ops.add.Tensor(y, 2)), ops.add.Tensor(z, ops.add.Tensor(x, 1))
