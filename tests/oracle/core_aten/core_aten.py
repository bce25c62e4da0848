# SPDX-License-Identifier: GPL-3.0-or-later
# make_fx with core_aten_decompositions: what is recorded of each operator that is decomposed, forwards and backwards.
# case: core_pointwise Empty() pointwise
# case: core_losses Empty() losses
# case: core_shapes Empty() shapes
# case: core_edges Empty() edges

import of_edges
import of_losses
import of_pointwise
import of_shapes
import torch
import torch.fx
from torch._decomp import core_aten_decompositions
from torch.fx.experimental.proxy_tensor import make_fx


class Empty(torch.nn.Module):
    def forward(self, x):
        return x


INPUTS = (torch.zeros(1),)


def fresh(args):
    return [arg.detach().clone().requires_grad_(arg.requires_grad) if isinstance(arg, torch.Tensor) else arg for arg in args]


def show(module):
    table = core_aten_decompositions()
    for name, function in list(vars(module).items()):
        if name.startswith('case_'):
            for number, (f, args) in enumerate(function()):
                print('case', name[5:], number)
                try:
                    print(make_fx(f, decomposition_table=table)(*fresh(args)).code.strip())
                except Exception as error:
                    print(type(error).__name__, str(error).splitlines()[0] if str(error) else '')


def pointwise(gm):
    show(of_pointwise)


def losses(gm):
    show(of_losses)


def shapes(gm):
    show(of_shapes)


def edges(gm):
    show(of_edges)
