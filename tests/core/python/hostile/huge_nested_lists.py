# SPDX-License-Identifier: GPL-3.0-or-later
# Lists of lists, each of the one before, and all of it printed.
x = []
for _ in range(60):
    x = [x, x]
print(x)
