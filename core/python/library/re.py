# SPDX-License-Identifier: GPL-3.0-or-later
# Python's re can be imported, not used.

from _refusal import refuse

__getattr__ = refuse("re", "write the test with str methods")
