# SPDX-License-Identifier: GPL-3.0-or-later
# Many methods of tensors with their argument forms, chains over several lines.
# case: {"expr": "forward", "inputs": "torch.randn(2, 3, 4)"}
# case: {"expr": "conversions", "inputs": "torch.randn(2, 3)"}
# case: {"expr": "properties", "inputs": "torch.randn(2, 3)"}

import torch


def forward(x):
    y = (
        x.permute(0, 2, 1)
        .contiguous()
        .view(2, -1)
        .softmax(dim=-1)
    )
    z = x.sum().add(1, alpha=2).mul(0.5).clamp(0, 1)
    a = x.transpose(-1, 1).reshape([2, 12]).split([4, 8], dim=1)[1]
    b = x.mean(dim=[0, 1], keepdim=True).squeeze(0).unsqueeze(-1).expand(-1, -1, 2).repeat(2, 1, 1)
    c = x.topk(2, -1)
    d = x.sort(dim=1, descending=True).values.cumsum(0).flip(0, 1)
    e = x.var(1, unbiased=True) + x.std(dim=1) + x.norm(p=2, dim=1) - x.max(1)[0] + x.min(dim=1).values
    f = x.gather(2, x.argsort(dim=2)).masked_fill(x > 0, -1).where(x < 0, x)
    g = x.narrow(2, 0, 2).tril().triu(1).diagonal(dim1=1, dim2=2)
    return y, z, a, b, c[0], d, e, f, g, x.any(), x.all(dim=0), x.isnan().logical_not().float().nonzero()


def conversions(x):
    a = x.to(torch.float64).to("cpu").to(x.device, x.dtype)
    b = x.half().float().double().int().long().bool()
    c = x.type(torch.int32).type_as(x)
    d = x.to(dtype=torch.float16, device="cpu", non_blocking=True, copy=False)
    e = x.cpu().detach().requires_grad_(False)
    return a, b, c, d, e, x.is_floating_point()


def properties(x):
    return x.T, x.mT, x.real, x.shape, x.dtype, x.device, x.ndim, x.grad, x.is_cuda, x.requires_grad, x.T.mT.shape[0]
