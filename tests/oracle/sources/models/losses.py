# SPDX-License-Identifier: GPL-3.0-or-later
# Several losses of two predictions, and a sum with weights from a dict.
# case: {"expr": "Losses({'focal': 0.5, 'dice': 1.0, 'contrast': 0.1})", "inputs": "torch.randn(4, 3), torch.tensor([0, 1, 2, 1])"}

import torch
from torch import nn
import torch.nn.functional as F


class FocalLoss(nn.Module):
    def __init__(self, gamma=2.0, alpha=0.25):
        super().__init__()
        self.gamma, self.alpha = gamma, alpha

    def forward(self, logits, target):
        ce = F.cross_entropy(logits, target, reduction="none")
        pt = torch.exp(-ce)
        return (self.alpha * (1 - pt) ** self.gamma * ce).mean()


class DiceLoss(nn.Module):
    def __init__(self, smooth=1):
        super().__init__()
        self.smooth = smooth

    def forward(self, logits, target):
        probs = logits.softmax(1)
        onehot = F.one_hot(target, num_classes=3).to(probs.dtype)
        intersection = (probs * onehot).sum()
        return 1 - (2.0 * intersection + self.smooth) / (probs.sum() + onehot.sum() + self.smooth)


class ContrastiveLoss(nn.Module):
    def __init__(self, temperature=0.5):
        super().__init__()
        self.temperature = temperature

    def forward(self, z, target):
        z = F.normalize(z)
        sim = z @ z.mT / self.temperature
        same = target[:, None] == target[None, :]
        logp = sim - torch.logsumexp(sim, dim=1, keepdim=True)
        return -(logp * same.float()).sum(1).div(same.sum(1)).mean()


class Losses(nn.Module):
    table = {"focal": FocalLoss, "dice": DiceLoss, "contrast": ContrastiveLoss}

    def __init__(self, weights):
        super().__init__()
        self.weights = dict(weights)
        self.losses = nn.ModuleDict({name: self.table[name]() for name in weights})
        self.smooth_l1 = nn.SmoothL1Loss(beta=0.5)

    def forward(self, logits, target):
        parts = {name: loss(logits, target) for name, loss in self.losses.items()}
        total = sum(self.weights[name] * value for name, value in parts.items())
        total = total + self.smooth_l1(logits[:, 0], target.float())
        return total, parts
