# SPDX-License-Identifier: GPL-3.0-or-later
# torch.cpu: the device that is always there.
from . import amp


def is_available():
    return True


def device_count():
    return 1


def current_device():
    return 'cpu'


def set_device(device):
    return None


def synchronize(device=None):
    return None
