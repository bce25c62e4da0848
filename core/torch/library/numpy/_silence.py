# SPDX-License-Identifier: GPL-3.0-or-later
# Hides numpy's arrays, which are tensors here, from recorders of tensor operators (make_fx).
import functools
import types


def silent(function):
    @functools.wraps(function)
    def called(*args, **kwargs):
        return _unrecorded(function, args, kwargs)

    return called


def silence_class(cls):
    for name, value in list(vars(cls).items()):
        if name == '__new__':
            setattr(cls, name, staticmethod(silent(getattr(value, '__func__', value))))
        elif isinstance(value, types.FunctionType):
            setattr(cls, name, silent(value))
        elif isinstance(value, property):
            setattr(cls, name, property(silent(value.fget)))


def silence_functions(names, module):
    """Functions of the module and of those below it."""
    for name, value in list(names.items()):
        if isinstance(value, types.FunctionType) and value.__module__.startswith(module) and not name.startswith('_'):
            names[name] = silent(value)
