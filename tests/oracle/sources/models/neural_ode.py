# SPDX-License-Identifier: GPL-3.0-or-later
# Fixed-step integration with a function handed to a solver.
# case: {"expr": "ODENet(steps=2)", "inputs": "torch.randn(3, 2)"}
# case: {"expr": "ODENet(steps=3, method='euler')", "inputs": "torch.randn(3, 2)"}

import torch
from torch import nn


def euler(f, t, dt, y):
    return y + dt * f(t, y)


def rk4(f, t, dt, y):
    k1 = f(t, y)
    k2 = f(t + dt / 2, y + dt * k1 / 2)
    k3 = f(t + dt / 2, y + dt * k2 / 2)
    k4 = f(t + dt, y + dt * k3)
    return y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


class Field(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim + 1, 8), nn.Softplus(), nn.Linear(8, dim))

    def forward(self, t, y):
        time = torch.full_like(y[:, :1], t)
        return self.net(torch.cat([time, y], dim=1))


class ODENet(nn.Module):
    solvers = dict(euler=euler, rk4=rk4)

    def __init__(self, steps, method="rk4", dim=2):
        super().__init__()
        self.field = Field(dim)
        self.steps, self.method = steps, method

    def forward(self, y):
        dt = 1.0 / self.steps
        step = self.solvers[self.method]
        for i in range(self.steps):
            y = step(self.field, i * dt, dt, y)
        return y
