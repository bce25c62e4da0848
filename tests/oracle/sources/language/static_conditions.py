# SPDX-License-Identifier: GPL-3.0-or-later
# Questions whose answer is known while tracing.
# case: {"expr": "forward", "inputs": "torch.ones(2)"}
# case: {"expr": "specialised", "inputs": "torch.ones(2)"}

import torch


def forward(x, y=None):
    if isinstance(x, torch.Tensor):
        return x + 1
    if x is None or y is not None and False:
        pass
    if 1 < 2 <= 2 < 3 != 4:
        x = x * 2
    if x is x and not isinstance(x, (list, tuple)):
        x = x * 3
    z = x if hasattr(x, "anything at all") else None
    return z, callable(x), type(x) is torch.Tensor


def specialised(x):
    name = f"{x}"
    table = {x: 1}
    text = "yes" if x in table else "no"
    return x + len(name), text, id(x) == id(x), repr(x), str(x)
