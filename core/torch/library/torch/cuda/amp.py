# SPDX-License-Identifier: GPL-3.0-or-later
# torch.cuda.amp: the older names of torch.amp for one device.
import functools

import torch
from ..amp import GradScaler
from ..amp.autocast_mode import autocast as _autocast, custom_bwd as _custom_bwd, custom_fwd as _custom_fwd


class autocast(_autocast):
    def __init__(self, enabled=True, dtype=torch.float16, cache_enabled=True):
        super().__init__('cuda', enabled=enabled, dtype=dtype, cache_enabled=cache_enabled)


custom_fwd = functools.partial(_custom_fwd, device_type='cuda')
custom_bwd = functools.partial(_custom_bwd, device_type='cuda')
