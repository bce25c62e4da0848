# SPDX-License-Identifier: GPL-3.0-or-later
# What make_fx records of norms, activations and bags under torch.vmap and torch.func; a longer batch has no longer graph.
# case: mapped_gradients_of_norms Empty() mapped_gradients_of_norms
# case: mapped_norms Empty() mapped_norms
# case: mapped_bags Empty() mapped_bags
# case: mapped_lengths Empty() mapped_lengths

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import grad, vmap
from torch.fx.experimental.proxy_tensor import make_fx


class Empty(nn.Module):
    def forward(self, x):
        return x


INPUTS = (torch.zeros(1),)


def rows(count):
    return torch.linspace(-1, 1, count * 12).view(count, 3, 4)


def normed(x):
    return F.batch_norm(x, None, None, training=True).sin().sum()


def told(x):
    return F.logsigmoid(x).sum()


def grouped(x):
    return F.group_norm(x[None], 1).sin().sum()


def layered(x):
    return F.layer_norm(x, (4,)).sin().sum()


def shown(function, *args):
    try:
        print(make_fx(function)(*args).code)
    except Exception as error:
        print(type(error).__name__, error)


def mapped_gradients_of_norms(gm):
    for function in (normed, told, grouped, layered):
        shown(vmap(grad(function)), rows(2))


def mapped_norms(gm):
    for function in (normed, told, grouped, layered):
        shown(vmap(function), rows(2))
    shown(vmap(lambda x, w, b: F.layer_norm(x, (4,), w, b)), rows(2), torch.ones(2, 4), torch.zeros(2, 4))
    shown(vmap(lambda x: F.instance_norm(x[None])), rows(2))
    shown(vmap(lambda x: F.batch_norm(x, torch.zeros(4), torch.ones(4))), rows(2))


def mapped_bags(gm):
    table = torch.linspace(-1, 1, 20).view(5, 4)
    for mode in ("sum", "mean"):
        shown(vmap(lambda ids: F.embedding_bag(ids, table, torch.tensor([0, 2]), mode=mode)), torch.tensor([[0, 1, 2], [3, 4, 0]]))
    shown(vmap(lambda ids: F.embedding(ids, table)), torch.tensor([[0, 1], [3, 4]]))
    shown(vmap(grad(lambda w, ids: F.embedding(ids, w).sin().sum())), table[None].repeat(2, 1, 1), torch.tensor([[0, 1], [3, 4]]))


def mapped_lengths(gm):
    for function in (normed, told, grouped, layered):
        for made in (vmap(function), vmap(grad(function))):
            print(function.__name__, len({make_fx(made)(rows(count)).code.count("\n") for count in (2, 50)}))
