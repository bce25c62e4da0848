# SPDX-License-Identifier: GPL-3.0-or-later
# What make_fx records under torch.vmap and torch.func where PyTorch has rules in Python, and above autograd (pre_dispatch) of calls that give
# back what they were given.
# case: mapped_losses Empty() mapped_losses
# case: mapped_entropies Empty() mapped_entropies
# case: mapped_gradients Empty() mapped_gradients
# case: mapped_gradients_of_classes Empty() mapped_gradients_of_classes
# case: mapped_addr Empty() mapped_addr
# case: mapped_values Empty() mapped_values
# case: forward_gradients Empty() forward_gradients
# case: forward_values Empty() forward_values
# case: zero_tensors Empty() zero_tensors
# case: given_back Empty() given_back
# case: converted Empty() converted

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import grad, hessian, jacfwd, jvp, vmap
from torch.fx.experimental.proxy_tensor import make_fx


class Empty(nn.Module):
    def forward(self, x):
        return x


INPUTS = (torch.zeros(1),)
CLASSES, WEIGHT = torch.tensor([[0, 1, 2], [3, 0, 1]]), torch.arange(4.0) + 1
ROWS = torch.linspace(-1, 1, 24).view(2, 3, 4)
IMAGES, PIXELS = torch.linspace(-1, 1, 24).view(2, 1, 3, 2, 2), torch.tensor([[[[0, 1], [2, 1]]], [[[1, 1], [0, 2]]]])
LEFT, RIGHT = torch.linspace(-2, 2, 6).view(2, 3), torch.linspace(1, 0, 6).view(2, 3)


def show(function, *args, **kwargs):
    try:
        print(make_fx(function, **kwargs)(*args).code)
    except Exception as error:
        print(type(error).__name__, error)


def mapped_losses(gm):
    for options in ({}, {'weight': WEIGHT}, {'reduction': 'sum'}, {'reduction': 'none'}, {'ignore_index': 1}):
        show(vmap(lambda x, y: F.nll_loss(x, y, **options)), ROWS, CLASSES)
    show(vmap(lambda x, y: F.nll_loss(x, y)), ROWS[0], CLASSES[0])
    show(vmap(lambda x, y: F.nll_loss(x, y)), IMAGES, PIXELS)
    show(vmap(lambda x, y: F.nll_loss(x, y), in_dims=(0, None)), ROWS, CLASSES[0])


def mapped_entropies(gm):
    for options in ({}, {'weight': WEIGHT}, {'label_smoothing': 0.1}, {'reduction': 'sum'}):
        show(vmap(lambda x, y: F.cross_entropy(x, y, **options)), ROWS, CLASSES)
    show(vmap(lambda x, y: F.cross_entropy(x, y, WEIGHT[:3])), IMAGES, PIXELS)
    show(vmap(lambda x, y: F.cross_entropy(x, y)), torch.ones(50, 3, 4), torch.zeros(50, 3, dtype=torch.long))


def mapped_gradients(gm):
    for loss in (F.mse_loss, F.huber_loss, F.smooth_l1_loss, F.l1_loss):
        for reduction in ('mean', 'sum', 'none'):
            show(vmap(grad(lambda x, y: loss(x, y, reduction=reduction).sum())), LEFT, RIGHT)
        show(vmap(grad(lambda x, y: loss(x, y).float())), LEFT.half(), RIGHT.half())
        show(vmap(grad(lambda x, y: loss(x, y)), in_dims=(0, None)), LEFT, RIGHT[0])
    show(vmap(grad(lambda x, y: F.huber_loss(x, y, delta=0.5))), LEFT, RIGHT)
    show(vmap(grad(lambda x, y: F.smooth_l1_loss(x, y, beta=2.0))), LEFT, RIGHT)
    show(vmap(vmap(grad(lambda x, y: F.mse_loss(x, y)))), ROWS, ROWS + 1)


def mapped_gradients_of_classes(gm):
    for options in ({}, {'weight': WEIGHT}, {'reduction': 'sum'}, {'ignore_index': 1}):
        show(vmap(grad(lambda x, y: F.nll_loss(x, y, **options))), ROWS, CLASSES)
    show(vmap(grad(lambda x, y: F.nll_loss(x, y))), ROWS[0], CLASSES[0])
    show(vmap(grad(lambda x, y: F.cross_entropy(x, y))), ROWS, CLASSES)
    show(vmap(grad(lambda x, y: F.cross_entropy(x, y))), IMAGES, PIXELS)


def mapped_addr(gm):
    base = torch.ones(3, 3)
    for options in ({}, {'beta': 0.5, 'alpha': 2.0}, {'beta': 0}):
        show(vmap(lambda x, y: torch.addr(base, x, y, **options)), LEFT, RIGHT)
    show(vmap(torch.addr), torch.ones(2, 3, 4), LEFT, torch.ones(2, 4))
    show(vmap(lambda x: torch.addr(base, x, RIGHT[0])), LEFT)
    show(vmap(lambda x, y: torch.addr(base.bool(), x, y)), LEFT > 0, RIGHT > 0.5)
    show(vmap(lambda x, y: torch.addr(base.long(), x, y, alpha=2)), LEFT.long(), RIGHT.long())
    show(vmap(lambda x, y: torch.addr(base, x, y)), ROWS, ROWS)


