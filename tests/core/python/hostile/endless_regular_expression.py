# SPDX-License-Identifier: GPL-3.0-or-later
# A pattern with endless ways to match.
import re

re.match("(a+)+$", "a" * 64 + "b")
