# SPDX-License-Identifier: GPL-3.0-or-later
# torch.nn.attention: which kernel computes attention is LibTorch's choice here, so that choosing one changes nothing.
import contextlib
import enum


class SDPBackend(enum.IntEnum):
    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4


@contextlib.contextmanager
def sdpa_kernel(backends, set_priority=False):
    if not isinstance(backends, (list, SDPBackend)):
        raise AssertionError('Backend must be an instance of SDPBackend or a list of SDPBackend instances, got '
                             f'{type(backends).__name__}')
    yield {}