def mapped_values(gm):
    print(vmap(lambda x, y: F.cross_entropy(x, y, WEIGHT))(ROWS, CLASSES), vmap(grad(lambda x, y: F.cross_entropy(x, y)))(ROWS, CLASSES))
    for loss in (F.mse_loss, F.huber_loss, F.smooth_l1_loss):
        print(vmap(grad(lambda x, y: loss(x, y)))(LEFT, RIGHT))
    print(vmap(lambda x, y: torch.addr(torch.ones(3, 3), x, y, beta=0.5, alpha=2.0))(LEFT, RIGHT))
    print(vmap(grad(lambda x, y: F.nll_loss(x, y)))(IMAGES, PIXELS))


def forward_gradients(gm):
    x, classes = ROWS[0], CLASSES[0]
    for function in (lambda a: F.softmax(a, -1).pow(2).sum(), lambda a: F.layer_norm(a, (4,)).pow(2).sum(),
                     lambda a: F.layer_norm(a, (4,), WEIGHT, WEIGHT).sum(), lambda a: F.nll_loss(a.pow(2), classes),
                     lambda a: F.cross_entropy(a, classes), lambda a: F.batch_norm(a, None, None, training=True).pow(2).sum(),
                     lambda a: F.batch_norm(a, WEIGHT, WEIGHT, WEIGHT).pow(2).sum()):
        show(lambda x: jvp(grad(function), (x,), (x,)), x)
    show(hessian(lambda a: F.softmax(a, -1).pow(2).sum()), x[0])
    show(jacfwd(F.logsigmoid), x[0])


def forward_values(gm):
    x, classes = ROWS[0], CLASSES[0]
    print(hessian(lambda a: F.cross_entropy(a, classes))(x))
    print(hessian(lambda a: (F.layer_norm(a, (4,), WEIGHT) * x).pow(2).sum())(x))
    print(hessian(lambda a: F.batch_norm(a, None, None, training=True).pow(3).sum())(x))
    print(hessian(lambda a: F.softmax(a, 0).pow(2).sum())(x), jacfwd(F.logsigmoid)(x[0]))


def zero_tensors(gm):
    x, zeros = ROWS[0], torch._efficientzerotensor
    for function in (lambda x: zeros(3, 4) * x, lambda x: x + zeros(3, 4), lambda x: x - zeros(3, 4), lambda x: zeros(3, 4) - x, lambda x: zeros(3, 4) / x,
                     lambda x: torch.add(x, zeros(3, 4), alpha=2), lambda x: torch.sub(x, zeros(3, 4), alpha=0.5), lambda x: zeros(3, 4) * x.half(),
                     lambda x: zeros(3, 4, dtype=torch.half) * x.half(), lambda x: zeros(3, 4) * x[0], lambda x: zeros(()) * x, lambda x: zeros(3, 1) + x[0],
                     lambda x: zeros(3, 4) * 2, lambda x: zeros(3, 4) / 2, lambda x: torch.linalg.cross(zeros(3, 3), x[:, :3]),
                     lambda x: zeros(3, 4, dtype=torch.int64) / x.long(), lambda x: zeros(3, 4, dtype=torch.bool) + (x > 0),
                     lambda x: zeros(3, 4).to(torch.float64) + x, lambda x: -zeros(3, 4), lambda x: zeros(3, 4) + zeros(3, 4), lambda x: zeros(3, 4) * zeros(4)):
        show(function, x)
    prims = torch.ops.prims
    print(make_fx(lambda x: zeros(3, 4) - x)(x)(x), prims.add(x, x), prims.mul.default(x, -2), prims.div(x, x + 2), prims.div(CLASSES * 5, CLASSES + 2))


def given_back(gm):
    x = torch.ones(2)
    for call in (lambda x: F.dropout(x, 0.5, False), lambda x: F.dropout(x, 0.0, True), nn.Dropout().eval(), lambda x: F.alpha_dropout(x, 0.5, False),
                 lambda x: F.dropout2d(x[None, :, None], 0.5, False), lambda x: x.contiguous(), lambda x: x.reshape(2), lambda x: x.flatten(),
                 lambda x: x.expand_as(x), lambda x: x.type_as(x), lambda x: +x, lambda x: torch.atleast_1d(x), lambda x: F.relu_(x * 3),
                 lambda x: F.dropout(x + 0, 0.5, False, True), lambda x: F.dropout(F.dropout(x, 0.2, False), 0.3, False)):
        show(lambda x: (lambda y: (y * 2, x + 1, y + x))(call(x)), x, pre_dispatch=True)
    show(lambda x: (F.dropout(x, 0.5, False), x + 1), x)
    for pre_dispatch in (False, True):
        show(lambda x: (F.dropout(x, 0.5, False), x + 1), x, tracing_mode='symbolic', pre_dispatch=pre_dispatch)


def converted(gm):
    x = torch.ones(2)
    for pre_dispatch in (False, True):
        for call in (lambda x: x.to('cpu', torch.float64), lambda x: x.to(torch.float64), lambda x: x.to('cpu', copy=True), lambda x: x.to(x.double()),
                     lambda x: x.to(device='cpu', dtype=torch.int32), lambda x: x.to(torch.float32), lambda x: x.to('meta'), lambda x: x.double(),
                     lambda x: x.cpu(), lambda x: x.to(torch.float16, copy=True, memory_format=torch.contiguous_format), lambda x: x.to('cpu')):
            show(call, x, pre_dispatch=pre_dispatch)
