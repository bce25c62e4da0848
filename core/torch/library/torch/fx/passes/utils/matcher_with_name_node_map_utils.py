# SPDX-License-Identifier: GPL-3.0-or-later
# SubgraphMatcher for a pattern that returns, beside its values, a dict of names for nodes of it.
from .matcher_utils import InternalMatch, SubgraphMatcher


def _split_to_graph_and_name_node_map(gm):
    output = gm.graph.output_node()
    *values, names = output.args[0]
    assert isinstance(names, dict), 'Expecting the input graph to have a dict output as the last element'
    output.args = (tuple(values),)
    gm.recompile()
    return gm, dict(names)


class SubgraphMatcherWithNameNodeMap(SubgraphMatcher):
    def __init__(self, pattern_gm, match_output=False, match_placeholder=False, remove_overlapping_matches=True,
                 ignore_literals=False):
        pattern_gm, self.name_node_map = _split_to_graph_and_name_node_map(pattern_gm)
        super().__init__(pattern_gm.graph, match_output, match_placeholder, remove_overlapping_matches, ignore_literals)

    def match(self, graph, node_name_match=''):
        matches = super().match(graph, node_name_match)
        for match in matches:
            match.name_node_map.update({name: match.nodes_map[node] for name, node in self.name_node_map.items()})
        return matches
