# SPDX-License-Identifier: GPL-3.0-or-later
# --- yield_from_passes_exceptions
def inner():
    try:
        yield 1
    except ValueError:
        yield "caught inside"
def outer():
    yield from inner()
    yield "after"
g = outer()
next(g)
print(g.throw( ), list(g))
