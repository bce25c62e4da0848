# SPDX-License-Identifier: GPL-3.0-or-later
# A relu after a node: with inserting_after and replace_all_uses_with. Without a filter the new node would read itself.
# case: append_relu_everywhere f append_relu --after sin
# case: append_relu_last f append_relu --after add
# case: append_relu_reads_itself f append_carelessly --after sin
# case: append_relu_fixed_afterwards f append_then_fix --after sin
# case: insertion_point f insertion_points
# case: permanent_insertion_point f permanent

import torch
import torch.fx

INPUTS = (torch.tensor([-2.0, 0.5, 3.0]),)


def f(x):
    y = torch.sin(x)
    return y * 2 + y


def append_relu(traced, after="sin"):
    for node in traced.graph.nodes:
        if node.name == after:
            with traced.graph.inserting_after(node):
                new_node = traced.graph.call_function(torch.relu, args=(node,))
            changed = node.replace_all_uses_with(new_node, lambda user: user is not new_node)
            print(changed, new_node.args, list(node.users))
    traced.graph.lint()
    traced.recompile()


def append_carelessly(traced, after="sin"):
    node = next(n for n in traced.graph.nodes if n.name == after)
    with traced.graph.inserting_after(node):
        new_node = traced.graph.call_function(torch.relu, args=(node,))
        node.replace_all_uses_with(new_node)
    print(new_node.args, list(new_node.users), list(node.users))
    traced.graph.lint()


def append_then_fix(traced, after="sin"):
    node = next(n for n in traced.graph.nodes if n.name == after)
    with traced.graph.inserting_after(node):
        new_node = traced.graph.call_function(torch.relu, args=(node,))
    node.replace_all_uses_with(new_node)
    new_node.args = (node,)
    traced.graph.lint()


def insertion_points(gm):
    g = gm.graph
    nodes = {n.name: n for n in g.nodes}
    with g.inserting_before(nodes["mul"]):
        first = g.call_function(torch.neg, (nodes["sin"],))
        second = g.call_method("abs", (first,))
    with g.inserting_after(nodes["x"]):
        third = g.call_function(torch.cos, (nodes["x"],))
        with g.inserting_before(third):
            g.call_function(torch.tan, (nodes["x"],))
    with g.inserting_before():
        g.placeholder("early")
    last = g.call_function(print, (second,))
    print(g)
    g.erase_node(last)
    g.lint()


def permanent(gm):
    g = gm.graph
    sin = list(g.nodes)[1]
    g.inserting_after(sin)
    g.call_function(torch.exp, (sin,))
    g.call_function(torch.log, (sin,))
    g.inserting_before(g.output_node())
    g.call_function(torch.sqrt, (sin,))
    print(g)
