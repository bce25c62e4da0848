# SPDX-License-Identifier: GPL-3.0-or-later
# make_fx(tracing_mode='symbolic'): sizes of the inputs are symbols, and what is computed of them is recorded where it is used.
# case: symbolic_views Empty() views
# case: symbolic_made_of_sizes Empty() made_of_sizes
# case: symbolic_products Empty() products
# case: symbolic_joined Empty() joined
# case: symbolic_branches Empty() branches
# case: symbolic_numbers_of_tensors Empty() numbers_of_tensors
# case: symbolic_weights Empty() weights
# case: symbolic_models Empty() models
# case: symbolic_values Empty() values
# case: symbolic_parts Empty() parts
# case: symbolic_layers Empty() layers
# case: symbolic_gradients Empty() gradients
# case: symbolic_before_autograd Empty() before_autograd
# case: symbolic_programs Empty() programs

import torch
import torch.fx
import torch.nn as nn
import torch.nn.functional as F
from torch.fx.experimental.proxy_tensor import make_fx


class Empty(nn.Module):
    def forward(self, x):
        return x


def show(function, *args, **options):
    try:
        made = make_fx(function, tracing_mode='symbolic', **options)(*args)
    except Exception as error:
        print(type(error).__name__, str(error).split(' Found in ')[0])
        return None
    print(made.code)
    return made


def drawn(*sizes):
    return [torch.ones(size) for size in sizes]


