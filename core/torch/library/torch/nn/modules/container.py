# SPDX-License-Identifier: GPL-3.0-or-later
# Modules that hold modules or parameters: Sequential, lists and dicts.
import operator
import warnings
from collections import OrderedDict
import torch
from torch.nn.parameter import Parameter
from .module import Module, _typename

__all__ = ['Container', 'Sequential', 'ModuleList', 'ModuleDict', 'ParameterList', 'ParameterDict']


def _position(length, index):
    # A whole number, counted from the start, that is inside.
    index = operator.index(index)
    if not -length <= index < length:
        raise IndexError(f'index {index} is out of range')
    return index % length


def _iterable(value):
    return hasattr(value, '__iter__') or hasattr(value, '__getitem__') and isinstance(value, torch.Tensor)


def _pairs(kind, source):
    # The pairs of an iterable of pairs, or the error that names the odd one.
    for place, item in enumerate(source):
        if not _iterable(item):
            raise TypeError(f'{kind} update sequence element #{place} should be Iterable; is{type(item).__name__}')
        if len(item) != 2:
            raise ValueError(f'{kind} update sequence element #{place} has length {len(item)}; 2 is required')
        yield item[0], item[1]


class Container(Module):
    def __init__(self, **kwargs):
        warnings.warn('`nn.Container` is deprecated. All of its functionality is now implemented in `nn.Module`. '
                      'Subclass that instead.', FutureWarning, stacklevel=2)
        super().__init__()
        for name, module in kwargs.items():
            self.add_module(name, module)


class _Numbered(Module):
    # What Sequential and ModuleList share.
    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def __dir__(self):
        return [name for name in super().__dir__() if not name.isdigit()]

    def __delitem__(self, idx):
        names = list(self._modules)
        for name in names[idx] if isinstance(idx, slice) else [names[_position(len(self), idx)]]:
            delattr(self, name)
        self._modules = OrderedDict((str(place), module) for place, module in enumerate(self._modules.values()))

    def append(self, module):
        self.add_module(str(len(self)), module)
        return self

    def pop(self, key):
        taken = self[key]
        del self[key]
        return taken

    def _shift_in(self, index, module):
        for place in range(len(self), index, -1):
            self._modules[str(place)] = self._modules[str(place - 1)]
        self._modules[str(index)] = module


class Sequential(_Numbered):
    def __init__(self, *args):
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            named = args[0].items()
        else:
            named = [(str(place), module) for place, module in enumerate(args)]
        for name, module in named:
            self.add_module(name, module)

    def __getitem__(self, idx):
        if isinstance(idx, slice):
            return type(self)(OrderedDict(list(self._modules.items())[idx]))
        return list(self._modules.values())[_position(len(self), idx)]

    def __setitem__(self, idx, module):
        setattr(self, list(self._modules)[_position(len(self), idx)], module)

    def __add__(self, other):
        self._check_other(other)
        return Sequential(*self, *other)

    def __iadd__(self, other):
        self._check_other(other)
        start = len(self)
        for place, module in enumerate(list(other)):
            self.add_module(str(start + place), module)
        return self

    def _check_other(self, other):
        if not isinstance(other, Sequential):
            raise ValueError(f'add operator supports only objects of Sequential class, but {type(other)} is given.')

    def _check_times(self, times):
        if not isinstance(times, int):
            raise TypeError(f'unsupported operand type(s) for *: {type(self)} and {type(times)}')
        if times <= 0:
            raise ValueError(f'Non-positive multiplication factor {times} for {type(self)}')

    def __mul__(self, other):
        self._check_times(other)
        return Sequential(*(list(self) * other))

    def __rmul__(self, other):
        return self.__mul__(other)

    def __imul__(self, other):
        self._check_times(other)
        for module in list(self) * (other - 1):
            self.append(module)
        return self

    def forward(self, input):
        for module in self:
            input = module(input)
        return input

    def insert(self, index, module):
        if not isinstance(module, Module):
            raise AssertionError(f'module should be of type: {Module}')
        length = len(self)
        if not -length <= index <= length:
            raise IndexError(f'Index out of range: {index}')
        self._shift_in(index + length if index < 0 else index, module)
        return self

    def extend(self, sequential):
        for module in list(sequential):
            self.append(module)
        return self


class ModuleList(_Numbered):
    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self += modules

    def __getitem__(self, idx):
        if isinstance(idx, slice):
            return type(self)(list(self._modules.values())[idx])
        return self._modules[str(_position(len(self), idx))]

    def __setitem__(self, idx, module):
        setattr(self, str(_position(len(self), idx)), module)

    def __iadd__(self, modules):
        return self.extend(modules)

    def __add__(self, other):
        combined = ModuleList()
        for module in [*self, *other]:
            combined.append(module)
        return combined

    def insert(self, index, module):
        self._shift_in(index, module)

    def extend(self, modules):
        if not _iterable(modules):
            raise TypeError(f'ModuleList.extend should be called with an iterable, but got {type(modules).__name__}')
        start = len(self)
        for place, module in enumerate(list(modules)):
            self.add_module(str(start + place), module)
        return self

    def __repr__(self):
        runs = []
        for place, text in enumerate(repr(module) for module in self):
            if runs and runs[-1][2] == text:
                runs[-1][1] = place
            else:
                runs.append([place, place, text])
        lines = []
        for first, last, text in runs:
            head = f'({first}): ' if first == last else f'({first}-{last}): {last - first + 1} x '
            lines.append('\n  ' + (head + text).replace('\n', '\n  '))
        return f'{self._get_name()}({"".join(lines)}' + ('\n)' if lines else ')')


