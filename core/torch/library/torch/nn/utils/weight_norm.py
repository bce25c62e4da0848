# SPDX-License-Identifier: GPL-3.0-or-later
# A weight as length times direction, made anew before every call.
import warnings
import torch
from torch.nn.parameter import Parameter, is_lazy

__all__ = ['WeightNorm', 'weight_norm', 'remove_weight_norm']


class WeightNorm:
    def __init__(self, name, dim):
        self.name = name
        self.dim = -1 if dim is None else dim

    def compute_weight(self, module):
        return torch._weight_norm(getattr(module, self.name + '_v'), getattr(module, self.name + '_g'), self.dim)

    @staticmethod
    def apply(module, name, dim):
        warnings.warn('`torch.nn.utils.weight_norm` is deprecated in favor of `torch.nn.utils.parametrizations.weight_norm`.',
                      FutureWarning, stacklevel=3)
        if _hook_of(module, name) is not None:
            raise RuntimeError(f'Cannot register two weight_norm hooks on the same parameter {name}')
        made = WeightNorm(name, dim)
        weight = getattr(module, name)
        if is_lazy(weight):
            raise ValueError("The module passed to `WeightNorm` can't have uninitialized parameters. Make sure to run the dummy "
                             'forward before applying weight normalization')
        del module._parameters[name]
        module.register_parameter(name + '_g', Parameter(torch.norm_except_dim(weight, 2, made.dim).data))
        module.register_parameter(name + '_v', Parameter(weight.data))
        setattr(module, name, made.compute_weight(module))
        module.register_forward_pre_hook(made)
        return made

    def remove(self, module):
        weight = self.compute_weight(module)
        delattr(module, self.name)
        del module._parameters[self.name + '_g']
        del module._parameters[self.name + '_v']
        setattr(module, self.name, Parameter(weight.data))

    def __call__(self, module, inputs):
        setattr(module, self.name, self.compute_weight(module))


def _hook_of(module, name):
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, WeightNorm) and hook.name == name:
            return key
    return None


def weight_norm(module, name='weight', dim=0):
    WeightNorm.apply(module, name, dim)
    return module


def remove_weight_norm(module, name='weight'):
    key = _hook_of(module, name)
    if key is None:
        raise ValueError(f"weight_norm of '{name}' not found in {module}")
    module._forward_pre_hooks[key].remove(module)
    del module._forward_pre_hooks[key]
    return module
