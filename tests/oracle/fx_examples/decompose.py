# SPDX-License-Identifier: GPL-3.0-or-later
# Decomposition by retracing: a function's own Python text runs on proxies that append to the new graph.
# case: decompose_relu with_relu decompose
# case: decompose_binary with_gap decompose_many
# case: decompose_in_place with_relu decompose_in_place
# case: without_common_tracer with_gap decompose_without_tracer
# case: proxy_of_two_graphs with_relu two_graphs
# case: rule_fails with_relu failing_rule

import torch
import torch.fx as fx
import torch.nn.functional as F
from torch.fx.proxy import GraphAppendingTracer

INPUTS = {"with_relu": (torch.tensor([-1.0, 3.0]),), "with_gap": (torch.tensor([1.0, 3.0]), torch.tensor([2.0, 9.0]))}


def with_relu(x):
    y = F.relu(x) + F.relu(x * 2, inplace=True).tanh()
    return y - 1


def with_gap(x, y):
    return F.mse_loss(x, y), torch.lerp(x, y, 0.25), F.relu(x - y)


def relu_decomposition(x):
    return (x > 0) * x


def mse_decomposition(input, target):
    difference = input - target
    return (difference * difference).mean()


def lerp_decomposition(start, end, weight):
    if weight == 0:
        return start
    return start + weight * (end - start)


decomposition_rules = {}
decomposition_rules[F.relu] = relu_decomposition


def decompose_with(model, rules, tracer_for):
    graph: fx.Graph = fx.Tracer().trace(model)
    new_graph = fx.Graph()
    env = {}
    for node in graph.nodes:
        if node.op == "call_function" and node.target in rules:
            tracer = tracer_for(new_graph)
            proxy_args = [fx.Proxy(env[x.name], tracer) if isinstance(x, fx.Node) else x for x in node.args]
            output_proxy = rules[node.target](*proxy_args)
            new_node = output_proxy.node
            env[node.name] = new_node
        else:
            new_node = new_graph.node_copy(node, lambda x: env[x.name])
            env[node.name] = new_node
    return fx.GraphModule(model, new_graph)


def decompose(model: torch.nn.Module):
    new = decompose_with(model, decomposition_rules, GraphAppendingTracer)
    print(new.code)
    return new


def decompose_many(model):
    rules = {F.relu: relu_decomposition, F.mse_loss: mse_decomposition, torch.lerp: lerp_decomposition}
    return decompose_with(model, rules, GraphAppendingTracer)


def decompose_without_tracer(model):
    rules = {F.relu: relu_decomposition, F.mse_loss: mse_decomposition}
    return decompose_with(model, rules, lambda graph: None)


def decompose_in_place(gm):
    tracer = GraphAppendingTracer(gm.graph)
    for node in gm.graph.find_nodes(op="call_function", target=F.relu):
        with gm.graph.inserting_before(node):
            result = relu_decomposition(fx.Proxy(node.args[0], tracer))
        print(result, result.node, type(result).__name__)
        node.replace_all_uses_with(result.node)
        gm.graph.erase_node(node)
    gm.graph.lint()
    gm.recompile()


def two_graphs(gm):
    other = fx.Graph()
    mine, theirs = fx.Proxy(next(iter(gm.graph.nodes))), fx.Proxy(other.placeholder("y"), GraphAppendingTracer(other))
    print((mine * 2).node.graph is gm.graph, (theirs * 2).node.graph is other)
    print(mine + theirs)
    gm.graph.lint()


def failing_rule(gm):
    def rule(x):
        raise NotImplementedError(f"no rule for {x.node.name}")

    decompose_with(gm, {F.relu: rule}, GraphAppendingTracer)
