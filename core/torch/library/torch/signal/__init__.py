# SPDX-License-Identifier: GPL-3.0-or-later
# torch.signal: windows alone.
from . import windows
