# SPDX-License-Identifier: GPL-3.0-or-later
# torch._assert and asserts on static facts.
# case: {"expr": "forward", "inputs": "torch.ones(2, 3)"}
# case: {"expr": "symbolic", "inputs": "torch.ones(2, 3)", "tracer": {"trace_asserts": "True"}, "fails": "error"}

import torch


def forward(x, n=2):
    torch._assert(x.shape[0] == 2, "batch must be two")
    torch._assert(x.dim() > 1, f"wrong {n}")
    assert True, "never"
    assert isinstance(1, int)
    return x


def symbolic(x):
    assert x.shape[1] == 3
    assert x.size(0) == 2, "batch"
    return x + 1
