# SPDX-License-Identifier: GPL-3.0-or-later
# dtype, device, layout and memory format as arguments and attributes.
# case: {"expr": "forward", "inputs": "torch.rand(1, 2, 3, 3)"}
# case: {"expr": "device_as_name", "inputs": "torch.ones(2)", "fails": "run_error"}

import torch


def forward(x, dtype=torch.float32, where=torch.device("cpu")):
    a = x.to(torch.device("cpu")).to(dtype=torch.float64)
    b = torch.zeros_like(x, dtype=torch.int8, device="cpu", layout=torch.strided)
    c = x.contiguous(memory_format=torch.channels_last)
    d = x.to(memory_format=torch.channels_last)
    e = torch.empty_like(x, dtype=torch.bool).fill_(True)
    f = torch.sum(x, dtype=torch.double)
    info = torch.finfo(torch.float16)
    g = x.clamp(min=info.min, max=info.max) * info.eps + torch.iinfo(torch.int8).max
    h = x.type(torch.get_default_dtype())
    i = x.masked_fill(x.bool(), -torch.inf).nan_to_num(nan=0.0, neginf=float("-inf")) + torch.pi
    dtypes = [t for t in (torch.float16, torch.bfloat16, torch.int64) if t.is_floating_point]
    for t in dtypes:
        x = x.to(t)
    return a, b, c, d, e, f, g, h, i, x.float()


def device_as_name(x, device=torch.device("cpu")):
    return x.to(torch.device("cpu")).to(device)
