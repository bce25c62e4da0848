# SPDX-License-Identifier: GPL-3.0-or-later
# torch.cuda.amp: the older names of torch.amp for one device.
from ..amp import autocast as _autocast, custom_bwd, custom_fwd


def autocast(enabled=True, dtype=None, cache_enabled=True):
    return _autocast('cuda', dtype, enabled, cache_enabled)
