# SPDX-License-Identifier: GPL-3.0-or-later
# Groups within groups.
import re

re.compile("(?:" * 100_000 + ")" * 100_000)
