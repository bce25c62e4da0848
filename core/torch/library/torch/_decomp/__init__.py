# SPDX-License-Identifier: GPL-3.0-or-later
# torch._decomp: operators of ATen by those of the core set, for make_fx and for the pass `capture`.
import torch

from . import _activations, _beyond_core, _creation, _indexing, _losses, _normalizations, _pointwise, _shapes
from ._rules import table, table_beyond_core

decomposition_table = table | table_beyond_core


def core_aten_decompositions():
    return dict(table)


def get_decompositions(aten_ops, type='post_autograd'):
    # The rules of overloads, or of all the overloads of a packet.
    out = {}
    for op in aten_ops:
        overloads = [op] if isinstance(op, torch._ops.OpOverload) else [getattr(op, name) for name in op.overloads()]
        out.update({overload: decomposition_table[overload] for overload in overloads if overload in decomposition_table})
    return out


# What core/passes/capture_pass.cpp calls: an operator goes by its name, "aten.addmm.default".
_by_name = {str(overload): rule for overload, rule in table.items()}


def decomposed_names():
    return list(_by_name)


def decomposed(name, *args, **kwargs):
    return _by_name[name](*args, **kwargs)
