# SPDX-License-Identifier: GPL-3.0-or-later
# SubgraphMatcher: the search is core/rewrite's.
from dataclasses import dataclass, field


@dataclass
class InternalMatch:
    anchors: list
    nodes_map: dict = field(default_factory=dict)
    placeholder_nodes: list = field(default_factory=list)
    returning_nodes: list = field(default_factory=list)
    name_node_map: dict = field(default_factory=dict)

    def __copy__(self):
        return InternalMatch(self.anchors, dict(self.nodes_map), list(self.placeholder_nodes), list(self.returning_nodes))


def _internal_match(found):
    anchor, nodes, placeholders, returned = found
    return InternalMatch([anchor], nodes, placeholders, returned)


class SubgraphMatcher:
    def __init__(self, pattern, match_output=False, match_placeholder=False, remove_overlapping_matches=True,
                 ignore_literals=False):
        self.pattern = pattern
        self.match_output = match_output
        self.match_placeholder = match_placeholder
        self.remove_overlapping_matches = remove_overlapping_matches
        self.ignore_literals = ignore_literals
        if len(pattern.nodes) == 0:
            raise ValueError('SubgraphMatcher cannot be initialized with an empty pattern')
        for node in pattern.nodes:
            assert node.op == 'output' or node.is_impure() or node.users, \
                'SubgraphMatcher cannot be initialized with an pattern with dead code'
        output = pattern.output_node()
        self.pattern_placeholder_nodes = [node for node in pattern.nodes if node.op == 'placeholder']
        self.pattern_returning_nodes = output.all_input_nodes
        self.pattern_anchors = [output] if match_output else [node for node in output.all_input_nodes if len(node.users) == 1]

    def match(self, graph, node_name_match=''):
        from torch.fx import _rewriting
        found = _rewriting.match(self.pattern, graph, self.match_output, self.match_placeholder,
                                 self.remove_overlapping_matches, self.ignore_literals, node_name_match)
        matches = [_internal_match(one) for one in found]
        for match in matches:
            match.anchors = self.pattern_anchors
        return matches
