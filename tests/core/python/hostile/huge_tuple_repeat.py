# SPDX-License-Identifier: GPL-3.0-or-later
# A tuple repeated again and again.
t = (1, 2, 3)
for _ in range(100):
    t = t * 1000
