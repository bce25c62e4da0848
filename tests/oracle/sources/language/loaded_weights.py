# SPDX-License-Identifier: GPL-3.0-or-later
# torch.load of a state_dict that lies beside the source.
# case: {"expr": "Net()", "inputs": "torch.ones(2, 3)"}
# case: {"expr": "Net('cpu')", "inputs": "torch.ones(2, 3)"}
# case: {"expr": "scaled", "inputs": "torch.ones(2)"}
# case: {"expr": "checkpoint", "inputs": "torch.ones(2)"}
# case: {"expr": "Net(name='missing.pt')", "fails": "error"}
import os
import pathlib

import torch
from torch import nn

HERE = pathlib.Path(__file__).parent
STATE = torch.load(os.path.join(os.path.dirname(__file__), "loaded_weights", "state.pt"), weights_only=True)


class Net(nn.Module):
    def __init__(self, device=None, name="state.pt"):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        self.fc.load_state_dict(torch.load(HERE / "loaded_weights" / name, map_location=device))

    def forward(self, x):
        return self.fc(x)


def scaled(x):
    return x * STATE["bias"][:2]


def checkpoint(x):
    loaded = torch.load(HERE / "loaded_weights" / "checkpoint.pt")
    return x + loaded["model"]["bias"].sum() * loaded["epoch"], loaded["name"], loaded["sizes"]