class ModuleDict(Module):
    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key):
        return self._modules[key]

    def __setitem__(self, key, module):
        self.add_module(key, module)

    def __delitem__(self, key):
        del self._modules[key]

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules)

    def __contains__(self, key):
        return key in self._modules

    def clear(self):
        self._modules.clear()

    def pop(self, key):
        taken = self[key]
        del self[key]
        return taken

    def keys(self):
        return self._modules.keys()

    def items(self):
        return self._modules.items()

    def values(self):
        return self._modules.values()

    def update(self, modules):
        if not _iterable(modules):
            raise TypeError('ModuleDict.update should be called with an iterable of key/value pairs, but got '
                            f'{type(modules).__name__}')
        named = modules.items() if isinstance(modules, (dict, ModuleDict)) else _pairs('ModuleDict', modules)
        for name, module in named:
            self[name] = module


def _held(key, value, kind_of):
    # One line of the repr of a list or dict of parameters.
    if not isinstance(value, torch.Tensor):
        return f'  ({key}): Object of type: {type(value).__name__}'
    size = 'x'.join(str(length) for length in value.size())
    place = f' ({value.device})' if value.device.type in ('cuda', 'privateuseone') else ''
    name = 'Parameter' if isinstance(value, Parameter) else 'Tensor'
    return f'  ({key}): {name} containing: [{kind_of(value)} of size {size}{place}]'


def _as_parameter(value):
    return Parameter(value) if isinstance(value, torch.Tensor) and not isinstance(value, Parameter) else value


class ParameterList(Module):
    def __init__(self, values=None):
        super().__init__()
        self._size = 0
        if values is not None:
            self += values

    def __getitem__(self, idx):
        if isinstance(idx, slice):
            return type(self)([self[place] for place in range(*idx.indices(len(self)))])
        return getattr(self, str(_position(len(self), idx)))

    def __setitem__(self, idx, param):
        setattr(self, str(_position(len(self), idx)), _as_parameter(param))

    def __len__(self):
        return self._size

    def __iter__(self):
        return (self[place] for place in range(len(self)))

    def __iadd__(self, parameters):
        return self.extend(parameters)

    def __dir__(self):
        return [name for name in super().__dir__() if not name.isdigit()]

    def append(self, value):
        self._size += 1
        self[self._size - 1] = value
        return self

    def extend(self, values):
        if not _iterable(values) or isinstance(values, torch.Tensor):
            raise TypeError(f'ParameterList.extend should be called with an iterable, but got {type(values).__name__}')
        for value in values:
            self.append(value)
        return self

    def extra_repr(self):
        return '\n'.join(_held(place, value, lambda tensor: tensor.dtype) for place, value in enumerate(self))

    def __call__(self, *args, **kwargs):
        raise RuntimeError('ParameterList should not be called.')


class ParameterDict(Module):
    def __init__(self, parameters=None):
        super().__init__()
        self._keys = {}
        if parameters is not None:
            self.update(parameters)

    def _key_to_attr(self, key):
        if isinstance(key, str):
            return key
        raise TypeError('Index given to ParameterDict cannot be used as a key as it is not a string (type is '
                        f"'{type(key).__name__}'). Open an issue on github if you need non-string keys.")

    def __getitem__(self, key):
        return getattr(self, self._key_to_attr(key))

    def __setitem__(self, key, value):
        self._keys[key] = None
        setattr(self, self._key_to_attr(key), _as_parameter(value))

    def __delitem__(self, key):
        del self._keys[key]
        delattr(self, self._key_to_attr(key))

    def __len__(self):
        return len(self._keys)

    def __iter__(self):
        return iter(self._keys)

    def __reversed__(self):
        return reversed(list(self._keys))

    def __contains__(self, key):
        return key in self._keys

    def copy(self):
        return ParameterDict(OrderedDict(self.items()))

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def clear(self):
        for key in list(self._keys):
            del self[key]

    def pop(self, key):
        taken = self[key]
        del self[key]
        return taken

    def popitem(self):
        key = list(self._keys)[-1]
        return key, self.pop(key)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def fromkeys(self, keys, default=None):
        return ParameterDict((key, default) for key in keys)

    def keys(self):
        return self._keys.keys()

    def items(self):
        return ((key, self[key]) for key in self._keys)

    def values(self):
        return (self[key] for key in self._keys)

    def update(self, parameters):
        if not _iterable(parameters):
            raise TypeError('ParametersDict.update should be called with an iterable of key/value pairs, but got '
                            f'{type(parameters).__name__}')
        if isinstance(parameters, (OrderedDict, ParameterDict)):
            named = parameters.items()
        elif isinstance(parameters, dict):
            named = sorted(parameters.items(), key=lambda pair: pair[0])
        else:
            named = _pairs('ParameterDict', parameters)
        for key, value in named:
            self[key] = value

    def extra_repr(self):
        return '\n'.join(_held(key, value, _typename) for key, value in self.items())

    def __call__(self, input):
        raise RuntimeError('ParameterDict should not be called.')

    def __or__(self, other):
        merged = self.copy()
        merged.update(other)
        return merged

    def __ror__(self, other):
        merged = other.copy()
        merged.update(self)
        return merged

    def __ior__(self, other):
        self.update(other)
        return self
