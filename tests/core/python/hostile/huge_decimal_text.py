# SPDX-License-Identifier: GPL-3.0-or-later
# The decimal digits of a huge number.
x = 1 << 60_000_000
for _ in range(1000):
    print(len(str(x)))
