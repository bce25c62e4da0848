# SPDX-License-Identifier: GPL-3.0-or-later
# The methods of Graph, Node and GraphModule that the reference lists, each called at least once.
# case: edit_dead_code WithUnused() dead_code
# case: edit_erase_used WithUnused() erase_used
# case: edit_erase_twice WithUnused() erase_twice
# case: edit_node_copy f node_copy
# case: edit_node_copy_broken f node_copy_broken
# case: edit_graph_copy f graph_copy
# case: edit_graph_copy_mapped f graph_copy_mapped
# case: edit_submodules Net() submodules
# case: edit_unused_submodules Net() unused_submodules
# case: edit_move_nodes f move_nodes
# case: edit_move_too_far f move_nodes --broken True
# case: edit_move_foreign f move_foreign
# case: edit_arguments f arguments
# case: edit_neighbours f neighbours
# case: edit_formats f formats
# case: edit_normalized Net() normalized
# case: edit_impure WithUnused() impure
# case: edit_set_graph f set_graph
# case: edit_replace_uses f replace_uses
# case: edit_insert_bad f insert_bad

import copy
import operator

import torch
import torch.fx
import torch.nn as nn
from torch.fx import Graph, GraphModule

INPUTS = {"f": (torch.tensor([1.0, -2.0]), torch.tensor([0.5, 4.0])), "Net()": (torch.ones(1, 2),)}


class WithUnused(nn.Module):
    def __init__(self):
        super().__init__()
        self.attr_1 = nn.Parameter(torch.ones(2))
        self.bn = nn.BatchNorm1d(2)

    def forward(self, x, unused=None):
        a = x + 1
        b = a * 2
        self.bn(x)
        torch.rand(2)
        x.sum()
        x.add_(1)
        return x + self.attr_1


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2)
        self.b = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.Tanh()))
        self.c = nn.Linear(2, 2)

    def forward(self, x):
        return torch.nn.functional.softmax(self.b(self.a(x)), -1) + torch.add(x, 1, alpha=2)


def f(x, y):
    z = torch.add(x, y, alpha=2)
    w = z.relu()
    return {"w": w, "pair": (z - w, [x, 1])}


def dead_code(gm):
    print(gm.graph.eliminate_dead_code())
    gm.graph.lint()
    gm.recompile()
    print(gm.code, gm.graph.eliminate_dead_code())


def erase_used(gm):
    gm.graph.erase_node(gm.graph.find_nodes(op="call_function", target=operator.add)[0])


def erase_twice(gm):
    node = gm.graph.find_nodes(op="call_method", target="sum")[0]
    gm.graph.erase_node(node)
    print(node, len(gm.graph.nodes))
    gm.graph.erase_node(node)
    print(len(gm.graph.nodes))
    for user in gm.graph.find_nodes(op="call_function", target=operator.mul):
        print(user.args[0].users)
        gm.graph.erase_node(user)
    gm.graph.erase_node(next(n for n in gm.graph.nodes if n.name == "add"))


def node_copy(gm):
    new_graph = Graph()
    value_remap = {}
    for node in gm.graph.nodes:
        node.meta["from"] = node.name
        value_remap[node] = new_graph.node_copy(node, lambda n: value_remap[n])
    print(new_graph, [n.meta for n in new_graph.nodes], value_remap[node] is node)
    return GraphModule(gm, new_graph)


def node_copy_broken(gm):
    new_graph = Graph()
    print(new_graph.node_copy(next(iter(gm.graph.nodes))))
    copied = new_graph.node_copy(gm.graph.find_nodes(op="call_method", target="relu")[0])
    print(copied.args[0].graph is gm.graph)
    new_graph.lint()


def graph_copy(gm):
    new_graph = Graph()
    val_map = {}
    result = new_graph.graph_copy(gm.graph, val_map)
    print(result, new_graph, {str(key): str(value) for key, value in val_map.items()})
    new_graph.output(result["w"])
    print(new_graph)
    other = Graph()
    print(other.graph_copy(gm.graph, {}, return_output_node=True))
    return new_graph


def graph_copy_mapped(gm):
    x, y = gm.graph.find_nodes(op="placeholder")
    new_graph = Graph()
    a = new_graph.placeholder("a")
    value = new_graph.graph_copy(gm.graph, {x: a, y: new_graph.call_function(torch.neg, (a,))})
    again = new_graph.graph_copy(gm.graph, {x: value["w"], y: a})
    new_graph.output((value, again))
    new_graph.lint()
    return GraphModule({}, new_graph)


def submodules(gm):
    print(gm.add_submodule("b.extra.deep", nn.Linear(2, 3)), gm.add_submodule("a.weight.nothing", nn.ReLU()), gm.add_submodule("a", nn.ReLU()))
    print(gm.delete_submodule("b.nothing"), gm.delete_submodule("nothing.b"), gm.delete_submodule("b.extra.deep"))
    print([name for name, _ in gm.named_modules()], type(gm.get_submodule("b.extra")).__name__, type(gm.a).__name__)
    with gm.graph.inserting_before(gm.graph.output_node()):
        node = gm.graph.call_module("b.extra", (gm.graph.output_node().args[0],))
    gm.get_submodule("b").extra = nn.Dropout(0.25).eval()
    gm.graph.output_node().args = (node,)
    gm.recompile()
    print(gm)


