# SPDX-License-Identifier: GPL-3.0-or-later
# torch.amp: mixed precision.
from .autocast_mode import _enter_autocast, _exit_autocast, autocast, custom_bwd, custom_fwd, is_autocast_available
from .grad_scaler import GradScaler
