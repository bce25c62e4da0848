# SPDX-License-Identifier: GPL-3.0-or-later
# Python's time can be imported, not used.

from _refusal import refuse

__getattr__ = refuse("time", "a traced program knows no clock")
