# SPDX-License-Identifier: GPL-3.0-or-later
# A subgraph as a module that shares what it needs of its parent, and whether two graphs are the same.
from torch.fx.graph_module import GraphModule
from torch.nn import Module

__all__ = ['HolderModule', 'lift_subgraph_as_module', 'compare_graphs']


class HolderModule(Module):
    """A module that does nothing but hold others by their names."""

    def __init__(self, d):
        super().__init__()
        for name, module in d.items():
            self.add_module(name, module)


def lift_subgraph_as_module(gm, subgraph, comp_name='', class_name='GraphModule'):
    holder = HolderModule({})
    mapping = {}
    for node in subgraph.nodes:
        if node.op not in ('call_module', 'get_attr'):
            continue
        target = node.target
        if not isinstance(target, str):
            raise AssertionError(f'Expected str target, got {type(target)}')
        *path, leaf = target.split('.')
        here, there = holder, gm
        for name in path:
            if not hasattr(here, name):
                here.add_module(name, HolderModule({}))
            here, there = getattr(here, name), getattr(there, name)
        value = getattr(there, leaf)
        mapping[target] = f'{comp_name}.{target}'
        setattr(here, leaf, value)
    return GraphModule(holder, subgraph, class_name), mapping


def compare_graphs(left, right):
    from torch.fx.passes.utils.matcher_utils import SubgraphMatcher

    matcher = SubgraphMatcher(left, match_output=True, match_placeholder=True)
    return len(matcher.match(right)) > 0
