# SPDX-License-Identifier: GPL-3.0-or-later
# A value taken apart by a known spec instead of its own classes, so that it may be a Proxy.


def tree_flatten_spec(pytree, spec, exact_structural_match=False):
    if spec.is_leaf():
        return [pytree]
    isdict = isinstance(spec.type, type) and issubclass(spec.type, dict)
    if exact_structural_match and len(pytree) != len(spec._children):
        raise ValueError(f'{len(pytree)} parts do not fit a spec of {len(spec._children)}')
    keys = spec._context if isdict else range(len(spec._children))
    leaves = []
    for key, child in zip(keys, spec._children):
        leaves += tree_flatten_spec(pytree[key], child, exact_structural_match)
    return leaves
