# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that ask for sizes, dtypes and devices of their inputs, and move tensors by them."""

from typing import Dict, List, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import nn


class Moves(nn.Module):
    """Each form of Tensor.to, and what makes tensors by the dtype and device of others."""

    def __init__(self):
        super().__init__()
        self.register_buffer("counts", torch.arange(4))

    def forward(self, x, i):
        y = x.to(torch.float64) + x.to("cpu") + x.to("cpu", torch.float64) + x.to(device="cpu", dtype=torch.float64, copy=True)
        y = y + i.to(x) + i.to(x.dtype) + i.to(x.device, x.dtype, copy=True) + i.type_as(x) + x.double().half().float()
        y = y + x.to(torch.float64, memory_format=torch.channels_last) + x.contiguous(memory_format=torch.channels_last).cpu()
        y = y + self.counts.to(x.device)[None] + self.counts.to(x) + x.new_zeros(x.shape) + torch.ones_like(i, dtype=x.dtype, device=x.device)
        z = torch.arange(x.size(-1), device=x.device).unsqueeze(0) + torch.full((x.size(-2), 1), 2, dtype=torch.long, device=x.device)
        return y, z, (1.0 - (i > 1).to(dtype=x.dtype)) * -1e9, x.to(i, copy=True)


class Numbers(nn.Module):
    """Sizes that tracing makes tensors, which the program goes on to use as tensors."""

    def forward(self, x):
        scale = torch.tensor(x.size(-1) ** 0.5)
        root = torch.sqrt(torch.tensor(x.size(-1) * x.size(0), dtype=x.dtype))
        return x / scale, x * root, torch.tensor(x.size(0) // 2)


class SparseMade(nn.Module):
    def forward(self, x):
        made = torch.sparse_coo_tensor(torch.tensor([[0, 1], [1, 0]]), torch.tensor([1.0, 2.0]), (2, 2))
        return made.to_dense() @ x


class Asserting(nn.Module):
    def forward(self, x):
        assert x.dim() == 4, f"got {x.dim()}"
        n, c, h, w = x.shape
        assert h % 2 == 0 and w % 2 == 0
        if c != 3 or h > 100:
            raise ValueError("expected 3 channels, got {}".format(c))
        return x.view(n, c * h, w)


class BySizes(nn.Module):
    """What leaves give has sizes, too."""

    def __init__(self):
        super().__init__()
        self.conv, self.norm = nn.Conv2d(3, 3, 3, 2), nn.LayerNorm(2)

    def forward(self, x):
        y = self.norm(self.conv(x).to(x.device))
        if y.size(2) > 1:
            y = F.max_pool2d(y, 2, 1)
        if y.shape[-1] % 2 != 0:
            y = F.pad(y, [0, 1])
        if list(y.shape) == [2, 3, 1, 2]:
            y = y + 1
        return y


class Kinds(nn.Module):
    def forward(self, x):
        if x.dtype == torch.float32 and x.is_floating_point():
            x = x + 1
        if x.is_cuda or x.is_meta:
            x = x - 5
        if x.device.type == "cpu":
            x = x * 3
        return x + torch.arange(4, device=x.device)


class Masked(nn.Module):
    def forward(self, x, mask: Optional[torch.Tensor] = None):
        if mask is not None:
            if mask.dim() == 2:
                mask = mask.unsqueeze(0)
            elif mask.dim() != 3:
                raise RuntimeError(f"a mask of {mask.dim()} dimensions")
            x = x.masked_fill(mask, 0.0) if mask.dtype == torch.bool else x + mask
        return x


class Lists(nn.Module):
    def forward(self, xs: List[torch.Tensor], scale: float):
        out = xs[0] * scale
        for x in xs[1:]:
            out = out + x if x.shape == out.shape else out + x.sum()
        return out


class Dicts(nn.Module):
    def forward(self, named: Dict[str, torch.Tensor], pair: Tuple[torch.Tensor, int]):
        x = named["a"]
        if "b" in named:
            x = x + named["b"]
        first, count = pair
        for _ in range(count):
            x = x + first
        return {"out": x * x.size(0)}


class ByValues(nn.Module):
    def forward(self, x, y, n: int):
        z = x + 1
        if (z * n).sum() > 0:
            return x
        return y


class ByFound(nn.Module):
    def forward(self, x, y):
        if torch.nonzero(x).size(0) > 2:
            return x
        return y


def cases():
    x, image = torch.randn(2, 4), torch.randn(2, 3, 4, 4)
    yield "moves", Moves(), (image, torch.randint(0, 4, (2, 3, 4, 4))), "trace script freeze"
    yield "moves_sized", Moves(), (image, torch.randint(0, 4, (2, 3, 4, 4))), "trace", {
        "concrete": {"x": "torch.zeros(2, 3, 4, 4)", "i": "torch.zeros(2, 3, 4, 4, dtype=torch.long)"}}
    yield "numbers", Numbers(), (x,), "trace"
    yield "numbers_sized", Numbers(), (x,), "trace", {"concrete": {"x": "torch.zeros(2, 4)"}}
    yield "sparse_made", SparseMade(), (torch.randn(2, 3),), "trace"
    yield "asserting", Asserting(), (image,), "script", {"concrete": {"x": "torch.zeros(2, 3, 4, 4)"}}
    yield "asserting_unknown", Asserting(), (image,), "script"
    yield "asserting_wrong", Asserting(), (image,), "script", {
        "concrete": {"x": "torch.zeros(2, 5, 4, 4)"}, "error": "expected 3 channels, got 5\n    raise ValueError("}
    yield "by_sizes", BySizes(), (torch.randn(2, 3, 6, 6),), "script", {"concrete": {"x": "torch.zeros(2, 3, 6, 6)"}}
    yield "by_sizes_unknown", BySizes(), (image,), "script", {
        "error": "if y.size(2) > 1:; --concrete-args 'x=torch.zeros(...)' fixes the sizes and the dtype of x"}
    yield "kinds", Kinds(), (x,), "script", {"concrete": {"x": "torch.zeros(2, 4)"}}
    yield "masked", Masked(), (torch.randn(2, 4, 4), torch.rand(4, 4) > 0.5), "script", {"concrete": {"mask": "torch.zeros(4, 4, dtype=torch.bool)"}}
    yield "masked_unknown", Masked(), (x, x), "script", {
        "error": "if mask.dim() == 2:; --concrete-args 'mask=torch.zeros(...)' fixes the sizes and the dtype of mask"}
    yield "lists", Lists(), ([x, x, torch.randn(3)], 2.0), "script", {
        "concrete": {"xs": "[torch.zeros(2, 4), torch.zeros(2, 4), torch.zeros(3)]", "scale": "2.0"}}
    yield "lists_unscaled", Lists(), ([x, x], 2.0), "script", {
        "concrete": {"xs": "[torch.zeros(2, 4), torch.zeros(2, 4)]"}, "error": "out.shape else out + x.sum(); --concrete-args 'scale=VALUE' fixes scale"}
    yield "lists_unknown", Lists(), ([x], 2.0), "script", {
        "error": "for x in xs[1:]:; --concrete-args 'xs=[torch.zeros(...), ...]' fixes xs"}
    yield "dicts", Dicts(), ({"a": x, "b": x}, (x, 2)), "script", {
        "concrete": {"named": "{'a': torch.zeros(2, 4), 'b': torch.zeros(2, 4)}", "pair": "(torch.zeros(2, 4), 2)"}}
    yield "by_values", ByValues(), (x, x, 1), "script", {"concrete": {"x": "torch.zeros(2, 4)"}}
    yield "by_found", ByFound(), (x, x), "script", {"concrete": {"x": "torch.zeros(2, 4)"}}
