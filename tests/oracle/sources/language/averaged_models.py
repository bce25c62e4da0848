# SPDX-License-Identifier: GPL-3.0-or-later
# torch.optim.swa_utils: models whose weights are averages.
# case: {"expr": "averaged()", "inputs": "torch.ones(2, 3)"}
# case: {"expr": "averaged(get_ema_avg_fn(0.9))", "inputs": "torch.ones(2, 3)"}
# case: {"expr": "averaged(None, get_ema_multi_avg_fn(0.7), True)", "inputs": "torch.ones(2, 3)"}
# case: {"expr": "averaged(None, get_swa_multi_avg_fn())", "inputs": "torch.ones(2, 3)"}
# case: {"expr": "averaged().mean", "fails": "error"}
# case: {"expr": "Holding()", "inputs": "torch.ones(2, 3)"}
# case: {"expr": "normalised()", "inputs": "torch.ones(2, 3)"}
# case: {"expr": "Holding(1.5)", "fails": "error"}
import torch
import torch.optim
from torch import nn
from torch.optim.swa_utils import (AveragedModel, get_ema_avg_fn, get_ema_multi_avg_fn, get_swa_avg_fn, get_swa_multi_avg_fn, update_bn)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        self.bn = nn.BatchNorm1d(4)
        self.register_buffer("offset", torch.arange(4.0))

    def forward(self, x):
        return self.bn(self.fc(x)) + self.offset


def averaged(avg_fn=None, multi_avg_fn=None, use_buffers=False):
    torch.manual_seed(0)
    net = Net()
    mean = AveragedModel(net, None, avg_fn, multi_avg_fn, use_buffers)
    for step in range(4):
        with torch.no_grad():
            net.fc.weight.add_(torch.full_like(net.fc.weight, 0.25 * step))
            net.offset.mul_(1.5)
        mean.update_parameters(net)
    return Held(mean).eval()


def normalised():
    mean = averaged()
    update_bn([torch.ones(2, 3) * step for step in range(3)], mean)
    return mean


class Held(nn.Module):
    def __init__(self, mean):
        super().__init__()
        self.mean = mean

    def forward(self, x):
        return self.mean(x)


class Holding(nn.Module):
    def __init__(self, decay=0.5):
        super().__init__()
        self.net = Net()
        self.mean = torch.optim.swa_utils.AveragedModel(self.net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(decay))

    def forward(self, x):
        return self.net(x) - self.mean(x)
