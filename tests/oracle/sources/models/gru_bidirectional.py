# SPDX-License-Identifier: GPL-3.0-or-later
# Two directions of a gated cell over a list from unbind, hidden states from the module.
# case: {"expr": "BiGRU(3, 4, 3)", "inputs": "torch.randn(3, 2, 3)"}

import torch
from torch import nn


class GRUCell(nn.Module):
    def __init__(self, n_in: int, n_hidden: int):
        super().__init__()
        self.weight_ih = nn.Parameter(torch.Tensor(3 * n_hidden, n_in))
        self.weight_hh = nn.Parameter(torch.Tensor(3 * n_hidden, n_hidden))
        self.bias = nn.Parameter(torch.zeros(3, n_hidden))
        self.reset_parameters()

    def reset_parameters(self):
        for p in self.parameters():
            nn.init.uniform_(p, -0.5, 0.5)

    def forward(self, x, h):
        gi = x @ self.weight_ih.t()
        gh = torch.mm(h, self.weight_hh.T)
        i_r, i_z, i_n = torch.split(gi, gi.shape[-1] // 3, dim=1)
        h_r, h_z, h_n = torch.tensor_split(gh, 3, dim=1)
        b_r, b_z, b_n = self.bias[0], self.bias[1], self.bias[2]
        r = (i_r + h_r + b_r).sigmoid()
        z = (i_z + h_z + b_z).sigmoid_()
        n = torch.tanh(i_n + r * h_n + b_n)
        return torch.lerp(n, h, z)


class BiGRU(nn.Module):
    def __init__(self, n_in, n_hidden, steps):
        super().__init__()
        self.directions = nn.ModuleDict({"forward_cell": GRUCell(n_in, n_hidden), "backward_cell": GRUCell(n_in, n_hidden)})
        self.h0 = nn.ParameterDict({k: nn.Parameter(torch.zeros(1, n_hidden)) for k in self.directions})
        self.steps = steps

    def run(self, key, xs):
        h = self.h0[key].expand(xs[0].size(0), -1)
        hs = []
        for x in xs:
            h = self.directions[key](x, h)
            hs += [h]
        return hs

    def forward(self, sequence):
        parts = sequence.unbind()
        xs = [parts[i] for i in range(self.steps)]
        there = self.run("forward_cell", xs)
        back = self.run("backward_cell", xs[::-1])[::-1]
        return torch.stack([torch.cat(pair, -1) for pair in zip(there, back)])
