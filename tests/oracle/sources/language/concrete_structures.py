# SPDX-License-Identifier: GPL-3.0-or-later
# concrete_args that hold structures: the signature stays, the values inside are inputs.
# case: {"expr": "of_dict", "concrete": {"x": "{'a': PH, 'b': PH, 'c': PH}"}, "inputs": "{'a': torch.ones(2), 'b': torch.ones(2), 'c': torch.ones(2)}"}
# case: {"expr": "of_list", "concrete": {"xs": "[PH, PH]"}, "inputs": "torch.ones(2), [torch.ones(2), torch.zeros(2)]"}
# case: {"expr": "of_tuple", "concrete": {"pair": "(PH, (PH, 3))"}, "inputs": "(torch.ones(2), (torch.ones(2), 3)), torch.ones(2)"}
# case: {"expr": "Net()", "concrete": {"states": "[(PH, PH), (PH, PH)]"}, "inputs": "torch.ones(2, 3), [(torch.ones(2, 3), torch.ones(2, 3)), (torch.ones(2, 3), torch.ones(2, 3))]"}
# case: {"expr": "of_dict", "concrete": {"x": "{}"}, "inputs": "{}"}

import torch
from torch import nn


def of_dict(x):
    out = 0
    for v in x.values():
        out += v
    return out


def of_list(y, xs):
    return [y + x for x in xs], len(xs)


def of_tuple(pair, y):
    a, (b, n) = pair
    return {"sum": a + b * n, "y": y}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cells = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])

    def forward(self, x, states):
        new = []
        for cell, (h, c) in zip(self.cells, states):
            c = c + cell(x)
            h = h * c.tanh()
            x = h
            new.append((h, c))
        return x, new
