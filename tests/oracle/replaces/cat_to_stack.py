# SPDX-License-Identifier: GPL-3.0-or-later
"""A list argument is compared item by item."""

import torch


class Model(torch.nn.Module):
    def forward(self, x, w1, w2):
        first = torch.cat([w1, w2]).sum()
        second = torch.cat([w1, w2]).sum()
        return x + torch.max(first) + torch.max(second)


model = Model()


def pattern(left, right):
    return torch.cat([left, right])


def replacement(left, right):
    return torch.stack([left, right])
