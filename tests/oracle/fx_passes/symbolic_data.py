# SPDX-License-Identifier: GPL-3.0-or-later
# make_fx without data: what depends on data is a symbol that nothing is known of, and what PyTorch does in Python alone.
# case: symbolic_numbers_read Empty() numbers_read
# case: symbolic_counts Empty() counts
# case: symbolic_fakes Empty() fakes
# case: symbolic_matmuls Empty() matmuls
# case: symbolic_resized Empty() resized
# case: symbolic_dropouts Empty() dropouts
# case: symbolic_formulas Empty() formulas
# case: symbolic_fractions Empty() fractions
# case: symbolic_slices Empty() slices
# case: symbolic_made_within Empty() made_within
# case: constants_written_into Empty() constants

import torch
import torch.fx
import torch.nn as nn
import torch.nn.functional as F
from torch.fx.experimental.proxy_tensor import make_fx


class Empty(nn.Module):
    def forward(self, x):
        return x


def show(function, *args, tracing_mode='symbolic'):
    try:
        made = make_fx(function, tracing_mode=tracing_mode)(*args)
    except Exception as error:
        print(str(error).splitlines()[0])
        return
    print(made.code)
    for node in made.graph.nodes:
        value = node.meta.get('val')
        if not isinstance(value, (list, tuple)):
            print(node.name, tuple(value.shape) if isinstance(value, torch.Tensor) else value, end='; ')
    print()


def drawn(*sizes):
    return [torch.ones(size) for size in sizes]


def numbers_read(gm):
    show(lambda x: torch.zeros(x.item()), torch.tensor(3))
    show(lambda x: (x.item(), x.item() + 1), torch.tensor(3))
    show(lambda x: x + x.sum().item(), *drawn((3, 4)))
    show(lambda x: x * x.max().item() + x.argmax().item(), *drawn((3, 4)))
    show(lambda x: torch.zeros(x.tolist()), torch.tensor([2, 3]))
    show(lambda x: x + 1 if x.sum().item() > 0 else x, *drawn((3,)))

    def written(x):
        first = x.sum().item()
        y = x.sum()
        before = y.item()
        y.add_(1)
        return first, before, y.item(), y.item()

    show(written, *drawn((3,)))


def counts(gm):
    show(lambda x: x.nonzero(), *drawn((3, 4)))
    show(lambda x: x.nonzero().shape[0] + x, *drawn((3,)))
    show(lambda x: x[x > 0.5], *drawn((3, 4)))
    show(lambda x: (x[x > 0.5] * 2).sum(), *drawn((3, 4)))
    show(lambda x: torch.masked_select(x, x > 0), *drawn((3, 4)))
    show(lambda x: torch.unique(x), torch.tensor([2, 3, 2]))
    show(lambda x: torch.argwhere(x > 0), *drawn((3, 2)))
    show(lambda x, n: torch.repeat_interleave(x, n, 0), torch.ones(3, 4), torch.tensor([1, 2, 3]))
    show(lambda x: F.one_hot(x, 5), torch.tensor([1, 2]))


def fakes(gm):
    show(lambda x: torch.zeros(x.item()), torch.tensor(3), tracing_mode='fake')
    show(lambda x: x.nonzero(), *drawn((3,)), tracing_mode='fake')
    show(lambda x: F.interpolate(x, scale_factor=2, mode='bilinear'), *drawn((2, 3, 4, 5)), tracing_mode='fake')
    show(lambda x: torch.relu(x) + torch.tensor([1.0, 2.0, 3.0]), *drawn((2, 3)), tracing_mode='fake')
    show(lambda x: x @ x, *drawn((2, 3, 3)), tracing_mode='fake')


def matmuls(gm):
    show(lambda x, y: x @ y, *drawn((2, 3, 4), (2, 4, 5)))
    show(lambda x, y: x @ y, *drawn((2, 3, 4), (4, 5)))
    show(lambda x, y: x @ y, *drawn((2, 3, 4), (4,)))
    show(lambda x, y: x @ y, *drawn((6, 2, 3, 4), (2, 4, 5)))
    show(lambda x, y: x @ y, *drawn((3,), (2, 3, 4)))
    show(lambda x, y: torch.matmul(x, y), *drawn((5, 3), (2, 3, 4)))
    show(lambda x, w, b: F.linear(x, w, b), *drawn((2, 3, 4), (5, 4), (5,)))
    show(lambda x, w: F.linear(x, w), *drawn((2, 3, 4), (5, 4)))


