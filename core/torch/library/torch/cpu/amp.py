# SPDX-License-Identifier: GPL-3.0-or-later
# torch.cpu.amp: the older name of torch.autocast for one device.
import torch
from ..amp.autocast_mode import autocast as _autocast


class autocast(_autocast):
    def __init__(self, enabled=True, dtype=torch.bfloat16, cache_enabled=True):
        super().__init__('cpu', enabled=enabled, dtype=dtype, cache_enabled=cache_enabled)
