# SPDX-License-Identifier: GPL-3.0-or-later
# Nested lists, tuples and dicts taken apart and put together again, as far as saved code and models ask for it.
from collections import OrderedDict


class TreeSpec:
    def __init__(self, type, context, children):
        self.type, self._context, self._children = type, context, list(children)

    @property
    def context(self):
        return self._context

    @property
    def num_leaves(self):
        return sum(child.num_leaves for child in self._children)

    @property
    def num_children(self):
        return len(self._children)

    def is_leaf(self):
        return False

    def children(self):
        return list(self._children)

    def child(self, index):
        return self._children[index]

    def __setstate__(self, state):
        # Of older pickles a dict of the fields, of newer ones the fields in order.
        if isinstance(state, (list, tuple)):
            state = dict(zip(('type', '_context', '_children'), state))
        self.type = state.get('type')
        self._context = state.get('_context', state.get('context'))
        self._children = list(state.get('_children', state.get('children_specs', ())))

    def __eq__(self, other):
        return (isinstance(other, TreeSpec) and self.is_leaf() == other.is_leaf() and self.type == other.type
                and self._context == other._context and self._children == other._children)


class LeafSpec(TreeSpec):
    def __init__(self):
        super().__init__(None, None, ())

    @property
    def num_leaves(self):
        return 1

    def is_leaf(self):
        return True


def _is_named_tuple(value):
    return isinstance(value, tuple) and hasattr(type(value), '_fields')


def _parts(tree):
    # The class, what it needs beside its children, and the children; None for a leaf.
    if _is_named_tuple(tree):
        return type(tree), type(tree), list(tree)
    for known in (list, tuple):
        if type(tree) is known:
            return known, None, list(tree)
    for known in (dict, OrderedDict):
        if type(tree) is known:
            return known, list(tree), list(tree.values())
    return None


def tree_flatten(tree, is_leaf=None):
    parts = None if is_leaf is not None and is_leaf(tree) else _parts(tree)
    if parts is None:
        return [tree], LeafSpec()
    leaves, specs = [], []
    for child in parts[2]:
        below, spec = tree_flatten(child, is_leaf)
        leaves += below
        specs.append(spec)
    return leaves, TreeSpec(parts[0], parts[1], specs)


def _put_together(spec, children):
    if isinstance(spec.type, type) and issubclass(spec.type, dict):
        return spec.type(zip(spec._context, children))
    if _is_named_tuple_class(spec.type):
        return spec.type(*children)
    return spec.type(children)


def _is_named_tuple_class(kind):
    return isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, '_fields')


def tree_unflatten(leaves, treespec):
    leaves = list(leaves)
    if len(leaves) != treespec.num_leaves:
        raise ValueError(f'{len(leaves)} leaves do not fit a tree of {treespec.num_leaves}')
    return _unflatten(iter(leaves), treespec)


def _unflatten(leaves, spec):
    if spec.is_leaf():
        return next(leaves)
    return _put_together(spec, [_unflatten(leaves, child) for child in spec._children])


def tree_leaves(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[0]


def tree_structure(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[1]


def tree_map(func, tree, *rests, is_leaf=None):
    leaves, spec = tree_flatten(tree, is_leaf)
    others = [tree_flatten(rest, is_leaf)[0] for rest in rests]
    return tree_unflatten([func(*group) for group in zip(leaves, *others)], spec)


def tree_map_only(kind, func, tree, is_leaf=None):
    return tree_map(lambda leaf: func(leaf) if isinstance(leaf, kind) else leaf, tree, is_leaf=is_leaf)


def tree_all(pred, tree, is_leaf=None):
    return all(pred(leaf) for leaf in tree_leaves(tree, is_leaf))


def tree_any(pred, tree, is_leaf=None):
    return any(pred(leaf) for leaf in tree_leaves(tree, is_leaf))
