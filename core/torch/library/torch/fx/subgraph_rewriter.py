# SPDX-License-Identifier: GPL-3.0-or-later
# replace_pattern: matching and replacing are core/rewrite's; here is what becomes of modules and tensors.
import copy
import typing
from dataclasses import dataclass

import torch

from ._symbolic_trace import symbolic_trace
from .graph import Graph
from .graph_module import GraphModule
from .node import Node


class Match(typing.NamedTuple):
    anchor: Node
    nodes_map: dict


@dataclass
class ReplacedPatterns:
    anchor: Node
    nodes_map: dict
    replacements: list


def _graph_of(source):
    if isinstance(source, GraphModule):
        return source.graph
    return source if isinstance(source, Graph) else symbolic_trace(source).graph


def _attribute(module, target):
    path, _, name = target.rpartition('.')
    try:
        return getattr(module.get_submodule(path), name, None)
    except AttributeError:
        return None


def _replace_attributes(gm, replacement):
    gm.delete_all_unused_submodules()
    if isinstance(replacement, GraphModule):
        replacement.graph.lint()
    for node in gm.graph.nodes:
        if node.op not in ('call_module', 'get_attr') or _attribute(gm, node.target) is not None:
            continue
        found = _attribute(replacement, node.target)
        if found is None:
            raise RuntimeError('Attempted to create a "', node.op, '" node during subgraph rewriting '
                               f'with target {node.target}, but the referenced attribute does not exist in the '
                               'replacement GraphModule')
        if isinstance(found, torch.nn.Module):
            gm.add_submodule(node.target, copy.deepcopy(found))
        else:
            setattr(gm, node.target, copy.deepcopy(found))
    gm.graph.lint()


def replace_pattern(gm, pattern, replacement):
    return [Match(anchor=done.anchor, nodes_map=done.nodes_map) for done in _replace_pattern(gm, pattern, replacement)]


def replace_pattern_with_filters(gm, pattern, replacement=None, match_filters=None, ignore_literals=False,
                                 replacement_callback=None, node_name_match=''):
    return _replace_pattern(gm, pattern, replacement, match_filters, ignore_literals, replacement_callback, node_name_match)


def _replace_pattern(gm, pattern, replacement=None, match_filters=None, ignore_literals=False, replacement_callback=None,
                     node_name_match=''):
    from . import _rewriting
    from .passes.utils.matcher_utils import _internal_match
    graph, pattern_graph = gm.graph, _graph_of(pattern)

    def asked(function):
        return lambda found: function(_internal_match(found), graph, pattern_graph)

    assert replacement is not None or replacement_callback is not None, \
        'Must provide either a replacement GraphModule or a replacement callback'
    done = _rewriting.replace(graph, pattern_graph, None if replacement is None else _graph_of(replacement),
                              [asked(match_filter) for match_filter in match_filters or ()], ignore_literals,
                              asked(replacement_callback) if replacement_callback is not None else None, node_name_match)
    gm.recompile()
    if isinstance(replacement, torch.nn.Module):
        _replace_attributes(gm, replacement)
    return [ReplacedPatterns(*one) for one in done]
