# SPDX-License-Identifier: GPL-3.0-or-later
def inner():
    try:
        yield 1
    except ValueError:
        yield "caught inside"
def outer():
    yield "after"
g = outer()
print(g.throw( ), list(g))