def resized(gm):
    show(lambda x: F.interpolate(x, size=(7, 9)), *drawn((2, 3, 4, 5)))
    show(lambda x: F.interpolate(x, scale_factor=2), *drawn((2, 3, 4, 5)))
    show(lambda x: F.interpolate(x, scale_factor=2, mode='nearest-exact'), *drawn((2, 3, 5)))
    show(lambda x, y: F.interpolate(x, size=y.shape[2:]), *drawn((2, 3, 4, 5), (1, 1, 8, 9)))
    show(lambda x: F.interpolate(x, scale_factor=2.0, mode='bilinear', align_corners=False), *drawn((2, 3, 4, 5)))
    show(lambda x: F.interpolate(x, size=(8, 8), mode='bilinear', align_corners=True), *drawn((2, 3, 4, 5)))
    show(lambda x: F.interpolate(x, scale_factor=2, mode='linear'), *drawn((2, 3, 5)))


def dropouts(gm):
    show(lambda x: F.dropout(x, 0.5, True), *drawn((3, 4)))
    show(lambda x: F.dropout(x, 0.5, False), *drawn((3, 4)))
    show(lambda x: F.dropout2d(x, 0.3, True), *drawn((3, 4, 5, 6)))


def formulas(gm):
    show(lambda x, y: x.new_empty((x.shape[0] + y.shape[0]) * (x.shape[1] + 2)), *drawn((3, 4), (5, 6)))
    show(lambda x, y: torch.cat([x, y]).view(-1), *drawn((3, 4), (5, 4)))
    show(lambda x, y: torch.zeros((x.shape[0] + 1) * (y.shape[0] - 1), x.shape[1] * 2 + 3), *drawn((3, 4), (5, 4)))
    show(lambda x: F.pad(x, (1, 2, 3, 4)).flatten(), *drawn((3, 4)))
    show(lambda x, w: F.conv2d(x, w, stride=2, padding=1).flatten(1), *drawn((2, 3, 8, 9), (4, 3, 3, 3)))
    show(lambda x: x.new_zeros((x.shape[0] + 1) ** 2, 2 * (x.shape[1] + 3) * x.shape[0]), *drawn((3, 5)))
    show(lambda x: x.new_zeros((x.shape[0] + 1) * x.shape[1] - x.shape[1] * x.shape[0] + 1), *drawn((3, 5)))
    show(lambda x: F.max_pool2d(x, 2), *drawn((2, 3, 4, 6)))


def fractions(gm):
    show(lambda x: x * x.shape[0] ** 0.5, *drawn((3, 4)))
    show(lambda x: x * (x.shape[0] * 1.5), *drawn((3, 4)))
    show(lambda x: (x / x.shape[0], x * (1 / x.shape[1])), *drawn((3, 4)))
    show(lambda x: x + torch.sym_float(x.shape[0]), *drawn((3, 4)))


def slices(gm):
    show(lambda x, n: x[:n], torch.ones(5, 4), 3)
    show(lambda x, n: x[n:, 1:-1], torch.ones(5, 4), 3)
    show(lambda x, n: torch.ones(3)[:n.item()], torch.ones(5, 4), torch.tensor(2))
    show(lambda x: x[:x.shape[0] // 2], *drawn((6, 4)))
    show(lambda x: x[x.shape[1] - x.shape[0]:], *drawn((3, 4)))


def made_within(gm):
    show(lambda x: nn.Linear(3, 3)(x), *drawn((2, 3)))
    show(lambda x: nn.Parameter(x * 2) + 1, *drawn((2, 3)))
    show(lambda x: nn.Parameter(x * 2, requires_grad=False) + 1, *drawn((2, 3)), tracing_mode='fake')
    show(lambda x: x.new_zeros(torch.broadcast_shapes(x.shape, (1, x.shape[1]))), *drawn((3, 4)))
    show(lambda x: (torch._check(x.shape[0] > 1), x.new_zeros(torch.Size([x.shape[0], 2])))[1], *drawn((3, 4)))


def constants(gm):
    def written(x):
        count = torch.tensor(3)
        count.add_(1)
        return x + count

    for mode in 'real', 'fake':
        made = make_fx(written, tracing_mode=mode)(torch.ones(2))
        print(made.code, made(torch.ones(2)), made(torch.ones(2)))
