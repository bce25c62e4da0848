# SPDX-License-Identifier: GPL-3.0-or-later
# The figures of the paper: capture and print, replace one activation by another, trace the result again inside of a module.
# case: figure_1_nodes my_func show_nodes
# case: figure_2_gelu my_func relu_to_gelu
# case: figure_2_by_option Several() replace_by_name --old relu --new silu
# case: figure_2_none_there Several() replace_by_name --old tanh --new silu
# case: figure_2_target my_func relu_to_gelu_target
# case: figure_3_nested my_func nested
# case: figure_4_loop nothing loop_shapes_for

import math

import torch
import torch.nn.functional as F
from torch.fx import Graph, GraphModule, symbolic_trace

INPUTS = {"my_func": (torch.tensor([[-1.0, 2.0]]),), "Several()": (torch.tensor([-1.0, 0.0, 2.0]),)}


def my_func(x):
    return torch.relu(x).neg()


def nothing(x):
    return x


class Several(torch.nn.Module):
    def forward(self, x):
        x = F.relu(x + 1)
        y = F.relu(x - 1, inplace=False)
        return F.relu(x + y)


def show_nodes(traced):
    for n in traced.graph.nodes:
        print(f"{n.name} = {n.op} target={n.target} args={n.args}")
    print(traced.code)


def replace_activation(g: Graph, old, new):
    for n in g.nodes:
        if n.op == "call_function" and n.target == old:
            with g.inserting_after(n):
                new_n = g.call_function(new, n.args)
                n.replace_all_uses_with(new_n)
                g.erase_node(n)


def relu_to_gelu(traced: GraphModule):
    replace_activation(traced.graph, torch.relu, torch.nn.functional.gelu)
    traced.recompile()
    print(traced.code)


def replace_by_name(traced, old="relu", new="gelu"):
    before = len(traced.graph.nodes)
    replace_activation(traced.graph, getattr(F, old), getattr(F, new))
    print(before, len(traced.graph.nodes))
    traced.recompile()


def relu_to_gelu_target(traced):
    for n in traced.graph.find_nodes(op="call_function", target=torch.relu):
        n.target = F.gelu
    traced.recompile()


class SampleModule(torch.nn.Module):
    def forward(self, x):
        return self.act(x + math.pi)


def nested(traced):
    replace_activation(traced.graph, torch.relu, F.gelu)
    traced.recompile()
    sm = SampleModule()
    sm.act = traced
    again: GraphModule = symbolic_trace(sm)
    print(again.code)
    return again


def loop_shapes(x, itr):
    for _ in range(itr):
        x = torch.cat((x, x), dim=0)
    return x


def loop_shapes_for(gm):
    for count in (0, 2):
        unrolled = symbolic_trace(loop_shapes, concrete_args={"itr": count})
        print(unrolled.graph)
        print(unrolled(torch.ones(1, 3), count).shape)
    symbolic_trace(loop_shapes)
