# SPDX-License-Identifier: GPL-3.0-or-later
# Batch, layer, group, instance and weight normalisation by hand.
# case: {"expr": "Norms()", "inputs": "torch.randn(3, 4, 5, 5)"}
# case: {"expr": "Norms()", "train": true}

import torch
from torch import nn


class MyBatchNorm(nn.Module):
    def __init__(self, channels, momentum=0.1):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(channels))
        self.beta = nn.Parameter(torch.zeros(channels))
        self.momentum = momentum
        self.register_buffer("running_mean", torch.zeros(channels))
        self.register_buffer("running_var", torch.ones(channels))
        self.register_buffer("count", torch.tensor(0, dtype=torch.long))

    def forward(self, x):
        if self.training:
            mean = x.mean((0, 2, 3))
            var = x.var((0, 2, 3), unbiased=False)
            self.running_mean = (1 - self.momentum) * self.running_mean + self.momentum * mean
            self.running_var = (1 - self.momentum) * self.running_var + self.momentum * var
            self.count += 1
        else:
            mean, var = self.running_mean, self.running_var
        shape = (1, -1, 1, 1)
        x = (x - mean.view(shape)) / torch.sqrt(var.view(shape) + 1e-5)
        return x * self.gamma.view(*shape) + self.beta.view(*shape)


class MyGroupNorm(nn.Module):
    def __init__(self, groups, channels):
        super().__init__()
        self.groups = groups
        self.weight = nn.Parameter(torch.ones(1, channels, 1, 1))
        self.bias = nn.Parameter(torch.zeros(1, channels, 1, 1))

    def forward(self, x):
        n, c, h, w = x.shape
        g = x.view(n, self.groups, -1)
        var, mean = torch.var_mean(g, dim=-1, keepdim=True, unbiased=False)
        g = (g - mean) * (var + 1e-5).rsqrt()
        return torch.addcmul(self.bias, g.view(n, c, h, w), self.weight)


class InstanceNorm(nn.Module):
    def forward(self, x, eps=1e-5):
        mean = x.mean(dim=[2, 3], keepdim=True)
        return (x - mean) / (x.std(dim=[2, 3], keepdim=True) + eps)


class WeightNormLinear(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.v = nn.Parameter(torch.randn(n_out, n_in))
        self.g = nn.Parameter(torch.ones(n_out, 1))

    @property
    def weight(self):
        return self.g * self.v / self.v.norm(2, dim=1, keepdim=True)

    def forward(self, x):
        return x @ self.weight.t()


class Norms(nn.Module):
    def __init__(self):
        super().__init__()
        self.batch = MyBatchNorm(4)
        self.group = MyGroupNorm(2, 4)
        self.instance = InstanceNorm()
        self.out = WeightNormLinear(100, 2)

    def forward(self, x):
        x = self.batch(x)
        x = self.group(x)
        x = self.instance(x, eps=1e-3)
        return self.out(x.reshape(x.shape[0], -1))
