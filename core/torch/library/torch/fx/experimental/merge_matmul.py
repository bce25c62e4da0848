# SPDX-License-Identifier: GPL-3.0-or-later
# merge_matmul: products with the same right side become one product of the left sides, one below the other.
import itertools
import operator
import torch
from torch.fx._symbolic_trace import symbolic_trace
from torch.fx.node import Node
from torch.fx.passes.tools_common import legalize_graph


def split_result_tensors(result, inputs):
    # While this is traced the sizes are not known.
    rows = [0] * len(inputs) if isinstance(result, torch.fx.Proxy) else [x.shape[0] for x in inputs]
    return torch.split(result, rows)


def may_depend_on(a, b, search_depth=6):
    if a == b:
        return True
    if not a.all_input_nodes:
        return False
    # Where the search ends, it may.
    return search_depth == 0 or any(may_depend_on(source, b, search_depth - 1) for source in a.all_input_nodes)


def are_nodes_independent(nodes):
    return not any(may_depend_on(i, j) or may_depend_on(j, i) for i, j in itertools.combinations(nodes, 2))


def merge_matmul(in_mod):
    gm = symbolic_trace(in_mod)
    graph = gm.graph

    # The products, by what is their right side; a parameter goes by its name.
    by_right = {}
    for node in graph.nodes:
        if node.op == 'call_function' and node.target is torch.matmul:
            _, right = node.args
            by_right.setdefault(right.target if right.op == 'get_attr' else right, []).append(node)

    for right, products in by_right.items():
        if len(products) < 2 or not are_nodes_independent(products):
            continue
        lefts = [product.args[0] for product in products]
        if isinstance(right, str):
            right = graph.get_attr(right)
        merged = graph.call_function(torch.matmul, (graph.call_function(torch.cat, (lefts,), {}), right), {})
        parts = graph.call_function(split_result_tensors, (merged, lefts), {})
        items = [graph.call_function(operator.getitem, (parts, place), {}) for place in range(len(lefts))]
        for product, item in zip(products, items):
            product.replace_all_uses_with(item)
            graph.erase_node(product)
        # All of this stands behind the output so far.
        legalize_graph(gm)
        graph = gm.graph

    gm.recompile()
    gm.graph.lint()
    return gm
