# SPDX-License-Identifier: GPL-3.0-or-later
# Nodes that become fewer: constants computed ahead, equal calls merged, dead code by hand, double operations, shapes made numbers.
# case: fold_constants folds fold_constants
# case: fold_parameters Net() fold_parameters
# case: merge_equal twice merge_equal
# case: merge_equal_counts twice merge_equal --report True
# case: dead_by_hand unused remove_unused
# case: cancel_pairs pairs cancel_pairs
# case: simplify_arithmetic arithmetic simplify
# case: freeze_shapes shaped freeze_shapes
# case: reassociate arithmetic add_chains
# case: remove_identity Net() remove_identities

import operator

import torch
import torch.fx
import torch.nn as nn
from torch.fx import Node

INPUTS = {"folds": (torch.ones(2),), "Net()": (torch.linspace(0, 1, 4).reshape(1, 4),), "twice": (torch.ones(2), torch.zeros(2)),
          "unused": (torch.ones(2),), "pairs": (torch.arange(6.0).reshape(2, 3),), "arithmetic": (torch.tensor([1.0, 2.0]),),
          "shaped": (torch.arange(6.0).reshape(2, 3),)}


def folds(x):
    n = x.new_zeros(2)
    scale = torch.mul(3, 4) if False else 12.0
    return x * scale + n


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.linspace(-1, 1, 8).reshape(4, 2))
        self.scale = nn.Parameter(torch.tensor([2.0]))
        self.same = nn.Identity()

    def forward(self, x):
        w = (self.weight * self.scale).t().contiguous()
        return self.same(torch.nn.functional.linear(self.same(x), w))


def twice(x, y):
    a = torch.sin(x) + torch.sin(x)
    b = torch.cat([x, y], dim=0) + torch.cat([x, y], dim=0)
    return a, b, torch.cat([x, y], dim=-1), x.add(1), x.add(1)


def unused(x):
    a = torch.exp(x)
    b = a + 1
    c = b * 2  # noqa: F841
    return torch.relu(x)


def pairs(x):
    y = x.t().t().neg().neg()
    z = torch.transpose(torch.transpose(y, 0, 1), 0, 1)
    return -(-z) + torch.log(torch.exp(x))


def arithmetic(x):
    y = ((x + 1) + 2) + 3
    return (y * 1 + 0) / 1 - 0 + x * 0 + (2 + (x * 1))


def shaped(x):
    b, n = x.shape[0], x.size(1)
    return x.reshape(b * n).view(n, b), x.shape, x.dim()


def fold_constants(gm):
    for node in list(gm.graph.nodes):
        if node.op == "call_method" and node.target == "new_zeros":
            name = f"_folded_{node.name}"
            gm.register_buffer(name, torch.zeros(*node.args[1:]))
            with gm.graph.inserting_before(node):
                node.replace_all_uses_with(gm.graph.get_attr(name))
            gm.graph.erase_node(node)
    gm.recompile()
    print(gm.code, gm._folded_new_zeros)


def fold_parameters(gm):
    known = {}
    for node in gm.graph.nodes:
        if node.op == "get_attr":
            known[node] = getattr(gm, node.target)
        elif node.op in ("call_function", "call_method") and all(n in known for n in node.all_input_nodes):
            args = torch.fx.map_arg(node.args, lambda n: known[n])
            kwargs = torch.fx.map_arg(node.kwargs, lambda n: known[n])
            function = getattr(torch.Tensor, node.target) if node.op == "call_method" else node.target
            known[node] = function(*args, **kwargs)
    for node, value in known.items():
        if any(user not in known for user in node.users):
            name = f"folded_{node.name}"
            setattr(gm, name, nn.Parameter(value.detach(), requires_grad=False))
            with gm.graph.inserting_before(node):
                node.replace_all_uses_with(gm.graph.get_attr(name))
    print(gm.graph.eliminate_dead_code(), [str(n) for n in known])
    gm.graph.lint()
    gm.recompile()


