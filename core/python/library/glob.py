# SPDX-License-Identifier: GPL-3.0-or-later
# Python's glob can be imported, not used.

from _refusal import refuse

__getattr__ = refuse("glob", "a traced program reads and writes no files")
