# SPDX-License-Identifier: GPL-3.0-or-later
"""Our text of torch.utils._pytree and torch.fx._pytree, run by CPython, against the real ones on random trees.

    check_pytree.py LIBRARY
"""

import importlib.util
import pathlib
import pickle
import random
import sys
from collections import OrderedDict

import torch.utils._pytree as real


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def tree(depth=0):
    kind = random.randrange(6) if depth < 4 else 0
    if kind < 2:
        return random.randrange(100)
    children = [tree(depth + 1) for _ in range(random.randrange(3))]
    if kind == 2:
        return children
    if kind == 3:
        return tuple(children)
    return (dict if kind == 4 else OrderedDict)((f'key "{i}"\n', child) for i, child in enumerate(children))


def fields(spec):
    """What a pickle holds of a spec, for __setstate__."""
    return pickle.loads(pickle.dumps(spec)).__reduce_ex__(2)[2]


def main():
    folder = pathlib.Path(sys.argv[1])
    ours, flattening = load(folder / "utils/_pytree.py"), load(folder / "fx/_pytree.py")
    random.seed(0)
    for _ in range(2000):
        value = tree()
        leaves, spec = ours.tree_flatten(value)
        real_leaves, real_spec = real.tree_flatten(value)
        assert leaves == real_leaves and spec.num_leaves == real_spec.num_leaves, value
        assert ours.tree_unflatten(leaves, spec) == value, value
        assert ours.treespec_loads(real.treespec_dumps(real_spec)) == spec, value
        assert flattening.tree_flatten_spec(value, spec) == leaves, value
        assert ours.tree_map(lambda x: x + 1, value) == real.tree_map(lambda x: x + 1, value), value
        assert type(ours.tree_unflatten(leaves, spec)) is type(value), value
        if not spec.is_leaf():
            state = fields(real_spec)
            remade = ours.TreeSpec.__new__(ours.TreeSpec)
            remade.__setstate__(state if isinstance(state, (list, dict)) else list(state))
            assert remade.type == spec.type and remade._context == spec._context, value
    print("2000 trees")


if __name__ == "__main__":
    main()
