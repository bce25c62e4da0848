# SPDX-License-Identifier: GPL-3.0-or-later
# Membership in an endless iterator.
from itertools import repeat

print(2 in repeat(1))
