# SPDX-License-Identifier: GPL-3.0-or-later
# Python's ast: literal_eval(). There are no trees here; the names of nodes may be mentioned.

from _refusal import refuse
from ast._literals import literal_eval

__getattr__ = refuse("ast", "there are no trees of syntax here")
