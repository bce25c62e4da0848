# SPDX-License-Identifier: GPL-3.0-or-later
# Generators within generators.
def g(n):
    yield from g(n + 1)


next(g(0))
