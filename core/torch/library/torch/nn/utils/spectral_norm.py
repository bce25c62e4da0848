# SPDX-License-Identifier: GPL-3.0-or-later
# A weight divided by its largest singular value, which is estimated a step further at every call in training.
import torch
from torch.nn import functional as F
from torch.nn.modules.conv import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from torch.nn.parameter import Parameter, is_lazy

__all__ = ['SpectralNorm', 'spectral_norm', 'remove_spectral_norm']


class SpectralNorm:
    _version = 1

    def __init__(self, name='weight', n_power_iterations=1, dim=0, eps=1e-12):
        if n_power_iterations <= 0:
            raise ValueError('Expected n_power_iterations to be positive, but got '
                             f'n_power_iterations={n_power_iterations}')
        self.name = name
        self.dim = dim
        self.n_power_iterations = n_power_iterations
        self.eps = eps

    def reshape_weight_to_matrix(self, weight):
        if self.dim != 0:
            weight = weight.permute(self.dim, *[dim for dim in range(weight.dim()) if dim != self.dim])
        return weight.reshape(weight.size(0), -1)

    def compute_weight(self, module, do_power_iteration):
        weight = getattr(module, self.name + '_orig')
        u = getattr(module, self.name + '_u')
        v = getattr(module, self.name + '_v')
        matrix = self.reshape_weight_to_matrix(weight)
        if do_power_iteration:
            with torch.no_grad():
                for _ in range(self.n_power_iterations):
                    v.copy_(F.normalize(torch.mv(matrix.t(), u), dim=0, eps=self.eps))
                    u.copy_(F.normalize(torch.mv(matrix, v), dim=0, eps=self.eps))
                u, v = u.clone(), v.clone()
        return weight / torch.dot(u, torch.mv(matrix, v))

    @staticmethod
    def apply(module, name, n_power_iterations, dim, eps):
        if _hook_of(module, name) is not None:
            raise RuntimeError(f'Cannot register two spectral_norm hooks on the same parameter {name}')
        made = SpectralNorm(name, n_power_iterations, dim, eps)
        weight = module._parameters[name]
        if weight is None:
            raise ValueError(f'`SpectralNorm` cannot be applied as parameter `{name}` is None')
        if is_lazy(weight):
            raise ValueError("The module passed to `SpectralNorm` can't have uninitialized parameters. Make sure to run the dummy "
                             'forward before applying spectral normalization')
        with torch.no_grad():
            rows, columns = made.reshape_weight_to_matrix(weight).size()
            u = F.normalize(weight.new_empty(rows).normal_(0, 1), dim=0, eps=eps)
            v = F.normalize(weight.new_empty(columns).normal_(0, 1), dim=0, eps=eps)
        delattr(module, name)
        module.register_parameter(name + '_orig', weight)
        setattr(module, name, weight.data)
        module.register_buffer(name + '_u', u)
        module.register_buffer(name + '_v', v)
        module.register_forward_pre_hook(made)
        module._register_state_dict_hook(made._tell_version)
        return made

    def _tell_version(self, module, state_dict, prefix, local_metadata):
        local_metadata.setdefault('spectral_norm', {})[self.name + '.version'] = self._version

    def remove(self, module):
        with torch.no_grad():
            weight = self.compute_weight(module, do_power_iteration=False)
        for name in ('', '_u', '_v', '_orig'):
            delattr(module, self.name + name)
        module.register_parameter(self.name, Parameter(weight.detach()))

    def __call__(self, module, inputs):
        setattr(module, self.name, self.compute_weight(module, do_power_iteration=module.training))


def _hook_of(module, name):
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, SpectralNorm) and hook.name == name:
            return key
    return None


def spectral_norm(module, name='weight', n_power_iterations=1, eps=1e-12, dim=None):
    if dim is None:
        dim = 1 if isinstance(module, (ConvTranspose1d, ConvTranspose2d, ConvTranspose3d)) else 0
    SpectralNorm.apply(module, name, n_power_iterations, dim, eps)
    return module


def remove_spectral_norm(module, name='weight'):
    key = _hook_of(module, name)
    if key is None:
        raise ValueError(f"spectral_norm of '{name}' not found in {module}")
    hook = module._forward_pre_hooks.pop(key)
    hook.remove(module)
    for key, told in list(module._state_dict_hooks.items()):
        if getattr(told, '__self__', None) is hook:
            del module._state_dict_hooks[key]
    return module
