# SPDX-License-Identifier: GPL-3.0-or-later
# Python's threading can be imported, not used.

from _refusal import refuse

__getattr__ = refuse("threading", "a traced program has one thread")
