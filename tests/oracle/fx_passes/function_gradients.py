# SPDX-License-Identifier: GPL-3.0-or-later
# torch.func's gradients: values, errors, and what make_fx records of them.
# case: func_values Empty() func_values
# case: func_nested Empty() func_nested
# case: func_jacobians Empty() func_jacobians
# case: func_forwards Empty() func_forwards
# case: func_of_modules Empty() func_of_modules
# case: func_errors Empty() func_errors
# case: func_modes Empty() func_modes
# case: func_captured Empty() func_captured
# case: func_captured_steps Empty() func_captured_steps
# case: func_autograd Empty() func_autograd
# case: func_in_pass Scaled() func_in_pass

import torch
import torch.fx
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad, grad_and_value, hessian, jacfwd, jacrev, jvp, vjp, vmap
from torch.fx.experimental.proxy_tensor import make_fx


class Empty(nn.Module):
    def forward(self, x):
        return x


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 2)

    def forward(self, x):
        return torch.relu(self.layer(x)) * 2


INPUTS = {'Empty()': (torch.zeros(1),), 'Scaled()': (torch.linspace(-1, 1, 6).view(2, 3),)}
X = torch.linspace(-1, 1, 4)


def loss(x, y, scale=2.0):
    return (x.sin() * y * scale).sum()


def func_values(gm):
    y = torch.linspace(0, 2, 4)
    print(grad(loss)(X, y), grad(loss, argnums=1)(X, y), grad(loss, argnums=(0, -1))(X, y, scale=0.5))
    print(grad_and_value(loss)(X, y))
    print(grad(lambda x: (x.sum(), {'x': x * 2}), has_aux=True)(X))
    print(grad_and_value(lambda x: (x.sum(), x), has_aux=True)(X))
    print(grad(lambda table: (table['a'] * table['b']).sum())({'a': X, 'b': y}))
    print(grad(lambda x: torch.ones(()))(X), grad(loss).__name__)
    value, pull_back = vjp(lambda x: (x.cos(), x.exp()), X)
    print(value, pull_back((X, y)), pull_back((y, X)))
    value, pull_back, aux = vjp(lambda x, y: ({'out': x * y}, x + 1), X, y, has_aux=True)
    print(value, pull_back({'out': torch.ones(4)}), aux)
    x = X.clone().requires_grad_()
    outer = grad(loss)(x, y).sum()
    print(outer.requires_grad, torch.autograd.grad(outer, x))


def func_nested(gm):
    cube = lambda x: (x ** 3).sum()
    print(grad(lambda x: grad(cube)(x).sum())(X), vmap(grad(lambda x: x ** 3))(X), grad(grad(torch.sin))(X[0]))
    print(vmap(grad(grad(grad(torch.sin))))(X), grad(lambda x: vmap(lambda e: e.exp())(x).sum())(X))
    print(vmap(grad(lambda w, x, y: F.mse_loss(x @ w, y)), in_dims=(None, 0, 0))(X, torch.eye(4), torch.ones(4)))
    print(vjp(lambda x: vjp(torch.tanh, x)[1](torch.ones(4))[0], X)[1](X))

    def inner(x):
        with torch.no_grad():
            fixed = x ** 2
        return (x * fixed).sum()

    print(grad(inner)(X), grad(lambda x: (x * x.detach()).sum())(X))


def func_jacobians(gm):
    def two(x, y):
        return x[:2] * y, {'sum': x.sum() * y}

    y = torch.tensor([2.0, 3.0])
    for jacobian in (jacrev, jacfwd):
        print(jacobian(two)(X, y), jacobian(two, argnums=(1, 0))(X, y), jacobian(torch.sin)(X[1]))
        print(jacobian(lambda x: (x ** 2, x + 1), has_aux=True)(X[:2]))
        print(vmap(jacobian(lambda x: x.view(2, 2).exp()))(torch.stack([X, X + 1])))
    print(jacrev(torch.sin, chunk_size=1)(X), jacrev(torch.exp, chunk_size=3)(X))
    print(hessian(lambda x: (x ** 3).sum() * x[0])(X), hessian(lambda x, y: (x * y ** 2).sum(), argnums=1)(X, X))


