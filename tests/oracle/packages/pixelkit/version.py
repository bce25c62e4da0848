# SPDX-License-Identifier: GPL-3.0-or-later
# The release, and the stamp of the compiled half where there is one.
__version__ = "0.4.2+own"
revision = "none"
from pixelkit.extension import _native_stamp

if _native_stamp() > 0:
    native = _native_stamp()
else:
    native = None
