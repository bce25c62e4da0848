# SPDX-License-Identifier: GPL-3.0-or-later
# Types of tensors with sizes that may be unknown (Dyn), and how such types go together.
from torch.fx.experimental.unification import Var

__all__ = ['Dyn', 'TensorType', 'is_consistent', 'is_more_precise']


class TensorType:
    def __init__(self, dim):
        self.__origin__ = TensorType
        self.__args__ = dim

    @property
    def dims(self):
        return self.__args__

    def __repr__(self):
        return f'TensorType[{self.dims}]'

    def __eq__(self, other):
        return isinstance(other, self.__class__) and list(self.dims) == list(other.dims)

    @staticmethod
    def __class_getitem__(*args):
        if len(args) == 1 and isinstance(args[0], tuple):
            args = args[0]
        return TensorType(tuple(args))


class _DynType:
    def __init__(self):
        self.__name__ = '_DynType'

    def __eq__(self, other):
        return isinstance(other, self.__class__)

    def __str__(self):
        return 'Dyn'

    __repr__ = __str__


Dyn = _DynType()


def _all_sizes(relation, t1, t2):
    if not (isinstance(t1, TensorType) and isinstance(t2, TensorType)):
        return False
    return len(t1.dims) == len(t2.dims) and all(relation(a, b) for a, b in zip(t1.dims, t2.dims))


def is_consistent(t1, t2):
    # Nothing that is known of the one speaks against the other.
    if t1 == t2 or t1 == Dyn or t2 == Dyn or isinstance(t1, Var) or isinstance(t2, Var):
        return True
    return _all_sizes(is_consistent, t1, t2)


def is_more_precise(t1, t2):
    if t1 == t2 or isinstance(t2, _DynType):
        return True
    return _all_sizes(is_more_precise, t1, t2)
