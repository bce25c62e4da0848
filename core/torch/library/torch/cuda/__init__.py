# SPDX-License-Identifier: GPL-3.0-or-later
# torch.cuda as models ask for it: a graph is captured without a device, so there is none.
from torch import OutOfMemoryError
from .._outside import outside
from . import amp

__getattr__ = outside(__name__)  # streams, events and what else a device has


def _no_device(*args, **kwargs):
    raise AssertionError('Torch not compiled with CUDA enabled')


current_device = get_device_name = get_device_properties = get_device_capability = set_device = synchronize = _no_device


def is_available():
    return False


def is_initialized():
    return False


def is_bf16_supported(including_emulation=True):
    return False


def device_count():
    return 0


def empty_cache():
    return None


def memory_allocated(device=None):
    return 0


def max_memory_allocated(device=None):
    return 0


def manual_seed(seed):
    return None


def manual_seed_all(seed):
    return None
