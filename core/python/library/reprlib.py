# SPDX-License-Identifier: GPL-3.0-or-later
# Python's reprlib, as far as classes need it: a repr that stops where it meets itself.


def recursive_repr(fillvalue="..."):
    def decorate(text_of):
        running = set()

        def __repr__(self):
            if id(self) in running:
                return fillvalue
            running.add(id(self))
            try:
                return text_of(self)
            finally:
                running.discard(id(self))

        return __repr__

    return decorate


def repr(value):
    return value.__repr__()
