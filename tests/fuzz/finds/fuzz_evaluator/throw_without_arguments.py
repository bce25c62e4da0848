def inner():
    try:
        yield 1
    except ValueError:
        yield 2


def outer():
    yield from inner()


g = outer()
next(g)
print(g.throw( ), list(g))
