# SPDX-License-Identifier: GPL-3.0-or-later
# Parameters that are computed from others: the module gets a class of its own, in which the name is a property.
from contextlib import contextmanager
import torch
from torch.nn.modules.container import ModuleDict, ModuleList
from torch.nn.parameter import Parameter

__all__ = ['cached', 'ParametrizationList', 'register_parametrization', 'is_parametrized', 'remove_parametrizations',
           'type_before_parametrizations', 'transfer_parametrizations_and_params']


class _Cache:
    depth = 0
    values = {}


@contextmanager
def cached():
    _Cache.depth += 1
    try:
        yield
    finally:
        _Cache.depth -= 1
        if _Cache.depth == 0:
            _Cache.values = {}


def _own(module, name, value):
    if isinstance(value, Parameter):
        module.register_parameter(name, value)
    else:
        module.register_buffer(name, value)


class ParametrizationList(ModuleList):
    def __init__(self, modules, original, unsafe=False):
        if len(modules) == 0:
            raise ValueError('ParametrizationList requires one or more modules.')
        super().__init__(modules)
        self.unsafe = unsafe
        shape, dtype = original.shape, original.dtype
        with torch.no_grad():
            new = original
            for module in reversed(list(self)):
                if hasattr(module, 'right_inverse'):
                    try:
                        new = module.right_inverse(new)
                    except NotImplementedError:
                        pass
        self.is_tensor = isinstance(new, torch.Tensor)
        if not self.is_tensor and not isinstance(new, (list, tuple)):
            raise ValueError("'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got "
                             f'{type(new).__name__}')
        self.ntensors = 1 if self.is_tensor else len(new)
        if self.is_tensor:
            for what in ('dtype', 'device'):
                if getattr(original, what) != getattr(new, what):
                    raise ValueError(f'When `right_inverse` outputs one tensor, it may not change the {what}.\n'
                                     f'original.{what}: {getattr(original, what)}\n'
                                     f'right_inverse(original).{what}: {getattr(new, what)}')
            with torch.no_grad():
                original.set_(new)
            _own(self, 'original', original)
        else:
            for place, each in enumerate(new):
                if not isinstance(each, torch.Tensor):
                    raise ValueError("'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got "
                                     f'element {place} of the sequence with type {type(each).__name__}.')
                if isinstance(original, Parameter):
                    each = Parameter(each, original.requires_grad)
                _own(self, f'original{place}', each.requires_grad_(original.requires_grad))
        if not unsafe:
            made = self()
            if not isinstance(made, torch.Tensor):
                raise ValueError(f'A parametrization must return a tensor. Got {type(made).__name__}.')
            for what, before in (('dtype', dtype), ('shape', shape)):
                if getattr(made, what) != before:
                    raise ValueError(f'Registering a parametrization may not change the {what} of the tensor, unless `unsafe` '
                                     f'flag is enabled.\nunparametrized {what}: {before}\n'
                                     f'parametrized {what}: {getattr(made, what)}')

    def originals(self):
        return [self.original] if self.is_tensor else [getattr(self, f'original{place}') for place in range(self.ntensors)]

    def right_inverse(self, value):
        with torch.no_grad():
            for module in reversed(list(self)):
                if not hasattr(module, 'right_inverse'):
                    raise RuntimeError(f'parametrization {type(module).__name__} does not implement right_inverse.')
                value = module.right_inverse(value)
            if self.is_tensor and not isinstance(value, torch.Tensor):
                raise ValueError(f'`right_inverse` should return a tensor. Got {type(value).__name__}')
            for own, new in zip(self.originals(), [value] if self.is_tensor else value):
                own.set_(new)

    def forward(self):
        result = self[0](*self.originals())
        for place in range(1, len(self)):
            result = self[place](result)
        return result


def _make_property(kind, name):
    def get(self):
        if not _Cache.depth:
            return self.parametrizations[name]()
        key = (id(self), name)
        if key not in _Cache.values:
            _Cache.values[key] = self.parametrizations[name]()
        return _Cache.values[key]

    def put(self, value):
        self.parametrizations[name].right_inverse(value)

    setattr(kind, name, property(get, put))


def _class_again(name, tensor_names):
    """The class that register_parametrization has made of torch.nn's class of that name."""
    kind = getattr(torch.nn, name)
    made = type(f'Parametrized{name}', (kind,), {'__module__': __name__})
    for tensor_name in tensor_names:
        _make_property(made, tensor_name)
    return made


def register_parametrization(module, tensor_name, parametrization, *, unsafe=False):
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        if not unsafe:
            _check_fits(module, tensor_name, parametrization)
        module.parametrizations[tensor_name].append(parametrization)
        module.parametrizations[tensor_name].unsafe |= unsafe
    elif tensor_name in module._buffers or tensor_name in module._parameters:
        made = ParametrizationList([parametrization], getattr(module, tensor_name), unsafe=unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            kind = type(module)
            module.__class__ = type(f'Parametrized{kind.__name__}', (kind,), {'__module__': __name__})
            module.parametrizations = ModuleDict()
        _make_property(type(module), tensor_name)
        module.parametrizations[tensor_name] = made
    else:
        raise ValueError(f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with name "
                         f"'{tensor_name}'")
    return module


def _check_fits(module, name, parametrization):
    before = getattr(module, name)
    after = parametrization(before)
    if not isinstance(after, torch.Tensor):
        raise ValueError(f'A parametrization must return a tensor. Got {type(after).__name__}.')
    for what in ('dtype', 'shape'):
        if getattr(after, what) != getattr(before, what):
            raise ValueError(f'Registering a parametrization may not change the {what} of the tensor, unless the `unsafe` flag is '
                             f'enabled.\nmodule.{name}.{what}: {getattr(before, what)}\n'
                             f'parametrization(module.{name}).{what}: {getattr(after, what)}')


def is_parametrized(module, tensor_name=None):
    made = getattr(module, 'parametrizations', None)
    if made is None or not isinstance(made, ModuleDict):
        return False
    return len(made) > 0 if tensor_name is None else tensor_name in made


def remove_parametrizations(module, tensor_name, leave_parametrized=True):
    if not is_parametrized(module, tensor_name):
        raise ValueError(f'Module {module} does not have a parametrization on {tensor_name}')
    made = module.parametrizations[tensor_name]
    if made.is_tensor:
        original = made.original
        if leave_parametrized:
            with torch.no_grad():
                original.set_(getattr(module, tensor_name))
    elif leave_parametrized:
        value = getattr(module, tensor_name)
        original = Parameter(value) if value.requires_grad else value
    else:
        raise ValueError('Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in terms of a '
                         'sequence of tensors.')
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    _own(module, tensor_name, original)
    if not is_parametrized(module):
        delattr(module, 'parametrizations')
        module.__class__ = type(module).__bases__[0]
    return module


def type_before_parametrizations(module):
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


def transfer_parametrizations_and_params(from_module, to_module, tensor_name=None):
    if is_parametrized(from_module):
        for name in list(from_module.parametrizations) if tensor_name is None else [tensor_name]:
            made = from_module.parametrizations[name]
            if not hasattr(to_module, name):
                setattr(to_module, name, Parameter(getattr(from_module, name)))
            for each in made:
                register_parametrization(to_module, name, each)
            given = to_module.parametrizations[name]
            for place in range(made.ntensors):
                original = 'original' if made.is_tensor else f'original{place}'
                setattr(given, original, getattr(made, original))
    return to_module
