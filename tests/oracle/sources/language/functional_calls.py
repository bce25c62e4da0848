# SPDX-License-Identifier: GPL-3.0-or-later
# torch.func.functional_call puts tensors in the place of a module's own, and takes them away again.
# case: {"expr": "Net()", "inputs": "torch.ones(3, 2)"}
# case: {"expr": "told", "inputs": "torch.ones(3, 2)"}

import torch
from torch import nn
from torch.func import functional_call


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
        self.other = nn.Parameter(torch.full((2, 2), 3.0))

    def forward(self, x):
        return self.net(x) + functional_call(self.net, {}, (x,))


net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
net.extra = torch.ones(1)
net.eval()


def looked_at():
    ones = torch.ones(3, 2)
    state = {"0.weight": torch.zeros(2, 2), "0.bias": torch.full((2,), 5.0), "1.running_mean": torch.ones(2)}
    before = [value.clone() for value in net.state_dict().values()]
    found = functional_call(net, state, (ones,))
    functional_call(net, {"extra": torch.zeros(1), "0.fresh": torch.ones(2)}, ones)
    same = all(torch.equal(a, b) for a, b in zip(before, net.state_dict().values()))
    return found.shape, found[0, 0].item() > 3.9, same, net.extra.item(), hasattr(net[0], "fresh")


found = looked_at()


def told(x):
    return x, found
