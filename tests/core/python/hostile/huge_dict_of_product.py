# SPDX-License-Identifier: GPL-3.0-or-later
# A dict keyed by permutations.
from itertools import permutations

d = {p: i for i, p in enumerate(permutations(range(20)))}
