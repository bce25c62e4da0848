# SPDX-License-Identifier: GPL-3.0-or-later
# Modes that hold inside a with-block or a decorated function. LibTorch is told of gradients, since parameters are written
# without; the others are only remembered, for models that ask.
import functools

import torch

_state = {'grad': True, 'inference': False, 'autocast': False, 'deterministic': False, 'warn_only': False,
          'matmul_precision': 'highest'}


class _Mode:
    # Sets one entry of the state for a while.
    def __init__(self, name, value):
        self.name, self.value = name, value
        self.before = []

    def __enter__(self):
        self.before.append(_state[self.name])
        _state[self.name] = self.value
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        _state[self.name] = self.before.pop()

    def __call__(self, function):
        @functools.wraps(function)
        def inside(*args, **kwargs):
            with type(self)(self.name, self.value):
                return function(*args, **kwargs)

        return inside


class _GradMode(_Mode):
    def __init__(self, value):
        super().__init__('grad', value)
        self.engine_before = []

    def __enter__(self):
        self.engine_before.append(torch.ops.aten.is_grad_enabled.default())
        torch.ops.aten.set_grad_enabled.default(self.value)
        return super().__enter__()

    def __exit__(self, exc_type, exc_value, traceback):
        torch.ops.aten.set_grad_enabled.default(self.engine_before.pop())
        super().__exit__(exc_type, exc_value, traceback)

    def __call__(self, function):
        @functools.wraps(function)
        def inside(*args, **kwargs):
            with _GradMode(self.value):
                return function(*args, **kwargs)

        return inside


def _grad_mode(value, function):
    # A decorator may be written with or without its brackets.
    mode = _GradMode(value)
    return mode if function is None else mode(function)


def no_grad(orig_func=None):
    return _grad_mode(False, orig_func)


def enable_grad(orig_func=None):
    return _grad_mode(True, orig_func)


def inference_mode(mode=True):
    return _Mode('inference', True)(mode) if callable(mode) else _Mode('inference', mode)


class set_grad_enabled(_GradMode):
    # Holds at once; as a context it is undone at the end of the block.
    def __init__(self, mode):
        super().__init__(bool(mode))
        super().__enter__()

    def __enter__(self):
        return None

    def __call__(self, function):
        self.__exit__(None, None, None)
        return super().__call__(function)


def is_grad_enabled():
    # Of the run and of the text: a run begins in a mode of its own.
    return _state['grad'] and not _state['inference'] and torch.ops.aten.is_grad_enabled.default()


def is_inference_mode_enabled():
    return _state['inference']


class autocast(_Mode):
    def __init__(self, device_type='cuda', dtype=None, enabled=True, cache_enabled=None):
        super().__init__('autocast', bool(enabled))
        self.device, self.fast_dtype = device_type, dtype

    def __call__(self, function):
        return _Mode('autocast', self.value)(function)


def is_autocast_enabled(device_type='cuda'):
    return _state['autocast']


def use_deterministic_algorithms(mode, *, warn_only=False):
    if not isinstance(mode, bool):
        raise TypeError(f"_set_deterministic_algorithms(): argument 'mode' (position 1) must be bool, not "
                        f'{type(mode).__name__}')
    _state['deterministic'], _state['warn_only'] = mode, warn_only


def are_deterministic_algorithms_enabled():
    return _state['deterministic']


def is_deterministic_algorithms_warn_only_enabled():
    return _state['warn_only']


def set_float32_matmul_precision(precision):
    if precision in ('highest', 'high', 'medium'):
        _state['matmul_precision'] = precision


def get_float32_matmul_precision():
    return _state['matmul_precision']
