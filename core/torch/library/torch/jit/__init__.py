# SPDX-License-Identifier: GPL-3.0-or-later
# torch.jit in source that is read as Python: nothing is scripted, and the marks for the scripter change nothing.
from .._outside import outside

__getattr__ = outside(__name__)  # what is the scripter's own, such as ScriptModule


def is_scripting():
    return False


def is_tracing():
    return False


def script(obj, optimize=None, _frames_up=0, _rcb=None, example_inputs=None):
    return obj


def script_if_tracing(fn):
    return fn


def export(fn):
    return fn


def unused(fn):
    return fn


def ignore(drop=False, **kwargs):
    # With or without brackets.
    return drop if callable(drop) else lambda fn: fn


def interface(obj):
    return obj


def annotate(the_type, the_value):
    return the_value


_is_instance = isinstance


def isinstance(obj, target_type):
    return _is_instance(obj, target_type)


def Attribute(value, type):
    return value


class Final:
    # Only ever an annotation: Final[int].
    def __class_getitem__(cls, item):
        return item


class Future:
    # Done at once: nothing runs beside it.
    def __init__(self, value):
        self._value = value

    def done(self):
        return True

    def wait(self):
        return self._value

    value = wait


def fork(func, *args, **kwargs):
    return Future(func(*args, **kwargs))


def wait(future):
    return future.wait()


_fork, _wait = fork, wait
