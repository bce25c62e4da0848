# SPDX-License-Identifier: GPL-3.0-or-later
# torch.amp.GradScaler: made as models make it, but there are no gradients to scale.
from .._removed import refused_gradient


class GradScaler:
    def __init__(self, device='cuda', init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000,
                 enabled=True):
        self._enabled = enabled

    def is_enabled(self):
        return self._enabled

    scale = step = unscale_ = update = refused_gradient('torch.amp.GradScaler')
