# SPDX-License-Identifier: GPL-3.0-or-later
# Python's argparse can be imported, not used.

from _refusal import refuse

__getattr__ = refuse("argparse", "a traced program has no command line")
