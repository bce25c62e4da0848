# SPDX-License-Identifier: GPL-3.0-or-later
# torch.func: what a function gives for other functions to be called.
import torch
from torch import vmap
from torch._functorch.eager_transforms import functionalize, grad, grad_and_value, hessian, jacfwd, jacrev, jvp, vjp


def linearize(func, *primals):
    raise NotImplementedError('torch.func.linearize() is not supported here: it folds constants of a traced graph; '
                              'torch.func.jvp() gives the same values')


def functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False):
    dicts = parameter_and_buffer_dicts
    if isinstance(dicts, (list, tuple)):
        if not all(isinstance(each, dict) for each in dicts):
            raise ValueError('Expected all elements of parameter_and_buffer_dicts to be dictionaries')
        names = [name for each in dicts for name in each]
        repeated = [name for name in dict.fromkeys(names) if names.count(name) > 1]
        if repeated:
            raise ValueError(f'{repeated} appeared in multiple dictionaries; behavior of functional call is ambiguous')
        dicts = {name: value for each in dicts for name, value in each.items()}
    elif not isinstance(dicts, dict):
        raise ValueError('Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got '
                         f'{type(dicts)}')
    return torch.nn.utils.stateless._functional_call(module, dicts, args, kwargs, tie_weights=tie_weights, strict=strict)


def stack_module_state(models):
    models = list(models)
    if not models:
        raise RuntimeError('stack_module_state: Expected at least one model, got 0.')
    if len({model.training for model in models}) > 1:
        raise RuntimeError('stack_module_state: Expected all models to have the same training/eval mode.')
    if not all(type(model) is type(models[0]) for model in models):
        raise RuntimeError('stack_module_state: Expected all models to be of the same class.')

    def stacked(tables, are_parameters):
        out = {}
        for name, first in tables[0].items():
            tensors = [table[name] for table in tables]
            out[name] = torch.stack(tensors).detach()
            if are_parameters:
                out[name].requires_grad_(first.requires_grad)
        return out

    return (stacked([dict(model.named_parameters()) for model in models], True),
            stacked([dict(model.named_buffers()) for model in models], False))
