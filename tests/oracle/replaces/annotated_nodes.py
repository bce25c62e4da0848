# SPDX-License-Identifier: GPL-3.0-or-later
"""Types and defaults of placeholders stay; copied nodes bring theirs."""

import torch


def model(x: torch.Tensor, y: int = 3):
    return torch.add(x, y)


def pattern(x: float, y):
    return torch.add(x, y)


def replacement(x: float, y: bool = True) -> torch.Tensor:
    return torch.sub(x, y)
