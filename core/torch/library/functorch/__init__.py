# SPDX-License-Identifier: GPL-3.0-or-later
# functorch: the older name of torch.func.
import torch
from torch.func import functionalize, grad, grad_and_value, hessian, jacfwd, jacrev, jvp, vjp, vmap
from torch._outside import outside


def __getattr__(name):
    if name == 'make_fx':  # over torch.fx, which programs that trace a model do not load
        from torch.fx.experimental.proxy_tensor import make_fx
        return make_fx
    return outside(__name__)(name)
