# SPDX-License-Identifier: GPL-3.0-or-later
# Each letter replaced by many.
s = "a" * 1000
for _ in range(20):
    s = s.replace("a", "a" * 1000)
