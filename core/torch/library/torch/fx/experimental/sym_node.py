# SPDX-License-Identifier: GPL-3.0-or-later
# What is known of a symbolic number: SymInt.node, and its formula as a value.
from torch.fx.experimental.symbolic_shapes import ShapeEnv


class Expr:
    # In the place of sympy's expressions: a text and the symbols in it.
    def __init__(self, text, names=()):
        self._text = text
        self._names = tuple(names)

    @property
    def free_symbols(self):
        return {Symbol(name) for name in self._names}

    @property
    def is_number(self):
        return not self._names

    is_symbol = False

    def __eq__(self, other):
        return isinstance(other, (Expr, int)) and str(self) == str(other)

    def __hash__(self):
        return hash(self._text)

    def __repr__(self):
        return self._text

    __str__ = __repr__

    def __int__(self):
        return int(self._text)


class Symbol(Expr):
    is_symbol = True

    def __init__(self, name):
        super().__init__(name, (name,))
        self.name = name


def _expr(number):
    text, names = str(number), _symbolic_symbols(number)
    return Symbol(text) if [text] == names else Expr(text, names)


class SymNode:
    def __init__(self, number):
        self._number = number

    @property
    def expr(self):
        return _expr(self._number)

    @property
    def hint(self):
        return _symbolic_hint(self._number)

    def has_hint(self):
        return self.hint is not None

    def require_hint(self):
        return self.hint

    @property
    def pytype(self):
        kind = type(self._number).__name__
        return {'SymInt': int, 'SymFloat': float, 'SymBool': bool}[kind]

    @property
    def shape_env(self):
        return ShapeEnv(lambda: _symbolic_guards(self._number))

    @property
    def constant(self):
        return None

    def is_int(self):
        return self.pytype is int

    def is_float(self):
        return self.pytype is float

    def is_bool(self):
        return self.pytype is bool

    def is_symbolic(self):
        return True

    def is_constant(self):
        return False

    def is_nested_int(self):
        return False

    def maybe_as_int(self):
        return _symbolic_known(self._number)

    def guard_int(self, file, line):
        return int(self._number)

    def guard_bool(self, file, line):
        return bool(self._number)

    def __str__(self):
        return str(self._number)

    def __repr__(self):
        return f'SymNode({self._number}, shape_env={self.shape_env!r}, pytype={self.pytype}, hint={self.hint}, fx_node=False)'