def merge_equal(graph: torch.fx.Graph, report=False):
    seen, merged = {}, 0

    def key_of(value):
        if isinstance(value, (tuple, list)):
            return tuple(key_of(item) for item in value)
        if isinstance(value, dict):
            return tuple(sorted((key, key_of(item)) for key, item in value.items()))
        return value

    for node in graph.nodes:
        if node.op not in ("call_function", "call_method"):
            continue
        key = (node.op, node.target, key_of(node.args), key_of(node.kwargs))
        if key in seen:
            node.replace_all_uses_with(seen[key])
            graph.erase_node(node)
            merged += 1
        else:
            seen[key] = node
    graph.lint()
    if report:
        print(merged, "merged", len(graph.nodes), "left", [str(node) for node in seen.values()])


def remove_unused(gm):
    for node in reversed(gm.graph.nodes):
        if not node.users and node.op not in ("placeholder", "output"):
            print("erased", node.format_node())
            gm.graph.erase_node(node)
    gm.recompile()


def cancel_pairs(gm):
    inverse = {torch.log: torch.exp, operator.neg: operator.neg, "neg": "neg", "t": "t", torch.transpose: torch.transpose}
    changed = True
    while changed:
        changed = False
        for node in gm.graph.nodes:
            inner = node.args[0] if node.args and isinstance(node.args[0], Node) else None
            if node.target in inverse and inner is not None and inner.target == inverse[node.target] and inner.args[1:] == node.args[1:]:
                node.replace_all_uses_with(inner.args[0])
                gm.graph.erase_node(node)
                if not inner.users:
                    gm.graph.erase_node(inner)
                print("cancelled", node.name, inner.name)
                changed = True
                break
    gm.recompile()


def simplify(gm):
    neutral = {operator.add: 0, operator.sub: 0, operator.mul: 1, operator.truediv: 1}
    for node in gm.graph.nodes:
        if node.op == "call_function" and node.target in neutral and len(node.args) == 2:
            left, right = node.args
            if not isinstance(right, Node) and right == neutral[node.target]:
                node.replace_all_uses_with(left)
                gm.graph.erase_node(node)
            elif not isinstance(left, Node) and node.target in (operator.add, operator.mul):
                node.args = (right, left)
    gm.graph.lint()
    gm.recompile()
    print(gm.code)


def freeze_shapes(gm, rows=2, columns=3):
    sizes = {0: rows, 1: columns}
    known = {}
    for node in list(gm.graph.nodes):
        if node.target is getattr and node.args[1:] == ("shape",):
            known[node] = (rows, columns)
        elif node.target is operator.getitem and node.args[0] in known:
            known[node] = known[node.args[0]][node.args[1]]
        elif node.target == "size":
            known[node] = sizes[node.args[1]]
        elif node.target is operator.mul and all(a in known for a in node.args):
            known[node] = known[node.args[0]] * known[node.args[1]]
        elif node.target == "dim":
            known[node] = 2
        node.args = torch.fx.map_arg(node.args, lambda n: known.get(n, n))
    gm.graph.eliminate_dead_code()
    gm.recompile()
    print({str(n): v for n, v in known.items()}, gm.code)


def add_chains(gm):
    for node in gm.graph.nodes:
        if node.target is operator.add and isinstance(node.args[0], Node) and node.args[0].target is operator.add:
            inner = node.args[0]
            if isinstance(inner.args[1], int) and isinstance(node.args[1], int):
                node.args = (inner.args[0], inner.args[1] + node.args[1])
    print(gm.graph.eliminate_dead_code(), [n.args for n in gm.graph.find_nodes(op="call_function", target=operator.add)])
    gm.recompile()


def remove_identities(gm):
    for node in gm.graph.find_nodes(op="call_module", target="same"):
        node.replace_all_uses_with(node.args[0])
        gm.graph.erase_node(node)
    del gm.same
    gm.recompile()
    print(gm, hasattr(gm, "same"))