def unused_submodules(gm):
    gm.add_submodule("left.over", nn.Linear(1, 1))
    for node in gm.graph.find_nodes(op="call_module", target="b.0"):
        node.replace_all_uses_with(node.args[0])
        gm.graph.erase_node(node)
    print([name for name, _ in gm.named_modules()])
    gm.delete_all_unused_submodules()
    print([name for name, _ in gm.named_modules()])
    gm.graph.lint()
    gm.recompile()


def move_nodes(gm, broken=False):
    g = gm.graph
    x, y, add, relu, sub, output = g.nodes
    with g.inserting_before(output):
        neg = g.call_function(torch.neg, (x,))
        exp = g.call_function(torch.exp, (y,))
    add.prepend(neg)
    add.append(exp)
    y.append(y)
    x.prepend(y)
    print([n.name for n in g.nodes], add.prev, add.next, neg < exp, exp > output, sorted([sub, x, relu]))
    if broken:
        sub.append(relu)
    g.lint()


def move_foreign(gm):
    other = Graph().placeholder("z")
    next(iter(gm.graph.nodes)).append(other)


def arguments(gm):
    x, y, add, relu, sub, output = gm.graph.nodes
    add.update_arg(1, 3)
    add.update_kwarg("alpha", 4)
    print(add.args, add.kwargs, list(y.users), add.all_input_nodes)
    add.insert_arg(0, y)
    add.args = (y, x)
    add.kwargs = {}
    relu.replace_input_with(add, y)
    print(relu.args, list(add.users), list(y.users))
    sub.args = (*sub.args[::-1],)
    output.replace_input_with(x, sub)
    print(output.args, type(output.args[0]).__name__, type(output.args[0]["pair"][1]).__name__)
    gm.graph.lint()
    gm.recompile()
    for work in (lambda: output.args[0]["pair"][1].append(2), lambda: output.args[0].update(k=1), lambda: add.kwargs.pop("alpha"),
                 lambda: add.update_arg(7, x), lambda: add.insert_arg(9, x)):
        try:
            print(work())
        except Exception as error:
            print(type(error).__name__, error)


def neighbours(gm):
    nodes = list(gm.graph.nodes)
    print([n.next.name for n in nodes[:-1]], [n.prev.name for n in nodes[1:]], [n.name for n in reversed(gm.graph.nodes)])
    print(nodes[-1].next.op, nodes[0].prev.op, nodes[2].all_input_nodes, nodes[2].users, nodes[0]._input_nodes)
    print(nodes[2] in gm.graph.nodes, nodes[2].graph is gm.graph, gm.graph.owning_module is gm, nodes[2] == nodes[2], nodes[2] != nodes[3])
    print(gm.graph.find_nodes(op="placeholder"), gm.graph.find_nodes(op="call_method", target="relu"), gm.graph.find_nodes(op="call_module"))
    print(gm.graph.find_nodes(op="call_function"))


def formats(gm):
    for node in gm.graph.nodes:
        print(repr(node), node.format_node(), node.type, node.meta.keys() - {"stack_trace"})
    names, types = [], [""]
    print([node.format_node(names, types) for node in gm.graph.nodes], names, types)


def normalized(gm):
    for node in gm.graph.nodes:
        for only_kwargs in (False, True):
            pair = node.normalized_arguments(gm, normalize_to_only_use_kwargs=only_kwargs)
            print(node, pair and (pair.args, pair.kwargs))
    add = gm.graph.find_nodes(op="call_function", target=torch.add)[0]
    print(add.normalized_arguments(gm, arg_types=(torch.Tensor, int), kwarg_types={"alpha": int}))


def impure(gm):
    print({str(node): node.is_impure() for node in gm.graph.nodes})


def set_graph(gm):
    new = copy.deepcopy(gm.graph)
    relu = new.find_nodes(op="call_method", target="relu")[0]
    relu.target = "tanh"
    print(gm.code.count("tanh"))
    gm.graph = new
    print(gm.code.count("tanh"), gm.graph is new, new.owning_module is gm, gm(torch.ones(1), torch.ones(1)))
    gm.graph = str(new)


def replace_uses(gm):
    x, y, add, relu, sub, output = gm.graph.nodes
    add.meta["note"] = "sum"
    print(add.replace_all_uses_with(y, propagate_meta=False), list(y.users), y.meta.get("note"))
    print(relu.replace_all_uses_with(sub, lambda user: user.op == "output"), output.args)
    gm.graph.erase_node(add)
    x.replace_all_uses_with(y, propagate_meta=True)
    gm.graph.lint()
    print(gm.graph)


def insert_bad(gm):
    other = Graph().placeholder("z")
    try:
        gm.graph.inserting_before(other)
    except Exception as error:
        print(type(error).__name__, error)
    with gm.graph.inserting_after(gm.graph.output_node()):
        gm.graph.call_function(torch.relu, (other,))
    gm.graph.lint()
