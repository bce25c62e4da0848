# SPDX-License-Identifier: GPL-3.0-or-later
# replace_pattern: the example of its documentation, the first example of the examples repository, and what it returns.
# case: rewrite_documentation M() rewrite
# case: rewrite_matches M() rewrite_and_show
# case: rewrite_basic_use Cats() basic_use
# case: rewrite_unused_input AddsNegAndRelu() rewrite_unused
# case: rewrite_modules WithModules() rewrite_modules
# case: rewrite_nothing M() rewrite_nothing
# case: rewrite_with_filters M() rewrite_filtered
# case: rewrite_traced_pattern M() rewrite_traced

import operator

import torch
import torch.fx
from torch.fx import replace_pattern, subgraph_rewriter, symbolic_trace

INPUTS = {
    "M()": (torch.ones(2, 2), torch.full((2, 2), 2.0), torch.full((2, 2), 3.0)),
    "Cats()": (torch.ones(3), torch.zeros(3), torch.ones(2)),
    "AddsNegAndRelu()": (torch.ones(3), torch.full((3,), -2.0)),
    "WithModules()": (torch.ones(1, 2),),
}


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x, w1, w2):
        m1 = torch.cat([w1, w2]).sum()
        m2 = torch.cat([w1, w2]).sum()
        return x + torch.max(m1) + torch.max(m2)


class Cats(torch.nn.Module):
    def forward(self, x, w1, w2):
        val1 = torch.neg(w1)
        m1 = torch.cat([val1, w2]).sum()
        val2 = torch.neg(w1)
        m2 = torch.cat([val2, w2]).sum()
        return x + torch.max(m1) + torch.max(m2)


class AddsNegAndRelu(torch.nn.Module):
    def forward(self, a, b):
        return (torch.neg(a) + torch.relu(b)).abs()


class WithModules(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(2, 2)
        self.other = torch.nn.Linear(2, 2)

    def forward(self, x):
        return torch.relu(self.other(torch.relu(self.linear(x))))


def rewrite(traced_module):
    def pattern(w1, w2):
        return torch.cat([w1, w2]).sum()

    def replacement(w1, w2):
        return torch.stack([w1, w2])

    subgraph_rewriter.replace_pattern(traced_module, pattern, replacement)
    print(traced_module.code)


def rewrite_and_show(traced_module):
    def pattern(w1, w2):
        return torch.cat([w1, w2]).sum()

    def replacement(w1, w2):
        return torch.stack([w1, w2]).sum()

    matches = replace_pattern(traced_module, pattern, replacement)
    print(type(matches).__name__, len(matches), type(matches[0]).__name__, matches[0]._fields)
    for match in matches:
        print(match.anchor, {str(key): str(value) for key, value in match.nodes_map.items()})


def basic_use(traced):
    def pattern(a1, a2):
        val1 = torch.neg(a1)
        return torch.cat([val1, a2]).sum()

    def replacement(w1, w2):
        return torch.cat([w1, w2])

    replace_pattern(traced, pattern, replacement)
    traced.graph.lint()


def rewrite_unused(gm):
    def pattern(x, y):
        return torch.neg(x) + torch.relu(y)

    def replacement(x, y):
        return torch.relu(x)

    replace_pattern(gm, pattern, replacement)


def rewrite_modules(gm):
    class Pattern(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(2, 2)

        def forward(self, x):
            return torch.relu(self.linear(x))

    def replacement(x):
        return torch.sigmoid(x)

    print(len(replace_pattern(gm, Pattern(), replacement)))


def rewrite_nothing(gm):
    before = str(gm.graph)
    print(replace_pattern(gm, lambda x: torch.tanh(x), lambda x: torch.exp(x)), str(gm.graph) == before)


def rewrite_filtered(gm):
    def only_last(match, original_graph, pattern_graph):
        print([str(node) for node in match.placeholder_nodes], [str(node) for node in match.returning_nodes])
        return match.returning_nodes[0].name == "add_1"

    replaced = subgraph_rewriter.replace_pattern_with_filters(gm, lambda x, y: x + y, lambda x, y: x * y, [only_last])
    print([[str(node) for node in each.replacements] for each in replaced])


def rewrite_traced(gm):
    pattern = symbolic_trace(lambda x, y: operator.add(x, torch.max(y)))
    replacement = symbolic_trace(lambda x, y: torch.maximum(x, y))
    for match in replace_pattern(gm, pattern, replacement):
        print(match.anchor.name)
