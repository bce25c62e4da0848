# SPDX-License-Identifier: GPL-3.0-or-later
# A loop over the batch, the commonest mistake in hand-written losses.
# case: {"expr": "Loss()", "fails": "error"}
# case: {"expr": "pad_to", "fails": "error"}

import torch
from torch import nn


class Loss(nn.Module):
    def forward(self, logits, targets):
        losses = []
        for i in range(logits.shape[0]):
            losses.append(nn.functional.mse_loss(logits[i], targets[i]))
        return torch.stack(losses).mean()


def pad_to(x, size=8):
    missing = size - x.shape[-1]
    if missing > 0:
        x = nn.functional.pad(x, (0, missing))
    return x
