# SPDX-License-Identifier: GPL-3.0-or-later
# The symbols of a program, as far as one can ask for them here: what was decided about them, and what numbers they were.
import torch


class ShapeGuard:
    def __init__(self, text):
        from torch.fx.experimental.sym_node import Expr
        self.expr = Expr(text)

    def __repr__(self):
        return f'ShapeGuard(expr={self.expr})'


class ShapeEnv:
    def __init__(self, guards=list, **options):
        self._guards = guards

    @property
    def guards(self):
        return [ShapeGuard(text) for text in self._guards()]


def is_symbolic(value):
    return not isinstance(value, (int, float, bool)) and value.node.is_symbolic()


def has_hint(value):
    return not isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool)) or value.node.has_hint()


def hint_int(value, fallback=None):
    if not isinstance(value, torch.SymInt):
        return value
    hint = value.node.hint
    return fallback if hint is None else hint


size_hint = hint_int


def guard_int(value):
    return int(value)


def guard_scalar(value):
    kinds = {torch.SymInt: int, torch.SymFloat: float, torch.SymBool: bool}
    return kinds.get(type(value), lambda same: same)(value)


def statically_known_true(value):
    return value if isinstance(value, bool) else str(value) == 'True'


def guard_or_false(value):
    return bool(value)


guard_or_true = guard_size_oblivious = guard_or_false


def free_symbols(value):
    if value is None or isinstance(value, (int, float, bool)):
        return set()
    if isinstance(value, torch.Tensor):
        return free_symbols([*value.shape, *value.stride()])
    if isinstance(value, (tuple, list)):
        return set().union(*map(free_symbols, value))
    return value.node.expr.free_symbols
