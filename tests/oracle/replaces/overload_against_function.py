# SPDX-License-Identifier: GPL-3.0-or-later
"""An overload is not the function of the same name, nor another overload."""

import torch

aten = torch.ops.aten


def model(x):
    return aten.relu.default(x) + torch.relu(x) + aten.add.Scalar(x, 1) + aten.add.Tensor(x, 1)


def pattern(x):
    return aten.add.Tensor(x, 1)


def replacement(x):
    return aten.add.Scalar(x, 2)
