# SPDX-License-Identifier: GPL-3.0-or-later
# torch.random: the seeds of the generator that random operators draw from.
import contextlib

import torch
from torch import default_generator, get_rng_state, initial_seed, manual_seed, seed, set_rng_state


def thread_safe_generator():
    # Another one than the default is only a data loader's.
    return None


@contextlib.contextmanager
def fork_rng(devices=None, enabled=True, _caller='fork_rng', _devices_kw='devices', device_type='cuda'):
    state = get_rng_state()
    try:
        yield
    finally:
        if enabled:
            set_rng_state(state)
