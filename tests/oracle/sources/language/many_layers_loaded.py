# SPDX-License-Identifier: GPL-3.0-or-later
# Loading a state_dict into many layers.
# case: {"expr": "counted", "inputs": "torch.ones(1)"}

import torch
from torch import nn

net = nn.Sequential(*[nn.Linear(1, 1) for _ in range(2000)])
state = {name: torch.full_like(value, 2.0) for name, value in net.state_dict().items()}
found = net.load_state_dict(state)
wrong = net.load_state_dict({**state, "5.other": torch.ones(1), "9999.weight": torch.ones(1)}, strict=False)
del state["7.bias"]
lacking = net.load_state_dict(state, strict=False)


def counted(x):
    return x + net[1999].weight.item() + len(state), str(found), wrong.unexpected_keys, lacking.missing_keys
