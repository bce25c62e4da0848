# SPDX-License-Identifier: GPL-3.0-or-later
# annotate: the type of a traced value, noted at its node. Other values are given back as they are.
from torch.fx.proxy import Proxy

__all__ = ['annotate']


def annotate(val, type):
    if not isinstance(val, Proxy):
        return val
    known = val.node.type
    if known:
        raise RuntimeError('Tried to annotate a value that already had a type on it!'
                           f' Existing type is {known} and new type is {type}. '
                           'This could happen if you tried to annotate a function parameter value (in which case you '
                           'should use the type slot on the function signature) or you called annotate on the same '
                           'value twice')
    val.node.type = type
    return val
