# SPDX-License-Identifier: GPL-3.0-or-later
# torch.func.functionalize: its arguments are wrapped, and what is written into them is copied back at the end.
import functools

import torch
from torch.utils._pytree import tree_leaves, tree_map

_ODD_REMOVE = """functionalize(f, remove='mutations'): received invalid argument for remove={}. Valid options are:
     remove='mutations': all inplace and out= operators will be removed from the program, and replaced with their out-of-place \
equivalents.
     remove='mutations_and_views': In addition to the above, all aliasing operators {{view}} will be replaced with their \
non-aliasing counterparts, {{view}}_copy.
"""


def _tensors(tree):
    return [leaf for leaf in tree_leaves(tree) if isinstance(leaf, torch.Tensor)]


def functionalize(func, *, remove='mutations'):
    if remove not in ('mutations', 'mutations_and_views'):
        raise RuntimeError(_ODD_REMOVE.format(remove))
    keeps_views = remove == 'mutations'

    def mapped(change, tree):
        return tree_map(lambda leaf: change(leaf) if isinstance(leaf, torch.Tensor) else leaf, tree)

    @functools.wraps(func)
    def wrapped(*args, **kwargs):
        level = _func_increment_nesting(keeps_views)
        try:
            inside = mapped(lambda tensor: _wrap_functional_tensor(tensor, level), (args, kwargs))
            outputs = mapped(lambda tensor: _unwrap_functional_tensor(tensor, keeps_views), func(*inside[0], **inside[1]))
            for outer, inner in zip(_tensors((args, kwargs)), _tensors(inside)):
                _propagate_functional_input_mutation(outer, inner)
            return outputs
        finally:
            _func_decrement_nesting()

    return wrapped
