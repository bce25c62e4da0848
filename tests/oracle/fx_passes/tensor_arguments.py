# SPDX-License-Identifier: GPL-3.0-or-later
# Tensors that stand in arguments of nodes: each pass after the first is given the file that the one before has left.
# case: tensor_argument_seen Net() add_one+show
# case: tensor_argument_set_again Net() add_one+set_again
# case: tensor_argument_copied Net() add_one+copied
# case: tensor_argument_node_copied Net() add_one+copied_by_nodes
# case: tensor_argument_transformed Net() add_one+Plain
# case: tensor_argument_interpreted Net() add_one+Printing
# case: tensor_argument_of_another Net() add_one+add_two
# case: tensor_argument_of_several Net() add_one+add_two+add_one+show
# case: tensor_argument_replaced Net() add_list+other_list+show
# case: tensor_argument_removed Net() add_one+remove+add_two
# case: tensor_argument_parameter Net() add_parameter+show
# case: tensor_argument_attributes Net() add_one+attributes
# case: tensor_argument_moved Net() add_list+moved
# case: tensor_argument_pattern Net() add_one+pattern
# case: tensor_argument_below Net() add_below+show_below+add_one+show_below
# case: tensor_argument_deep_copy Net() add_one+deep

import copy

import torch
import torch.fx
import torch.nn as nn

INPUTS = (torch.tensor([1.0, -2.0]),)


class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x)


def put(gm, function, *more, **keywords):
    output = gm.graph.find_nodes(op="output")[0]
    with gm.graph.inserting_before(output):
        node = gm.graph.call_function(function, (output.args[0], *more), keywords)
    output.args = (node,)
    gm.recompile()


def show(gm):
    for node in gm.graph.nodes:
        print(node.name, node.args, node.kwargs, [type(a) for a in node.args])


def add_one(gm):
    put(gm, torch.add, torch.tensor([1.0, 1.00001]), alpha=2)


def add_two(gm):
    put(gm, torch.mul, torch.tensor([3.0, 4.0]))


def add_list(gm):
    output = gm.graph.find_nodes(op="output")[0]
    with gm.graph.inserting_before(output):
        node = gm.graph.call_function(torch.cat, ([output.args[0], torch.zeros(1), torch.full((1,), 5.0)],), {"dim": 0})
    output.args = (node,)
    gm.recompile()


def other_list(gm):
    node = gm.graph.find_nodes(op="call_function", target=torch.cat)[0]
    node.args = ([*node.args[0][:2], torch.ones(2)],)
    gm.recompile()


def add_parameter(gm):
    put(gm, torch.add, nn.Parameter(torch.tensor([0.5, 1.5]), requires_grad=False))


def set_again(gm):
    for node in gm.graph.nodes:
        node.args, node.kwargs = node.args, node.kwargs
    gm.recompile()


def copied(gm):
    graph = torch.fx.Graph()
    graph.output(graph.graph_copy(gm.graph, {}))
    return torch.fx.GraphModule(gm, graph)


def copied_by_nodes(gm):
    graph, env = torch.fx.Graph(), {}
    for node in gm.graph.nodes:
        env[node] = graph.node_copy(node, lambda n: env[n])
    return torch.fx.GraphModule(gm, graph)


class Plain(torch.fx.Transformer):
    def call_function(self, target, args, kwargs):
        if target is torch.add:
            print([tuple(a.shape) for a in args if isinstance(a, torch.Tensor)])
        return super().call_function(target, args, kwargs)


class Printing(torch.fx.Interpreter):
    def run_node(self, n):
        result = super().run_node(n)
        print(n.name, result, [type(a) for a in n.args])
        return result


def remove(gm):
    add = gm.graph.find_nodes(op="call_function", target=torch.add)[0]
    add.replace_all_uses_with(add.args[0])
    gm.graph.erase_node(add)
    gm.recompile()


def attributes(gm):
    print([name for name in vars(gm) if "tensor" in name], list(gm.state_dict()), [n.args for n in gm.graph.nodes if n.op == "get_attr"])


def moved(gm):
    cat = gm.graph.find_nodes(op="call_function", target=torch.cat)[0]
    tensor = cat.args[0][1]
    print(tensor, cat.args[0][1] is tensor)
    put(gm, torch.mul, tensor)


def pattern(gm):
    found = torch.fx.replace_pattern(gm, lambda x: torch.relu(x), lambda x: torch.sigmoid(x))
    print(len(found))


def add_below(gm):
    inner = torch.fx.symbolic_trace(Net())
    add_one(inner)
    gm.add_submodule("inner", inner)
    output = gm.graph.find_nodes(op="output")[0]
    with gm.graph.inserting_before(output):
        output.args = (gm.graph.call_module("inner", (output.args[0],)),)
    gm.recompile()


def show_below(gm):
    show(gm)
    show(gm.inner)
    add_two(gm.inner)


def deep(gm):
    other = copy.deepcopy(gm)
    a, b = (m.graph.find_nodes(op="call_function", target=torch.add)[0].args[1] for m in (gm, other))
    print(torch.equal(a, b))
    return other
