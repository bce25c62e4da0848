# SPDX-License-Identifier: GPL-3.0-or-later
# torch.backends: settings that models read and set; they change nothing here.
import contextlib

from . import cudnn


class _Backend:
    # Settings by name; a new one may be set.
    def __init__(self, available=False, **settings):
        self._available = available
        for name, value in settings.items():
            setattr(self, name, value)

    def is_available(self):
        return self._available

    def is_built(self):
        return self._available

    def flags(self, **settings):
        return contextlib.nullcontext()

    def sdp_kernel(self, **settings):
        return self.flags()

    def flash_sdp_enabled(self):
        return True

    def mem_efficient_sdp_enabled(self):
        return True

    def math_sdp_enabled(self):
        return True


cuda = _Backend(matmul=_Backend(allow_tf32=False))
mps = _Backend()
mkldnn = _Backend(True, enabled=True)
mkl = _Backend(True)
cpu, mha, nnpack, xeon = _Backend(True), _Backend(True), _Backend(True), _Backend()
openmp = _Backend(True)
opt_einsum = _Backend(enabled=True, strategy='auto')
