# SPDX-License-Identifier: GPL-3.0-or-later
# Python's subprocess can be imported, not used.

from _refusal import refuse

__getattr__ = refuse("subprocess", "a traced program starts no processes")
