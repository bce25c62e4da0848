# SPDX-License-Identifier: GPL-3.0-or-later
# Modules that learn the sizes of their parameters from the first input.
import itertools
from torch.nn.parameter import is_lazy

__all__ = ['LazyModuleMixin']


class LazyModuleMixin:
    cls_to_become = None

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._load_hook = self._register_load_state_dict_pre_hook(self._lazy_load_hook)
        self._initialize_hook = self.register_forward_pre_hook(self._infer_parameters, with_kwargs=True)

    def _lazy_load_hook(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        for name, value in list(itertools.chain(self._parameters.items(), self._buffers.items())):
            given = state_dict.get(prefix + name)
            if is_lazy(value) and given is not None and not is_lazy(given):
                setattr(self, name, value.materialize(given.shape))

    def initialize_parameters(self, *args, **kwargs):
        raise NotImplementedError(f'initialize_parameters is not implemented for {type(self).__name__}')

    def has_uninitialized_params(self):
        return any(is_lazy(value) for value in itertools.chain(self._parameters.values(), self._buffers.values()))

    def _materialize(self, **shapes):
        for name, shape in shapes.items():
            value = getattr(self, name)
            if value is not None:
                if not is_lazy(value):
                    raise AssertionError(f'self.{name} must be an UninitializedParameter')
                setattr(self, name, value.materialize(shape))

    def _infer_parameters(self, module, args, kwargs=None):
        module.initialize_parameters(*args, **(kwargs or {}))
        if module.has_uninitialized_params():
            raise RuntimeError(f'module {self._get_name()} has not been fully initialized')
        module._initialize_hook.remove()
        module._load_hook.remove()
        delattr(module, '_initialize_hook')
        delattr(module, '_load_hook')
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become
