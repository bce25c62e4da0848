# SPDX-License-Identifier: GPL-3.0-or-later
# Python's socket can be imported, not used.

from _refusal import refuse

__getattr__ = refuse("socket", "a traced program has no network")
