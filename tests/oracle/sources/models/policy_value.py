# SPDX-License-Identifier: GPL-3.0-or-later
# Two heads on one trunk, action masks and an entropy.
# case: {"expr": "ActorCritic(4, 3)", "inputs": "torch.randn(2, 4), torch.tensor([[True, True, False], [True, False, True]])"}

import numbers

import torch
import torch.nn as nn


class ActorCritic(nn.Module):
    def __init__(self, obs, actions, hidden=8):
        super().__init__()
        assert isinstance(obs, numbers.Integral)
        self.trunk = nn.Sequential(nn.Linear(obs, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.actor, self.critic = nn.Linear(hidden, actions), nn.Linear(hidden, 1)
        nn.init.orthogonal_(self.actor.weight, gain=0.01)

    def forward(self, obs, mask):
        h = self.trunk(obs)
        logits = torch.where(mask, self.actor(h), torch.tensor(-1e8))
        logp = logits - logits.logsumexp(-1, keepdim=True)
        entropy = -(logp.exp() * logp).sum(-1)
        return logp, self.critic(h).squeeze(-1), entropy
