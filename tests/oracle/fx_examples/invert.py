# SPDX-License-Identifier: GPL-3.0-or-later
# The inversion of a chain of functions, walked backwards through the graph, and that of a set of operations.
# case: invert_chain f invert
# case: invert_unknown g invert
# case: invert_operators h invert_operators

import operator

import torch
import torch.fx as fx

INPUTS = {"f": (torch.tensor([1.5, 2.5]),), "h": (torch.tensor([1.0, 2.0]),)}
invert_mapping = {}


def add_inverse(a, b):
    invert_mapping[a] = b
    invert_mapping[b] = a


inverses = [(torch.sin, torch.arcsin), (torch.cos, torch.arccos), (torch.tan, torch.arctan), (torch.exp, torch.log)]
for a, b in inverses:
    add_inverse(a, b)


def f(x):
    return torch.exp(torch.tan(torch.log(torch.exp(x))))


def g(x):
    return torch.exp(torch.sqrt(x))


def h(x):
    y = (x + 3) * 2.5
    return 1.5 - y / 4


def invert(model: torch.nn.Module) -> torch.nn.Module:
    fx_model = fx.symbolic_trace(model)
    new_graph = fx.Graph()
    env = {}
    for node in reversed(fx_model.graph.nodes):
        if node.op == "call_function":
            new_node = new_graph.call_function(invert_mapping[node.target], (env[node.name],))
            env[node.args[0].name] = new_node
        elif node.op == "output":
            new_node = new_graph.placeholder(node.name)
            env[node.args[0].name] = new_node
        elif node.op == "placeholder":
            new_graph.output(env[node.name])
        else:
            raise RuntimeError("Not implemented")
    new_graph.lint()
    return fx.GraphModule(fx_model, new_graph)


def invert_operators(gm):
    def undo(op, left, right, value):
        if op is operator.add:
            return operator.sub, (value, right)
        if op is operator.mul:
            return operator.truediv, (value, right)
        if op is operator.truediv:
            return operator.mul, (value, right)
        if op is operator.sub and not isinstance(left, fx.Node):
            return operator.sub, (left, value)
        raise KeyError(op)

    new_graph, env = fx.Graph(), {}
    for node in reversed(gm.graph.nodes):
        if node.op == "output":
            env[node.args[0]] = new_graph.placeholder("value")
        elif node.op == "placeholder":
            new_graph.output(env[node])
        else:
            target, args = undo(node.target, *node.args, env[node])
            env[next(iter(node.all_input_nodes))] = new_graph.call_function(target, args)
    inverted = fx.GraphModule({}, new_graph)
    x = torch.tensor([1.0, -4.0, 0.25])
    print(torch.allclose(inverted(gm(x)), x), inverted(gm(x)))
    return inverted