def views(gm):
    show(lambda x: x.view(x.shape[0], -1), *drawn((3, 4, 5)))
    show(lambda x: x.permute(1, 0).contiguous().view(-1), *drawn((3, 4)))
    show(lambda x: x.unsqueeze(0).expand(5, *x.shape), *drawn((3, 4)))
    show(lambda x: x.transpose(0, 1).flatten(), *drawn((3, 4)))
    show(lambda x: x[: x.shape[0] // 2], *drawn((6, 4)))
    show(lambda x: x[1:, :-1], *drawn((3, 4)))
    show(lambda x: x.squeeze(1)[0], *drawn((3, 1, 4)))


def made_of_sizes(gm):
    show(lambda x: x + torch.arange(x.size(0)), *drawn((5,)))
    show(lambda x: torch.zeros(x.shape[0], 2 * x.shape[1] + 1), *drawn((3, 4)))
    show(lambda x: torch.full((x.shape[0],), 1.0), *drawn((3, 4)))
    show(lambda x: x.new_ones(x.shape[1]), *drawn((3, 4)))
    show(lambda x: torch.ones_like(x) * torch.empty(x.shape), *drawn((3, 4)))


def products(gm):
    show(lambda x: x.reshape(x.shape[0] * x.shape[1], x.shape[2]), *drawn((3, 4, 5)))
    show(lambda x: x.reshape(-1, x.shape[1] * x.shape[2]), *drawn((3, 4, 5)))
    show(lambda x: (x.shape[0], x.numel(), x.mean(0), x.shape[0] * 2 - x.shape[1]), *drawn((3, 4)))
    show(lambda x: x.repeat(2, 1), *drawn((3, 4)))
    show(lambda x, n: x.view(n, -1), torch.ones(6, 4), 6)
    show(lambda x, n: x * n + (n + 1), torch.ones(3, 4), 5)


def joined(gm):
    show(lambda x, y: torch.cat([x, y]), *drawn((3, 4), (2, 4)))
    show(lambda x, y: torch.stack([x, x + y]), *drawn((3, 4), (3, 4)))
    show(lambda x, y: x @ y, *drawn((3, 4), (4, 5)))
    show(lambda x, y: torch.bmm(x, y).softmax(-1), *drawn((2, 3, 4), (2, 4, 3)))
    show(lambda x, y: x + y, *drawn((3, 4), (3, 1)))
    show(lambda x, y: torch.einsum('ij,jk->ik', x, y), *drawn((3, 4), (4, 5)))


def branches(gm):
    def grows(x):
        if x.shape[0] > 2:
            return x.sin()
        return x.cos()

    def fixed(x):
        return x * float(x.shape[0])

    def loops(x):
        for _ in range(x.shape[0]):
            x = x + 1
        return x.view(x.shape[0], x.shape[1])

    for each in (grows, fixed, loops):
        made = show(each, *drawn((3, 4)))
        print([str(guard.expr) for guard in made.shape_env.guards])


def numbers_of_tensors(gm):
    show(lambda x: torch.softmax(x, -1) / x.shape[-1], *drawn((3, 4)))
    show(lambda x: x.sum() / x.shape[0], *drawn((3, 4)))
    show(lambda x: F.layer_norm(x, x.shape[-1:]), *drawn((3, 4)))
    show(lambda x: F.max_pool2d(x, 2), *drawn((2, 3, 8, 8)))
    show(lambda x: x.amax(1, keepdim=True) - x.sum(-1, keepdim=True), *drawn((3, 4)))
    show(lambda x: torch.where(x > 0, x, x.shape[0]), *drawn((3, 4)))
    show(lambda x: F.gelu(x).tril(), *drawn((3, 4)))


def weights(gm):
    linear, conv = nn.Linear(4, 3), nn.Conv2d(3, 4, 3, padding=1)
    show(linear, *drawn((3, 4)))
    show(linear, *drawn((3, 4)), _allow_non_fake_inputs=True)
    show(lambda x: torch.relu(conv(x)).flatten(1), *drawn((2, 3, 8, 8)), _allow_non_fake_inputs=True)
    show(lambda x: F.embedding(x, torch.ones(7, 2)), torch.tensor([1, 2, 3]), _allow_non_fake_inputs=True)


def models(gm):
    def attention(q, k, v):
        return F.scaled_dot_product_attention(q, k, v)

    def mlp(x, w, b):
        return F.relu(F.linear(x, w, b)).sum(0)

    def convolution(x, w):
        return F.conv2d(x, w, stride=2, padding=1)

    show(attention, *drawn((2, 3, 5, 4), (2, 3, 5, 4), (2, 3, 5, 4)))
    show(mlp, *drawn((3, 4), (5, 4), (5,)))
    show(convolution, *drawn((2, 3, 8, 8), (4, 3, 3, 3)))


def values(gm):
    made = show(lambda x, y: torch.cat([x.reshape(x.shape[0] * x.shape[1]), y]), *drawn((3, 4), (5,)))
    for node in made.graph.nodes:
        value = node.meta.get('val')
        print(node.name, value.shape if isinstance(value, torch.Tensor) else (value, type(value).__name__))
    x, y = torch.arange(6.0).view(2, 3), torch.ones(1)
    print(made(x, y))


def parts(gm):
    show(lambda x: torch.split(x, 2)[0], *drawn((6, 4)))
    show(lambda x: x.chunk(2, 1), *drawn((3, 4)))
    show(lambda x: x.topk(2)[0] + x.sort(1).values[:, :2], *drawn((3, 4)))
    show(lambda x, i: x.gather(1, i), torch.ones(3, 4), torch.zeros(3, 2, dtype=torch.long))
    show(lambda x, i: x[i].cumsum(0), torch.ones(5, 4), torch.tensor([0, 2, 3]))
    show(lambda x: F.pad(x.flip(0).roll(1, 0), (1, 2)), *drawn((3, 4)))
    show(lambda x: x.unfold(0, 2, 1), *drawn((5, 4)))
    show(lambda x: x.unbind(1)[0], *drawn((3, 2)))
    show(lambda x: x.tile(2).movedim(0, 1), *drawn((3, 4)))
    show(lambda x: x.narrow(0, 1, x.shape[0] - 1).to(torch.float64).sum(), *drawn((3, 4)))


def layers(gm):
    show(lambda x: F.group_norm(x, 2), *drawn((2, 4, 5)))
    show(lambda x, m, v: F.batch_norm(x, m, v), *drawn((3, 4), (4,), (4,)))
    show(lambda x, m, v: F.batch_norm(x, m, v, training=True), *drawn((3, 4), (4,), (4,)))
    show(lambda x: F.avg_pool2d(F.adaptive_avg_pool2d(x, 4), 2), *drawn((2, 3, 8, 6)))
    show(lambda x, t: F.cross_entropy(x, t), torch.ones(3, 5), torch.tensor([0, 1, 2]))
    show(lambda x, w: F.conv1d(x, w), *drawn((2, 3, 9), (4, 3, 2)))
    show(lambda w, i: F.embedding(i, w), torch.ones(7, 4), torch.tensor([[0, 1], [2, 3], [4, 5]]))
    show(lambda q: F.scaled_dot_product_attention(q, q, q, is_causal=True), *drawn((2, 3, 5, 4)))
    show(lambda x: F.silu(x) * F.softplus(x) + F.glu(torch.cat([x, x], 1)), *drawn((3, 4)))


def gradients(gm):
    def of_input(x, w):
        x.requires_grad_()
        return torch.autograd.grad((x @ w).relu().sum(), [x])

    show(of_input, *drawn((3, 4), (4, 5)))
    show(lambda x: torch.autograd.grad(x.sin().sum(), x), torch.ones(3, 4, requires_grad=True))


def before_autograd(gm):
    def without_gradients(x):
        with torch.no_grad():
            y = x + 1
        return y * x.shape[0]

    show(lambda x: F.linear(x, x).view(x.shape[0], -1), *drawn((3, 4)), pre_dispatch=True)
    show(without_gradients, *drawn((3, 4)), pre_dispatch=True)


def programs(gm):
    show(lambda x: x + torch.tensor([1.0, 2.0, 3.0, 4.0]), *drawn((3, 4)))
    show(lambda x: x.clone().add_(1).mul_(x.shape[0]), *drawn((3, 4)))
    show(lambda x: x ** 2 / x.shape[0] ** 2, *drawn((3, 4)))
    show(lambda x: x.view(x.shape[0] // 2, -1) if x.shape[0] % 2 == 0 else x, *drawn((4, 6)))
    show(lambda x: torch.zeros(max(x.shape[0], 2)), *drawn((4, 6)))
    show(lambda pair: pair[0] + pair[1]['a'], (torch.ones(3), {'a': torch.ones(3)}))
    show(lambda x, n: x[:n], torch.ones(5), 3)
    show(lambda x: torch.linspace(0, 1, x.shape[0]), *drawn((5,)))
    show(lambda x: torch.eye(x.shape[0]) + torch.rand(x.shape[0], 2)[:, :1], *drawn((5,)))
    kept = []
    show(lambda x: kept.append(x) or x + 1, *drawn((3, 4)))
    print(kept)
    try:
        print(kept[0].clone().numpy())
    except Exception:
        print('has no data')
