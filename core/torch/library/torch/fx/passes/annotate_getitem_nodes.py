# SPDX-License-Identifier: GPL-3.0-or-later
# Types of the items that a graph takes out of sequences whose type it knows.
import operator
import typing
import torch


def _of_tuple(items, index):
    if len(items) == 2 and items[1] is Ellipsis:
        return items[0]
    if index >= len(items):
        raise AssertionError(f'Index {index} out of range for parameterized_types (len={len(items)})')
    return items[index]


def _of_list(items):
    if len(items) != 1:
        raise AssertionError(f'Expected 1 parameterized type, got {len(items)}')
    return items[0]


def annotate_getitem_nodes(graph):
    for node in graph.nodes:
        if node.target is not operator.getitem:
            continue
        sequence, index = node.args
        known = sequence.type
        if not known:
            continue
        # typing's Tuple and List say their name; tuple[...] and list[...] what they come from.
        kind = None
        if hasattr(known, '_name'):
            kind = {'Tuple': tuple, 'List': list}.get(known._name)
        elif hasattr(known, '__origin__'):
            kind = known.__origin__
        elif hasattr(known, '__annotations__') and known != torch.Tensor:
            node.type = known.__annotations__[known._fields[index]]
        if kind is tuple:
            node.type = _of_tuple(typing.get_args(known), index)
        elif kind is list:
            node.type = _of_list(typing.get_args(known))
