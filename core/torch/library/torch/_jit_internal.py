# SPDX-License-Identifier: GPL-3.0-or-later
# torch._jit_internal: what sources take from there to annotate and mark for the scripter.
from typing import Any, Callable, Dict, Final, List, Optional, Tuple, Union

from torch import Tensor
from .jit import export, ignore, is_scripting, unused


def _overload(func):
    return func


_overload_method = _overload


# Of the functions below, what each chooses between and by which argument.
boolean_dispatched = {}


def boolean_dispatch(arg_name, arg_index, default, if_true, if_false, module_name, func_name):
    def fn(*args, **kwargs):
        chosen = kwargs[arg_name] if arg_name in kwargs else args[arg_index] if arg_index < len(args) else default
        return (if_true if chosen else if_false)(*args, **kwargs)

    if if_true.__doc__ is None and if_false.__doc__ is not None:
        fn.__doc__ = if_false.__doc__
    fn.__module__, fn.__name__ = module_name, func_name
    boolean_dispatched[fn] = {'if_true': if_true, 'if_false': if_false, 'index': arg_index, 'default': default, 'arg_name': arg_name}
    return fn
