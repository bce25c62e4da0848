# SPDX-License-Identifier: GPL-3.0-or-later
# torch.utils.checkpoint: saves memory in training alone, so the function is simply called.
import contextlib

from .._outside import outside

__getattr__ = outside(__name__)


def checkpoint(function, *args, use_reentrant=None, context_fn=None, determinism_check='default', debug=False,
               early_stop=True, preserve_rng_state=True, **kwargs):
    return function(*args, **kwargs)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    for function in list(functions):
        input = function(input)
    return input


def noop_context_fn():
    return contextlib.nullcontext(), contextlib.nullcontext()


def set_checkpoint_early_stop(enable):
    return contextlib.nullcontext()


def set_checkpoint_debug_enabled(enabled):
    return contextlib.nullcontext()
