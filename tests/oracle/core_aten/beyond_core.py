# SPDX-License-Identifier: GPL-3.0-or-later
# make_fx with get_decompositions of operators that are in the core set themselves.
# case: beyond_core Empty() activations
# case: beyond_core_sums Empty() sums
# case: beyond_core_norms Empty() norms
# case: beyond_core_others Empty() others

import torch
import torch.fx
import torch.nn.functional as F
from torch._decomp import get_decompositions
from torch.fx.experimental.proxy_tensor import make_fx

aten = torch.ops.aten
INPUTS = (torch.zeros(1),)


class Empty(torch.nn.Module):
    def forward(self, x):
        return x


def show(ops, function, *args):
    print(make_fx(function, decomposition_table=get_decompositions(ops))(*args).code.strip())


def activations(gm):
    x = torch.linspace(-1, 1, 6).view(2, 3)
    show([aten.gelu], lambda x: F.gelu(x), x)
    show([aten.gelu], lambda x: F.gelu(x, approximate='tanh'), x)
    show([aten.gelu.default], lambda x: F.gelu(x), x.bfloat16())
    show([aten.leaky_relu], lambda x: F.leaky_relu(x, 0.2), x)
    show([aten.elu], lambda x: F.elu(x) + F.selu(x) + F.celu(x), x)
    show([aten.hardtanh, aten.relu6, aten.relu], lambda x: F.hardtanh(x) + F.relu6(x) + F.relu(x), x)
    show([aten._softmax, aten._log_softmax], lambda x: x.softmax(-1) + x.log_softmax(0), x)
    show([aten._softmax, aten._log_softmax], lambda x: x.softmax(-1) + x.log_softmax(0), x.bfloat16())


def sums(gm):
    x = torch.ones(3, 3)
    show([aten.addmm], lambda x: torch.addmm(x, x, x), x)
    show([aten.addmm], lambda x: torch.addmm(x, x, x, beta=2, alpha=3), x)
    show([aten.addmm, aten.t], lambda x, w, b: F.linear(x, w, b), x, torch.ones(4, 3), torch.ones(4))
    show([aten.addmv], lambda x, v: torch.addmv(v, x, v, beta=2), x, torch.ones(3))


def norms(gm):
    x = torch.ones(2, 3, 4)
    show([aten.native_layer_norm], lambda x, w, b: F.layer_norm(x, (4,), w, b), x, torch.ones(4), torch.ones(4))
    show([aten.native_layer_norm], lambda x: F.layer_norm(x, (3, 4)), x)
    show([aten.native_layer_norm], lambda x: F.layer_norm(x, (4,)), x.bfloat16())
    ops = [aten.native_batch_norm, aten._native_batch_norm_legit, aten._native_batch_norm_legit_no_training]
    weights = [torch.ones(3) for _ in range(4)]
    show(ops, lambda x, w, b, m, v: F.batch_norm(x, m, v, w, b, False), x, *weights)
    show(ops, lambda x, w, b, m, v: F.batch_norm(x, m, v, w, b, True), x, *weights)
    show(ops, lambda x: F.batch_norm(x, None, None, None, None, True), x)


def others(gm):
    show([aten.upsample_bilinear2d], lambda x: F.interpolate(x, scale_factor=2, mode='bilinear'), torch.ones(1, 1, 2, 2))
    show([aten.embedding], lambda w, i: F.embedding(i, w), torch.ones(4, 3), torch.tensor([1]))
    show([aten.index_select], lambda x, i: x.index_select(1, i), torch.ones(2, 3), torch.tensor([0]))
