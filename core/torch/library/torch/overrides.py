# SPDX-License-Identifier: GPL-3.0-or-later
# torch.overrides: modes that are told of calls (core/torch/host/function_modes.h), and classes that take calls of torch's
# functions by `__torch_function__` (core/torch/host/function_overrides.h).
import functools
import warnings

import torch
from ._outside import outside

__getattr__ = outside(__name__)


class TorchFunctionMode:
    def __init__(self):
        pass

    def __torch_function__(self, func, types, args=(), kwargs=None):
        raise NotImplementedError

    def __enter__(self):
        _function_mode_enter(self)
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        _function_mode_leave()

    @classmethod
    def push(cls, *args, **kwargs):
        return cls(*args, **kwargs)


class BaseTorchFunctionMode(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **({} if kwargs is None else kwargs))


def _get_current_function_mode_stack():
    return _function_modes()


def _get_current_function_mode():
    modes = _function_modes()
    return modes[-1] if modes else None


class DisableTorchFunctionSubclass:
    def __enter__(self):
        _function_overrides_turn(1)

    def __exit__(self, exc_type, exc_value, traceback):
        _function_overrides_turn(-1)


def is_tensor_like(inp):
    return type(inp) is torch.Tensor or hasattr(inp, '__torch_function__')


def has_torch_function(relevant_args):
    return any(_function_modes() or _has_function_override(arg) for arg in relevant_args)


def has_torch_function_unary(arg):
    return bool(_function_modes()) or _has_function_override(arg)


def has_torch_function_variadic(*args):
    return has_torch_function(args)


def _get_overloaded_args(relevant_args, get_type_fn=type):
    """One argument of each class that has a `__torch_function__`, subclasses before their bases."""
    found = []
    if not _function_overrides_are_on():
        return found
    for arg in relevant_args:
        cls = get_type_fn(arg)
        known = [get_type_fn(other) for other in found]
        override = getattr(cls, '__torch_function__', None)
        if cls in known or override is None or override is _disabled_torch_function_impl:
            continue
        place = next((at for at, other in enumerate(known) if issubclass(cls, other)), len(known))
        found.insert(place, arg)
    return found


def handle_torch_function(public_api, relevant_args, *args, **kwargs):
    overloaded = _get_overloaded_args(relevant_args)
    types = tuple(map(type, overloaded))
    modes = _function_modes()
    if modes:
        mode = _function_mode_leave()
        try:
            result = mode.__torch_function__(public_api, types, args, kwargs)
        finally:
            _function_mode_enter(mode)
        if result is not NotImplemented:
            return result
    for arg in overloaded:
        method = arg.__torch_function__
        if getattr(method, '__self__', None) is arg:
            warnings.warn('Defining your `__torch_function__ as a plain method is deprecated and will be an error in '
                          'future, please define it as a classmethod.', DeprecationWarning, stacklevel=2)
        result = method(public_api, types, args, kwargs)
        if result is not NotImplemented:
            return result
    message = (f"no implementation found for '{public_api.__module__}.{public_api.__name__}' on types that implement "
               f'__torch_function__: {[type(arg) for arg in overloaded]}')
    if modes:
        message += f' nor in mode {_get_current_function_mode()}'
    raise TypeError(message)


def wrap_torch_function(dispatcher):
    def inner(func):
        @functools.wraps(func)
        def wrapped(*args, **kwargs):
            relevant_args = dispatcher(*args, **kwargs)
            if has_torch_function(relevant_args):
                return handle_torch_function(wrapped, relevant_args, *args, **kwargs)
            return func(*args, **kwargs)

        return wrapped

    return inner


@functools.cache
def _public_names():
    """What each function that may be overridden is called, by the last of the places that have it."""
    names = {}
    for place, space in (('torch', torch), ('torch.functional', torch.functional),
                         ('torch.nn.functional', torch.nn.functional), ('torch.nn.init', torch.nn.init),
                         ('torch.Tensor', torch.Tensor), ('torch.linalg', torch.linalg), ('torch.fft', torch.fft),
                         ('torch.special', torch.special)):
        is_tensor = space is torch.Tensor
        for name in _tensor_names() if is_tensor else dir(space):
            if name.startswith('__') and not is_tensor or hasattr(object, name):
                continue
            function = getattr(space, name, None)
            if not callable(function) or isinstance(function, type(torch)):
                continue
            names[function] = f'{place}.{name}'
    return names


def resolve_name(f):
    if isinstance(f, (torch._ops.OpOverload, torch._ops.OpOverloadPacket)):
        return str(f)
    return _public_names().get(f)


def is_tensor_method_or_property(func):
    name = resolve_name(func)
    return func.__name__ == '__get__' or name is not None and name.startswith('torch.Tensor.')
