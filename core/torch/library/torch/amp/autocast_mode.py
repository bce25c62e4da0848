# SPDX-License-Identifier: GPL-3.0-or-later
# torch.autocast: operators of a block run in a smaller dtype. The engine casts; here it is told when.
import functools
import warnings

import torch

# Each is told of a region that begins and of one that ends: make_fx records them where it records what is above autograd.
_watchers = []


def is_autocast_available(device_type):
    return torch.device(device_type).type in ('cpu', 'cuda', 'mps', 'xpu', 'hpu', 'xla', 'mtia', 'maia', 'ipu',
                                              'privateuseone')


def autocast_decorator(autocast_instance, func):
    @functools.wraps(func)
    def decorate_autocast(*args, **kwargs):
        with autocast_instance:
            return func(*args, **kwargs)

    return decorate_autocast


def _can_help(device, dtype):
    if device == 'cuda' and not torch.cuda.is_available():
        warnings.warn('autocast of cuda does nothing, as there is no CUDA device')
        return False
    if device == 'cuda' and dtype == torch.bfloat16 and not torch.cuda.is_bf16_supported():
        raise RuntimeError('Current CUDA Device does not support bfloat16. Please switch dtype to float16.')
    if device != 'cuda' and dtype not in (torch.bfloat16, torch.float16):
        warnings.warn(f'autocast of {device} does nothing, as it cannot cast to {dtype}')
        return False
    return True


class autocast:
    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        if not isinstance(device_type, str):
            raise ValueError(f'Expected `device_type` of type `str`, got: `{type(device_type)}`')
        self.fast_dtype = torch.get_autocast_dtype(device_type) if dtype is None else dtype
        self.device = device_type
        if not is_autocast_available(device_type):
            raise RuntimeError(f"User specified an unsupported autocast device_type '{device_type}'")
        self._cache_enabled = torch.is_autocast_cache_enabled() if cache_enabled is None else cache_enabled
        self._enabled = enabled and _can_help(device_type, self.fast_dtype)

    def __enter__(self):
        self.prev_cache_enabled = torch.is_autocast_cache_enabled()
        self.prev = torch.is_autocast_enabled(self.device)
        self.prev_fastdtype = torch.get_autocast_dtype(self.device)
        torch.set_autocast_enabled(self.device, self._enabled)
        torch.set_autocast_dtype(self.device, self.fast_dtype)
        torch.autocast_increment_nesting()
        torch.set_autocast_cache_enabled(self._cache_enabled)
        for watcher in _watchers:
            watcher.autocast_begins(self.device, self.fast_dtype, self._enabled, self._cache_enabled)
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        # Casts of weights are kept until the outermost region ends.
        if torch.autocast_decrement_nesting() == 0:
            torch.clear_autocast_cache()
        torch.set_autocast_enabled(self.device, self.prev)
        torch.set_autocast_dtype(self.device, self.prev_fastdtype)
        torch.set_autocast_cache_enabled(self.prev_cache_enabled)
        for watcher in _watchers:
            watcher.autocast_ends()
        return False

    def __call__(self, func):
        if not callable(func):
            raise TypeError(f'autocast()(func) requires a callable, but got {type(func).__name__}. Write `with '
                            'torch.autocast(...):` for a block')
        return autocast_decorator(self, func)


def _cast(value, device_type, dtype):
    if isinstance(value, torch.Tensor):
        fits = value.is_floating_point() and value.device.type == device_type and value.dtype is not torch.float64
        return value.to(dtype) if fits else value
    if isinstance(value, dict):
        return {_cast(key, device_type, dtype): _cast(item, device_type, dtype) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)([_cast(item, device_type, dtype) for item in value])
    return value


def custom_fwd(fwd=None, *, device_type, cast_inputs=None):
    if not isinstance(device_type, str):
        raise ValueError(f'Expected `device_type` of type `str`, got: `{type(device_type)}`')
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def decorate_fwd(*args, **kwargs):
        if cast_inputs is None or not torch.is_autocast_enabled(device_type):
            return fwd(*args, **kwargs)
        with autocast(device_type=device_type, enabled=False):
            return fwd(*_cast(args, device_type, cast_inputs), **_cast(kwargs, device_type, cast_inputs))

    return decorate_fwd


def custom_bwd(bwd=None, *, device_type):
    # Nothing runs backwards.
    return functools.partial(custom_bwd, device_type=device_type) if bwd is None else bwd


# What split_module and torch.export write where a region begins and ends. Who records them gets the node, and no region.
def _enter_autocast(*vals):
    if _watchers:
        return _watchers[-1].autocast_begins(*vals)
    mode = autocast(*vals)
    mode.__enter__()
    return mode


def _exit_autocast(mode):
    if _watchers:
        return _watchers[-1].autocast_ends()
    mode.__exit__(None, None, None)
