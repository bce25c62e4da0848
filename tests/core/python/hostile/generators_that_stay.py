# SPDX-License-Identifier: GPL-3.0-or-later
# Generators that are suspended when an error ends the program, one of which refuses to be closed.
def f():
    while True:
        try:
            yield 1
        except BaseException:
            pass


held = [f() for _ in range(100)]
for g in held:
    next(g)
raise ValueError("an end is right too")
