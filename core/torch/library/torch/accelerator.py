# SPDX-License-Identifier: GPL-3.0-or-later
# torch.accelerator: there is none, as a graph is captured without a device.
from ._outside import outside

__getattr__ = outside(__name__)  # streams and what else a device has


def device_count():
    return 0


def is_available():
    return False


def current_accelerator(check_available=False):
    return None


def synchronize(device=None):
    raise RuntimeError('Cannot access accelerator device when none is available.')


current_device_index = current_device_idx = set_device_index = set_device_idx = current_stream = synchronize