def func_forwards(gm):
    print(jvp(torch.sin, (X,), (torch.ones(4),)), jvp(loss, (X, X), (torch.ones(4), torch.zeros(4))))
    print(jvp(lambda x: {'a': x * 2, 'b': torch.ones(2)}, (X,), (X,)))
    print(jvp(lambda x: (x.exp(), 'aux' and x), (X,), (X,), has_aux=True))
    print(jvp(lambda x: jvp(torch.cos, (x,), (torch.ones(4),))[1], (X,), (torch.ones(4),)))
    print(jvp(grad(lambda x: (x ** 3).sum()), (X,), (torch.ones(4),)), vmap(lambda t: jvp(torch.exp, (X,), (t,))[1])(torch.eye(4)))
    layer = nn.Linear(4, 2)
    print(jvp(lambda x: F.gelu(layer(x)).softmax(0), (X,), (torch.ones(4),))[1].shape)


def func_of_modules(gm):
    model = nn.Sequential(nn.Linear(4, 3), nn.BatchNorm1d(3), nn.Tanh(), nn.Linear(3, 1)).eval()
    parameters = {name: value.detach() for name, value in model.named_parameters()}
    buffers = dict(model.named_buffers())
    batch, target = torch.linspace(0, 1, 8).view(2, 4), torch.ones(2, 1)

    def compute(parameters, x, y):
        return F.mse_loss(functional_call(model, (parameters, buffers), (x,)), y)

    for name, gradient in grad(compute)(parameters, batch, target).items():
        print(name, gradient.shape, gradient.abs().sum() > 0)
    each = vmap(grad(compute), in_dims=(None, 0, 0))(parameters, batch.unsqueeze(1), target.unsqueeze(1))
    whole = grad(compute)(parameters, batch, target)
    print({name: torch.allclose(value.mean(0), whole[name], atol=1e-6) for name, value in each.items()})
    print([parameter.grad for parameter in model.parameters()], functional_call(model, parameters, batch).requires_grad)


def attempt(work):
    try:
        print(work())
    except Exception as error:
        print(type(error).__name__, error)


def func_errors(gm):
    whole = torch.arange(4)
    attempt(lambda: grad(torch.sin)(X))
    attempt(lambda: grad(lambda x: 3)(X))
    attempt(lambda: grad(lambda x: x.sum(), has_aux=True)(X))
    attempt(lambda: grad(lambda x, y: x)(X[0], X[0], X[0]))
    attempt(lambda: grad(torch.sum, argnums=2)(X))
    attempt(lambda: grad(torch.sum, argnums=(0, 0))(X))
    attempt(lambda: grad(torch.sum, argnums=())(X))
    attempt(lambda: grad(torch.sum, argnums='x')(X))
    attempt(lambda: grad(lambda x: X.sum())(3.0))
    attempt(lambda: grad(lambda x: x.sum())(whole))
    attempt(lambda: vjp(lambda x: x.long(), X))
    attempt(lambda: vjp(lambda x: (x, None), X))
    attempt(lambda: vjp(lambda x: None, X))
    attempt(lambda: vjp(torch.sin, X)[1]((X, X)))
    attempt(lambda: jvp(torch.sin, X, (X,)))
    attempt(lambda: jvp(torch.sin, (X,), (X, X)))
    attempt(lambda: jvp(torch.sin, (), ()))
    attempt(lambda: jvp(torch.sin, (X,), (3,)))
    attempt(lambda: jvp(lambda x: X, (X,), (X,), strict=True))
    attempt(lambda: jacrev(torch.sin)(torch.ones(2, dtype=torch.complex64)))
    attempt(lambda: jacrev(torch.sin, chunk_size=0)(X))
    attempt(lambda: grad(lambda x: 1 / 0)(X))
    # After all that, gradients are as they were.
    print(grad(torch.sum)(X), torch.is_grad_enabled())
    attempt(lambda: torch.fx.symbolic_trace(lambda x: grad(torch.sum)(x)))


def func_modes(gm):
    with torch.no_grad():
        print(grad(loss)(X, X), vjp(torch.sin, X)[1](X), grad(loss)(X, X).requires_grad)
    seen = []

    def writes(x):
        x = x.clone()
        x[0] = 3.0
        x.mul_(2).add_(x)
        seen.append(x.requires_grad)
        return x.sum()

    print(grad(writes)(X), seen)
    kept = []
    grad(lambda x: (kept.append(x), x.sum())[1])(X)
    print(kept[0] + 1)


