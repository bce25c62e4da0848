# SPDX-License-Identifier: GPL-3.0-or-later
# An Interpreter whose values have no data: inputs, weights and what the graph makes itself are on the meta device, and
# what names a device gets that one. An operator that does not know that device is run on zeros.
# ShapeProp with a fake_mode and FakeTensorProp are made of it.
import copy

import torch
from torch._subclasses.fake_tensor import is_fake
from torch.fx.interpreter import Interpreter
from torch.fx.node import map_aggregate

_CPU, _META = torch.device('cpu'), torch.device('meta')


def _each(value, change):
    """The value with its tensors changed, in lists, tuples and dicts as well; those stay what they are."""
    if isinstance(value, torch.Tensor):
        return change(value)
    if type(value) in (list, tuple):
        return type(value)([_each(item, change) for item in value])
    if type(value) is dict:
        return {key: _each(item, change) for key, item in value.items()}
    return value


def to_meta(value):
    # A FakeTensor without what it says of another device.
    return _each(value, lambda tensor: tensor.detach() if is_fake(tensor) else tensor.to(_META))


def _zeros(tensor):
    if tensor.device != _META:
        return tensor
    sizes, strides = tensor.shape, tensor.stride()
    length = 1 + sum((size - 1) * stride for size, stride in zip(sizes, strides)) if tensor.numel() else 0
    data = torch.zeros(length, dtype=tensor.dtype).as_strided(sizes, strides)
    return data.requires_grad_() if tensor.requires_grad else data


def _module_on_meta(module):
    """A copy of the module whose weights have no data."""
    known = {}
    for tensor in [*module.parameters(), *module.buffers()]:
        empty = tensor.detach().to(_META)
        if isinstance(tensor, torch.nn.Parameter):
            empty = torch.nn.Parameter(empty, tensor.requires_grad)
        known[id(tensor)] = empty
    return copy.deepcopy(module, known)


def _on_device(device, args, kwargs):
    def changed(value):
        return device if isinstance(value, torch.device) else value

    kwargs = dict(map_aggregate(kwargs, changed))
    if isinstance(kwargs.get('device'), str):
        kwargs['device'] = device
    return map_aggregate(args, changed), kwargs


class MetaInterpreter(Interpreter):
    _meta_module = None  # without it, this is an Interpreter like others

    def _leave_data(self):
        self._meta_module = _module_on_meta(self.module)

    def _run(self, call, args, kwargs):
        if self._meta_module is None:
            return call(args, kwargs)
        try:
            return to_meta(call(*_on_device(_META, args, kwargs)))
        except NotImplementedError:
            args, kwargs = _on_device(_CPU, args, kwargs)
            return to_meta(call(map_aggregate(args, lambda value: _each(value, _zeros)),
                                dict(map_aggregate(kwargs, lambda value: _each(value, _zeros)))))

    def fetch_attr(self, target):
        if self._meta_module is None:
            return super().fetch_attr(target)
        real = self.module
        self.module = self._meta_module
        try:
            return to_meta(super().fetch_attr(target))
        finally:
            self.module = real

    def placeholder(self, target, args, kwargs):
        value = super().placeholder(target, args, kwargs)
        return value if self._meta_module is None else to_meta(value)

    def call_function(self, target, args, kwargs):
        return self._run(lambda args, kwargs: super(MetaInterpreter, self).call_function(target, args, kwargs), args, kwargs)

    def call_method(self, target, args, kwargs):
        if self._meta_module is not None and isinstance(args[0], torch.Tensor):
            if target in ('cpu', 'cuda'):
                return args[0]
            if target == 'to':
                args = tuple([_META if isinstance(value, str) else value for value in args])
        return self._run(lambda args, kwargs: super(MetaInterpreter, self).call_method(target, args, kwargs), args, kwargs)

    def call_module(self, target, args, kwargs):
        if self._meta_module is None:
            return super().call_module(target, args, kwargs)
        try:
            return to_meta(super().call_module(target, args, kwargs))
        except NotImplementedError:
            # a copy, as a run may change what the module counts
            module = copy.deepcopy(Interpreter.fetch_attr(self, target))
            return to_meta(module(*[_each(value, _zeros) for value in args],
                                  **{name: _each(value, _zeros) for name, value in kwargs.items()}))
