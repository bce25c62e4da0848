# SPDX-License-Identifier: GPL-3.0-or-later
# torch.func.functional_call with what is no tensor in the place of a module's own.
# case: {"expr": "Net('proxy')", "fails": "error"}
# case: {"expr": "Net('number')", "fails": "error"}
# case: {"expr": "Net('list')", "fails": "error"}
# case: {"expr": "Net('child')", "fails": "error"}
# case: {"expr": "Net('text')", "fails": "error"}
# case: {"expr": "Net('empty')", "fails": "error"}
# case: {"expr": "Net('strict')", "fails": "error"}
# case: {"expr": "Net('buffer of proxy')", "fails": "error"}

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.kind = kind
        self.net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
        self.net.title = "text"

    def forward(self, x, w):
        state = {"proxy": {"0.weight": w}, "number": {"0.weight": 3}, "list": {"0.bias": [1, 2]},
                 "child": {"5.weight": torch.ones(2)}, "text": {"title": torch.ones(2)}, "empty": {"0.": torch.ones(2)},
                 "strict": {"0.weight": torch.ones(2, 2), "other": torch.ones(2)},
                 "buffer of proxy": {"1.running_mean": x.mean(0)}}[self.kind]
        return torch.func.functional_call(self.net, state, (x,), strict=self.kind == "strict")
