# SPDX-License-Identifier: GPL-3.0-or-later
# Lists, tuples, dicts, slices, ranges and nests as arguments of calls.
# case: {"expr": "forward", "inputs": "torch.ones(2, 3), torch.ones(2, 3)"}

import torch

torch.fx.wrap("take")


def take(*args, **kwargs):
    return len(args) + len(kwargs)


def forward(x, y):
    a = torch.cat([x, y, x + y], dim=0)
    b = torch.stack((x, y))
    c = torch.cat([*[x] * 2, *(y,)], 1)
    d = take(x, [y, [x, (y,)]], {"k": x, "n": {"m": y}}, slice(x.shape[0], None), range(3), ..., None, key=(1, "a", 2.5))
    e = take([x], 1 + 2j, torch.float32, torch.device("cpu"), b"bytes" if False else "text", True, -1, 1e-12)
    f = torch.where(x > 0, input=x, other=y) if False else take({1: x, "two": y})
    return a, b, c, d, e, f
