# SPDX-License-Identifier: GPL-3.0-or-later
# Python's shutil can be imported, not used.

from _refusal import refuse

__getattr__ = refuse("shutil", "a traced program reads and writes no files")
