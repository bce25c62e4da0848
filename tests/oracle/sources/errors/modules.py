# SPDX-License-Identifier: GPL-3.0-or-later
# Modules that the root does not know, missing attributes, wrong constructor arguments.
# case: {"expr": "NotInstalled()", "fails": "error"}
# case: {"expr": "MadeInForward()", "fails": "error"}
# case: {"expr": "Missing()", "fails": "error"}
# case: {"expr": "Missing(2)", "fails": "error"}
# case: {"expr": "NoSuper()", "fails": "error"}
# case: {"expr": "NoForward()", "fails": "error"}
# case: {"expr": "WrongCall()", "fails": "error"}
# case: {"expr": "WrongCall(2)", "fails": "error"}
# case: {"expr": "WrongCall(3)", "fails": "error"}
# case: {"expr": "WrongChild()", "fails": "error"}
# case: {"expr": "nn.Linear(3)", "fails": "error"}
# case: {"expr": "nn.Conv2d(3, 4, 3, group=2)", "fails": "error"}
# case: {"expr": "nn.Conv2d(3, 4, 3, groups=2)", "fails": "error"}
# case: {"expr": "nn.BatchNorm3d()", "fails": "error"}
# case: {"expr": "NoSelf()", "fails": "error"}
# case: {"expr": "ListOfLayers()", "fails": "error"}
# case: {"expr": "BadInit()", "fails": "error"}
# case: {"expr": "Unknown()", "fails": "error"}
# case: {"expr": "nn.MultiheadAttention(5, 2)", "fails": "error"}
# case: {"expr": "Parameters()", "fails": "error"}

import torch
from torch import nn


class NotInstalled(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = [nn.Linear(2, 2)]

    def forward(self, x):
        return self.hidden[0](x)


class MadeInForward(nn.Module):
    def forward(self, x):
        return nn.ReLU()(x)


class Missing(nn.Module):
    def __init__(self, which=1):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.which = which

    def forward(self, x):
        if self.which == 1:
            return self.fc2(x)
        return self.fc.nothing(x)


class NoSuper(nn.Module):
    def __init__(self):
        self.fc = nn.Linear(2, 2)

    def forward(self, x):
        return self.fc(x)


class NoForward(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)


class Inner(nn.Module):
    def forward(self, x, y, *, scale):
        return x + y * scale


class WrongCall(nn.Module):
    def __init__(self, kind=1):
        super().__init__()
        self.inner = Inner()
        self.kind = kind

    def forward(self, x):
        if self.kind == 1:
            return self.inner(x)
        if self.kind == 2:
            return self.inner(x, x, x, scale=1)
        return self.inner(x, x, scale=1, shift=2)


class WrongChild(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.fc = torch.ones(2)

    def forward(self, x):
        return x


class NoSelf(nn.Module):
    def forward():
        return 1


class ListOfLayers(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.ReLU(), torch.relu])

    def forward(self, x):
        return x


class BadInit(nn.Module):
    def __init__(self, n):
        super().__init__()

    def forward(self, x):
        return x


class Unknown(nn.Module):
    def forward(self, x):
        return undefined_name(x)


class Parameters(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_parameter("w", torch.ones(2))

    def forward(self, x):
        return x * self.w
