# SPDX-License-Identifier: GPL-3.0-or-later
# Copies of graphs and modules, nodes as keys, classes made of graphs, and graphs that hold graphs.
# case: deep_copy_module Net() deep_copy
# case: deep_copy_graph Net() deep_copy_graph
# case: shallow_copy Net() shallow_copy
# case: copied_twice Net() twice
# case: nodes_as_keys Net() nodes_as_keys
# case: new_class Net() new_class
# case: chain_of_modules Net() chain
# case: unrolled Net() unroll --times 3
# case: swap_graph Net() swap_graph
# case: retrace Net() retrace
# case: moved_parameters Net() move_parameters
# case: buffers_updated Net() update_buffers
# case: branches_merged Net() side_by_side

import copy

import torch
import torch.fx
import torch.nn as nn
from torch.fx import Graph, GraphModule, Node

INPUTS = (torch.tensor([[1.0, -2.0]]),)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.bias = nn.Parameter(torch.tensor([0.5, -0.5]))
        self.register_buffer("count", torch.ones(1))
        self.config = {"depth": 2}

    def forward(self, x):
        return torch.relu(self.fc(x)) * self.count + self.bias


def deep_copy(gm):
    other = copy.deepcopy(gm)
    with torch.no_grad():
        other.fc.weight.zero_()
    other.graph.find_nodes(op="call_function", target=torch.relu)[0].target = torch.tanh
    other.recompile()
    print(type(other).__name__, other.graph is gm.graph, other.fc is gm.fc, gm.fc.weight.abs().sum() > 0, gm.code == other.code)
    print(other(INPUTS[0]), other.code)
    return other


def deep_copy_graph(gm):
    memo = copy.deepcopy(gm.graph)
    print(str(memo) == str(gm.graph), [a is b for a, b in zip(memo.nodes, gm.graph.nodes)].count(True), memo.owning_module)
    for node in memo.nodes:
        node.meta["copied"] = True
    memo.call_function(torch.relu, ())
    print(len(memo.nodes), len(gm.graph.nodes), any("copied" in n.meta for n in gm.graph.nodes))
    memo.erase_node(list(memo.nodes)[-1])
    new = GraphModule(gm, memo)
    print(new.graph is memo, new.graph.owning_module is new)
    return new


def shallow_copy(gm):
    other = copy.copy(gm)
    print(type(other).__name__, other is gm, other.graph is gm.graph, other.fc is gm.fc, other.code == gm.code)
    other.graph.find_nodes(op="call_function", target=torch.relu)[0].target = torch.sigmoid
    other.recompile()
    print(gm.code == other.code, torch.equal(gm(INPUTS[0]), other(INPUTS[0])))


def twice(gm):
    first = GraphModule(gm, gm.graph)
    second = GraphModule(gm, gm.graph)
    print(first.graph is second.graph, first.graph is gm.graph, gm.graph.owning_module, first.fc is second.fc)
    second.graph.output_node().args = (list(gm.graph.nodes)[1],)
    second.graph.eliminate_dead_code()
    print(first.graph.owning_module is first, len(gm.graph.nodes), len(second.graph.nodes))
    return second


def nodes_as_keys(gm):
    order = {node: index for index, node in enumerate(gm.graph.nodes)}
    print({str(node): order[node] for node in sorted(order, reverse=True)})
    first, second, *_ = gm.graph.nodes
    print(first == second, first < second, first in {first}, first in [second], isinstance(first, Node), str(first), repr(second), f"{first!s:>5}")
    print([n.name for n in set(gm.graph.nodes) & {first}], hash(first) == hash(first), {first, first, second} == {second, first})
    first.extra = 3
    print(first.extra, getattr(second, "extra", None), vars(first)["extra"] if "extra" in getattr(first, "__dict__", {}) else "")
    second.nothing


def new_class(gm):
    class Scaled(GraphModule):
        def __init__(self, root, graph, factor):
            super().__init__(root, graph, "Scaled")
            self.factor = factor

        def scaled(self, x):
            return self(x) * self.factor

    made = Scaled(gm, gm.graph, 3)
    print(type(made).__name__, isinstance(made, Scaled), isinstance(made, GraphModule), made.scaled(INPUTS[0]), made.factor)
    return made


def chain(gm):
    graph = Graph()
    value = graph.placeholder("x")
    root = nn.Module()
    for index in range(2):
        root.add_module(f"part{index}", copy.deepcopy(gm))
        value = graph.call_module(f"part{index}", (value,))
    graph.output(value)
    chained = GraphModule(root, graph, "Chain")
    print(chained, chained(INPUTS[0]))
    flat = torch.fx.symbolic_trace(chained)
    print([n for n, _ in flat.named_parameters()])
    return flat


def unroll(gm, times=2):
    new = Graph()
    x = new.placeholder("x")
    source = gm.graph.find_nodes(op="placeholder")[0]
    value = x
    for _ in range(times):
        value = new.graph_copy(gm.graph, {source: value})
    new.output(value)
    new.lint()
    print(len(new.nodes), [n.name for n in new.nodes])
    return new


def swap_graph(gm):
    simple = torch.fx.symbolic_trace(lambda x: x * 2 + 1)
    print(gm(INPUTS[0]).shape)
    gm.graph = simple.graph
    print(gm.code, gm(INPUTS[0]), simple.graph is gm.graph, gm.graph.owning_module is gm)


def retrace(gm):
    before = str(gm.graph)
    again = torch.fx.symbolic_trace(gm)
    print(str(again.graph) == before, type(again).__name__, again.fc is gm.fc, again.code == gm.code, sorted(again.state_dict()))
    return again


def move_parameters(gm):
    values = {}
    for node in gm.graph.find_nodes(op="get_attr"):
        values[node.target.replace(".", "_")] = getattr(gm, node.target)
        delattr(gm, node.target)
        node.target = f"weights.{node.target}"
    gm.weights = nn.ParameterDict({name: nn.Parameter(value.detach().clone()) for name, value in values.items()})
    try:
        gm.graph.lint()
    except Exception as error:
        print(type(error).__name__, error)
    gm.recompile()
    print(gm.code, [(n, tuple(p.shape)) for n, p in gm.named_parameters()])
    return gm


def update_buffers(gm):
    gm.count += 2
    gm.register_buffer("extra", torch.arange(2.0), persistent=False)
    count = gm.graph.find_nodes(op="get_attr", target="count")[0]
    with gm.graph.inserting_after(count):
        extra = gm.graph.create_node("get_attr", "extra")
    for user in list(count.users):
        user.replace_input_with(count, extra)
    gm.graph.eliminate_dead_code()
    gm.recompile()
    print(gm.code, gm.count, sorted(gm.state_dict()), [n for n, _ in gm.named_buffers()])


def side_by_side(gm):
    new, root = Graph(), nn.Module()
    x = new.placeholder("x")
    results = []
    for name in ("left", "right"):
        setattr(root, name, copy.deepcopy(gm))
        env = {}
        for node in gm.graph.nodes:
            if node.op == "placeholder":
                env[node] = x
            elif node.op == "output":
                results.append(env[node.args[0]])
            else:
                env[node] = new.node_copy(node, lambda n, env=env: env[n])
                if node.op in ("get_attr", "call_module"):
                    env[node].target = f"{name}.{node.target}"
    new.output(new.call_function(torch.stack, (results,), {"dim": 0}))
    new.lint()
    return GraphModule(root, new, "SideBySide")
