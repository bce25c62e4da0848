# SPDX-License-Identifier: GPL-3.0-or-later
# A long short-term memory cell by hand, unrolled over a fixed number of steps.
# case: {"expr": "Unrolled(3, 5, steps=4)", "inputs": "torch.randn(2, 4, 3)"}

import torch
import torch.nn as nn


class LSTMCell(nn.Module):
    def __init__(self, input_size, hidden_size):
        super(LSTMCell, self).__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.x2h = nn.Linear(input_size, 4 * hidden_size)
        self.h2h = nn.Linear(hidden_size, 4 * hidden_size)

    def forward(self, input, hx):
        hx, cx = hx
        gates = self.x2h(input) + self.h2h(hx)
        i_gate, f_gate, g_gate, o_gate = gates.chunk(4, 1)
        i_t = torch.sigmoid(i_gate)
        f_t = torch.sigmoid(f_gate)
        g_t = torch.tanh(g_gate)
        o_t = torch.sigmoid(o_gate)
        cy = cx * f_t + i_t * g_t
        hy = o_t * torch.tanh(cy)
        return (hy, cy)


class Unrolled(nn.Module):
    def __init__(self, n_in, hidden, steps):
        super().__init__()
        self.cell = LSTMCell(n_in, hidden)
        self.steps = steps
        self.hidden = hidden

    def forward(self, x):
        h = x.new_zeros(x.size(0), self.hidden)
        state = (h, h.clone())
        outs = []
        for t in range(self.steps):
            state = self.cell(x[:, t, :], state)
            outs.append(state[0])
        return torch.stack(outs, dim=1), state
