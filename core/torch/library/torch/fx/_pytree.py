# SPDX-License-Identifier: GPL-3.0-or-later
# A value taken apart by a known spec instead of its own classes, so that it may be a Proxy.
from collections import namedtuple

from torch.utils._pytree import tree_flatten

SUPPORTED_NODES = {}
SUPPORTED_NODES_EXACT_MATCH = {}


def register_pytree_flatten_spec(cls, flatten_fn_spec, flatten_fn_exact_match_spec=None):
    SUPPORTED_NODES[cls] = flatten_fn_spec
    SUPPORTED_NODES_EXACT_MATCH[cls] = flatten_fn_exact_match_spec


def _deregister_pytree_flatten_spec(cls):
    del SUPPORTED_NODES[cls]
    del SUPPORTED_NODES_EXACT_MATCH[cls]


def tree_flatten_spec(pytree, spec):
    if spec.is_leaf():
        return [pytree]
    from torch.fx import Proxy
    flatten = SUPPORTED_NODES.get(spec.type)
    if flatten is None and (isinstance(pytree, Proxy) or _fits(pytree, spec)):
        # PyTorch cannot trace again what it wrote of other classes; here generated code is opened.
        flatten = _by_key if issubclass(spec.type, dict) else _by_place
    if flatten is not None:
        leaves = []
        for child, child_spec in zip(flatten(pytree, spec), spec.children()):
            leaves += tree_flatten_spec(child, child_spec)
        return leaves
    leaves, found = tree_flatten(pytree)
    if spec != found:
        raise RuntimeError(f'Real spec {found} of object {pytree} is different from expected spec {spec}. Please file an issue at '
                           'https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml')
    return leaves


def _fits(pytree, spec):
    return type(pytree) is spec.type and hasattr(pytree, '__len__') and len(pytree) == spec.num_children


def _by_key(values, spec):
    return [values[key] for key in spec.context]


def _by_place(values, spec):
    return [values[at] for at in range(spec.num_children)]


def _has_all(values, spec):
    return len(values) == spec.num_children


register_pytree_flatten_spec(dict, _by_key, _has_all)
for _kind in (list, tuple, namedtuple):
    register_pytree_flatten_spec(_kind, _by_place, _has_all)
