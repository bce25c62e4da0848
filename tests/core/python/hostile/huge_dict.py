# SPDX-License-Identifier: GPL-3.0-or-later
# A dict without end.
d = {}
n = 0
while True:
    d[n] = str(n) * 100
    n += 1
