# SPDX-License-Identifier: GPL-3.0-or-later
# Further models that are exported and written again: each has something that a writer of .pt2 can get wrong.
import collections

import torch
import torch.nn as nn
from models import case, module, randn
from torch.export import Dim


@case("written_odd_strides", randn(3, 4))
def _():
    base = randn(20)
    model = module(lambda self, x: x @ self.turned + self.part + self.constant.sum(), turned=nn.Parameter(randn(5, 4).t()), part=base[5:10])
    model.constant = base.as_strided((2, 3), (1, 2), 3)
    return model


@case("written_bfloat16", randn(2, 4, dtype=torch.bfloat16))
def _():
    return nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4), nn.GELU()).to(torch.bfloat16)


@case("written_views_of_one_buffer", randn(4))
def _():
    base = randn(8)
    return module(lambda self, x: x + self.low + self.high, low=base[:4], high=base[4:])


@case("written_frozen_parameter", randn(2, 3))
def _():
    model = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 2))
    model[0].weight.requires_grad_(False)
    return model


@case("written_nested_outputs", {"a": randn(2), "b": [randn(2, seed=1), randn(2, seed=2)]})
def _():
    def forward(self, given):
        a, (b, c) = given["a"], given["b"]
        return {"sum": a + b, "more": [(c * 2, a), {"n": 3, "none": None, "flag": True, "half": 0.5}]}

    return module(forward)


@case("written_state_of_caller", {"last": torch.zeros(3)}, randn(3))
def _():
    def forward(self, state, x):
        self.seen.add_(x.sum())
        state["last"].copy_(x)
        return x * self.seen, state["last"]

    return module(forward, seen=torch.zeros(1))


@case("written_plain_inputs", randn(3), 2, True, None, "mean", 0.25)
def _():
    def forward(self, x, times, flag, nothing, how, rate):
        out = x * times * rate if flag else x
        return out.mean() if how == "mean" else out

    return module(forward)


@case("written_number_input", randn(6, 2), 3, dynamic=({0: Dim.DYNAMIC}, Dim.DYNAMIC))
def _():
    return module(lambda self, x, n: (x[:n] * n, n + 1, x.shape[0] // 2))


@case("written_ranges", randn(4, 6), dynamic=({0: Dim("batch", min=2, max=64), 1: 2 * Dim("half", min=1, max=32)},))
def _():
    def forward(self, x):
        a, b = x.chunk(2, 1)
        return a.reshape(-1) @ b.reshape(-1), torch.cat([a, b + x.shape[0]], 0)

    return module(forward)


@case("written_nonzero", torch.tensor([1.0, 0.0, 2.0]))
def _():
    def forward(self, x):
        found = x.nonzero()
        torch._check(found.shape[0] >= 1)
        return found.float() * 2, x[x > 0]

    return module(forward)


@case("written_cond_of_buffers", randn(3))
def _():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x + self.bias, lambda x: (x * self.scale.weight[0]).relu(), (x,))

    return module(forward, bias=randn(3), scale=nn.Linear(3, 1))


@case("written_loop", torch.tensor(3), randn(2))
def _():
    def forward(self, n, x):
        return torch.while_loop(lambda n, x: n > 0, lambda n, x: (n - 1, self.lin(x)), (n, x))

    return module(forward, lin=nn.Linear(2, 2))


@case("written_unread_results", randn(4, 5), decompose=True)
def _():
    def forward(self, x):
        values, _ = x.max(1)
        _, parts, _ = torch.split(x, [1, 2, 2], 1)
        return values, parts, nn.functional.max_pool1d(x, 2)

    return module(forward)


@case("written_training", randn(2, 3, 6, 6), decompose=True)
def _():
    return nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.Dropout(0.5), nn.ReLU(inplace=True)).train()


@case("written_special_numbers", randn(3))
def _():
    return module(lambda self, x: torch.where(x > 0, float("inf"), x).clamp(max=float("inf")) + torch.full((3,), float("nan")).nan_to_num(-1e-30))


@case("written_nothing_to_do", randn(3))
def _():
    return module(lambda self, x: x)


@case("written_no_inputs")
def _():
    return module(lambda self: (self.a + 1, torch.arange(3)), a=randn(2))


@case("written_ordered", collections.OrderedDict(b=randn(2), a=randn(2, seed=1)))
def _():
    return module(lambda self, given: collections.OrderedDict(y=given["a"] - given["b"], x=given["b"]))


@case("written_keywords", randn(2), scale=randn(2, seed=1), shift=2)
def _():
    return module(lambda self, x, *, scale, shift=1: x * scale + shift)


@case("written_large_constants", torch.tensor([1, 2]))
def _():
    return module(lambda self, x: x + 2**53 + torch.tensor([-(2**62), 2**62]))


@case("written_complex", randn(4, dtype=torch.complex64))
def _():
    return module(lambda self, x: torch.fft.ifft(x * (1 + 2j)).abs() + self.turn.real, turn=randn(4, dtype=torch.complex64).conj())
