# SPDX-License-Identifier: GPL-3.0-or-later
# An iterator over an iterator over an iterator.
it = iter([1])
for _ in range(10**5):
    it = map(abs, it)
next(it)
raise ValueError("an end is right too")
