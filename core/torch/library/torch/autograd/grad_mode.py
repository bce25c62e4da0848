# SPDX-License-Identifier: GPL-3.0-or-later
# Modes of autograd that hold inside a with-block or a decorated function. They are the engine's own on this thread.
import functools

import torch

# Each is told of a change of the grad mode: make_fx records it where it records what is above autograd.
_watchers = []


def _set_grad_enabled(mode):
    for watcher in _watchers:
        watcher(mode)
    torch._C._set_grad_enabled(mode)


class _Mode:
    # A decorated function enters a mode of its own at each call.
    def __call__(self, orig_func):
        @functools.wraps(orig_func)
        def decorate_context(*args, **kwargs):
            with self.clone():
                return orig_func(*args, **kwargs)

        return decorate_context

    def clone(self):
        return type(self)()


class _GradMode(_Mode):
    def __enter__(self):
        self.prev = torch.is_grad_enabled()
        _set_grad_enabled(self.wanted)

    def __exit__(self, exc_type, exc_value, traceback):
        _set_grad_enabled(self.prev)


def _decorating(cls, orig_func):
    # A decorator may be written with or without its brackets.
    mode = object.__new__(cls)
    return mode if orig_func is None else mode(orig_func)


class no_grad(_GradMode):
    wanted = False

    def __new__(cls, orig_func=None):
        return _decorating(cls, orig_func)


class enable_grad(_GradMode):
    wanted = True

    def __new__(cls, orig_func=None):
        return _decorating(cls, orig_func)


class set_grad_enabled(_Mode):
    # Holds at once; as a context it is undone at the end of the block.
    def __init__(self, mode):
        self.prev, self.mode = torch.is_grad_enabled(), mode
        _set_grad_enabled(mode)

    def __call__(self, orig_func):
        _set_grad_enabled(self.prev)
        return super().__call__(orig_func)

    def __enter__(self):
        _set_grad_enabled(self.mode)

    def __exit__(self, exc_type, exc_value, traceback):
        _set_grad_enabled(self.prev)

    def __str__(self):
        return f'{torch.typename(self)}(mode={self.mode})'

    def __repr__(self):
        return str(self)

    def clone(self):
        return set_grad_enabled(self.mode)


class inference_mode(_Mode):
    def __new__(cls, mode=True):
        return object.__new__(cls) if isinstance(mode, bool) else cls()(mode)

    def __init__(self, mode=True):
        self.mode = mode

    def __enter__(self):
        self.entered = torch._C._InferenceMode(self.mode)
        self.entered.__enter__()

    def __exit__(self, exc_type, exc_value, traceback):
        self.entered.__exit__(exc_type, exc_value, traceback)

    def clone(self):
        return inference_mode(self.mode)


class set_multithreading_enabled(_Mode):
    # Only the backward pass would have threads of its own.
    def __init__(self, mode):
        self.mode = mode

    def __enter__(self):
        return None

    def __exit__(self, exc_type, exc_value, traceback):
        return None

    def clone(self):
        return set_multithreading_enabled(self.mode)