def show(graph_module):
    graph_module.graph.lint()
    print(graph_module.code.strip())


def func_captured(gm):
    show(make_fx(grad(lambda x: x.sin().sum()))(X))
    show(make_fx(grad_and_value(loss, argnums=(0, 1)))(X, X))
    show(make_fx(lambda x, v: vjp(torch.tanh, x)[1](v))(X, X))
    show(make_fx(lambda x, v: jvp(torch.exp, (x,), (v,)))(X, X))
    show(make_fx(vmap(grad(lambda x: (x * x.exp()).sum())))(torch.ones(3, 2)))
    show(make_fx(grad(lambda x: grad(lambda y: (y ** 3).sum())(x).sum()))(X))
    show(make_fx(jacrev(lambda x: x.cos()))(X))
    show(make_fx(hessian(lambda x: (x ** 2).sum()))(X[:2]))
    show(make_fx(torch.func.functionalize(grad(lambda x: x.clone().mul_(2).sum())))(X))


def func_captured_steps(gm):
    model = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 1))
    parameters = {name: value.detach() for name, value in model.named_parameters()}

    def step(parameters, x, y):
        gradients, value = grad_and_value(lambda p: F.mse_loss(functional_call(model, p, (x,)), y))(parameters)
        return value, {name: parameters[name] - 0.1 * gradients[name] for name in parameters}

    args = parameters, torch.ones(2, 4), torch.zeros(2, 1)
    made = make_fx(step)(*args)
    show(made)
    again, value = made(*args), step(*args)
    print(torch.equal(again[0], value[0]), all(torch.equal(again[1][name], value[1][name]) for name in parameters))


def func_in_pass(gm):
    x = INPUTS['Scaled()'][0]
    parameters = dict(gm.named_parameters())
    gradients = grad(lambda p: functional_call(gm, p, (x,)).sum())(parameters)
    for name, value in gradients.items():
        print(name, value.shape, value.abs().sum().item() > 0)
    for node in gm.graph.nodes:
        if node.op == 'call_function' and node.target is torch.relu:
            node.target = torch.sigmoid
    gm.recompile()
    return gm


def func_autograd(gm):
    from torch.autograd import forward_ad
    from torch.autograd.functional import hessian, hvp, jacobian, jvp, vhp, vjp

    def two(x, y):
        return x[:2] * y, (x.sum() * y).exp()

    def number(x):
        return (x ** 3).sum() * x[0]

    y, ones = torch.tensor([2.0, 3.0]), torch.ones(4)
    print(jacobian(two, (X, y)), jacobian(torch.sin, X), jacobian(lambda x: torch.ones(2), X))
    print(hessian(number, X), hessian(lambda x, y: (x[:2] * y).sum() ** 2, (X, y)))
    print(vjp(two, (X, y), (y, y)), vjp(number, X), jvp(torch.exp, X, ones), jvp(two, (X, y), (ones, y)))
    print(hvp(number, X, ones), vhp(number, X, ones), vhp(lambda x, y: (x[:2] ** 2 * y).sum(), (X, y), (X, y)))
    x = X.clone().requires_grad_()
    print(jacobian(torch.sin, x, create_graph=True).requires_grad, jacobian(torch.sin, x).requires_grad)
    for work in (lambda: vjp(two, (X, y)), lambda: jvp(torch.exp, X), lambda: hessian(torch.sin, X), lambda: vjp(torch.sin, 3.0),
                 lambda: vjp(torch.sin, X, y), lambda: vjp(two, (X, y), (y,)), lambda: jacobian(lambda x: 3, X),
                 lambda: jacobian(torch.sin, X, strategy='sideways')):
        attempt(work)
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(X, ones)
        out = forward_ad.unpack_dual((dual * 2).sin())
        print(out.primal, out.tangent, forward_ad.unpack_dual(X))
    attempt(lambda: forward_ad.make_dual(X, ones))
    attempt(lambda: forward_ad.exit_dual_level(level=3))
