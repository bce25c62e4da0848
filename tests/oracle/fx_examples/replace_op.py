# SPDX-License-Identifier: GPL-3.0-or-later
# Calls of one function become calls of another: by their target, through a tracer class that the caller chooses, or by patterns of names.
# case: add_to_mul_new_module M() transform_into_new
# case: add_to_mul_in_place M() transform
# case: add_to_mul_graph M() transform_graph
# case: add_to_mul_own_tracer nothing transform_with_tracer
# case: bitwise_and_for_add WithAdds() replace_adds
# case: method_to_function WithAdds() methods_to_functions

import operator

import torch
import torch.fx as fx
import torch.nn as nn

INPUTS = {"M()": (torch.ones(2, 3), torch.full((2, 3), 4.0)), "WithAdds()": (torch.tensor([1, 2, 7]), torch.tensor([3, 5, 6]))}


class M(nn.Module):
    def forward(self, x, y):
        return torch.add(x, y)


class WithAdds(nn.Module):
    def forward(self, x, y):
        return x + y, torch.add(x, y), x.add(y)


def nothing(x):
    return x


def transform_into_new(m: nn.Module, tracer_class: type = fx.Tracer) -> nn.Module:
    graph: fx.Graph = tracer_class().trace(m)
    for node in graph.nodes:
        if node.op == "call_function":
            if node.target == torch.add:
                node.target = torch.mul
    graph.lint()
    return fx.GraphModule(m, graph)


def transform(gm):
    for node in gm.graph.nodes:
        if node.op == "call_function" and node.target is torch.add:
            node.target = torch.mul
    gm.graph.lint()
    print(gm.code)
    gm.recompile()
    print(gm.code)
    print(gm(torch.tensor([2.0, 3.0]), torch.tensor([5.0, 7.0])))


def transform_graph(graph: fx.Graph):
    for node in graph.nodes:
        if node.target == torch.add:
            node.target = torch.mul
    return graph


class Loud(fx.Tracer):
    def create_node(self, kind, target, args, kwargs, name=None, type_expr=None):
        node = super().create_node(kind, target, args, kwargs, name, type_expr)
        print("recorded", kind, node.name)
        return node


def transform_with_tracer(gm):
    new = transform_into_new(M(), Loud)
    print(new.code)


def replace_adds(gm):
    patterns = {operator.add, torch.add, "add"}
    for n in gm.graph.nodes:
        if any(n.target == pattern for pattern in patterns):
            with gm.graph.inserting_after(n):
                new_node = gm.graph.call_function(torch.bitwise_and, n.args, n.kwargs)
                n.replace_all_uses_with(new_node)
            gm.graph.erase_node(n)
    gm.recompile()
    print(gm.code)


def methods_to_functions(gm):
    for n in list(gm.graph.nodes):
        if n.op == "call_method":
            n.op = "call_function"
            n.target = getattr(torch, n.target)
    gm.graph.lint()
    gm.recompile()
    return gm
