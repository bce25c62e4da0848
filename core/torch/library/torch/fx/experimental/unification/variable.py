# SPDX-License-Identifier: GPL-3.0-or-later
# Variables of unification.
from contextlib import contextmanager

# Plain values that are variables inside `with variables(...)`.
_global_logic_variables = set()
_glv = _global_logic_variables


class Var:
    _id = 1

    def __new__(cls, *token):
        if len(token) == 0:
            token = f'_{Var._id}'
            Var._id += 1
        elif len(token) == 1:
            token = token[0]
        made = object.__new__(cls)
        made.token = token
        return made

    def __str__(self):
        return '~' + str(self.token)

    __repr__ = __str__

    def __eq__(self, other):
        return type(self) is type(other) and self.token == other.token

    def __hash__(self):
        return hash((type(self), self.token))


def var():
    return lambda *args: Var(*args)


def vars():
    return lambda n: [var() for _ in range(n)]


def hashable(x):
    try:
        hash(x)
    except TypeError:
        return False
    return True


def isvar(v):
    return isinstance(v, Var) or bool(_glv and hashable(v) and v in _glv)


@contextmanager
def variables(*variables):
    before = set(_glv)
    _glv.update(variables)
    try:
        yield
    finally:
        _glv.clear()
        _glv.update(before)
