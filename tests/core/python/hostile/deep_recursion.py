# SPDX-License-Identifier: GPL-3.0-or-later
# A function that calls itself.
def f(n):
    return f(n + 1) + 1


f(0)
