# SPDX-License-Identifier: GPL-3.0-or-later
# Nodes that become others: keyword arguments to positions and back, names, dtypes, wrapped functions, inputs and outputs of the graph.
# case: kwargs_to_args Net() to_positions
# case: args_to_kwargs Net() to_keywords
# case: rename_nodes Net() rename --prefix n
# case: rename_inputs Net() rename_inputs
# case: float_to_half Net() cast_arguments
# case: trace_calls Net() wrap_calls
# case: add_input Net() add_input
# case: add_output Net() add_outputs
# case: outputs_to_dict Net() outputs_to_dict
# case: immutable_arguments Net() append_to_argument
# case: immutable_kwargs Net() set_keyword
# case: assign_bad_args Net() assign_bad_args
# case: map_aggregates Net() map_everything
# case: clamp_after_each Net() clamp_results --low -0.5
# case: checkpoints Net() checkpoints

import torch
import torch.fx
import torch.nn as nn
import torch.nn.functional as F
from torch.fx.node import map_aggregate, map_arg

INPUTS = {"Net()": (torch.linspace(-1, 1, 12).reshape(1, 3, 4),)}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x, mask=None):
        y = F.layer_norm(self.linear(x), (4,), eps=1e-6)
        z = torch.cat([x, y.float()], dim=1).sum(dim=(0, 1), keepdim=True)
        return torch.softmax(z, -1, dtype=torch.float32), y.to(dtype=torch.float32)


def to_positions(gm):
    order = {torch.cat: ["dim"], torch.softmax: ["dtype"]}
    for node in gm.graph.nodes:
        if node.target in order and node.kwargs:
            node.args = (*node.args, *(node.kwargs[name] for name in order[node.target] if name in node.kwargs))
            node.kwargs = {name: value for name, value in node.kwargs.items() if name not in order[node.target]}
    gm.recompile()
    print(gm.code)


def to_keywords(gm):
    for node in gm.graph.nodes:
        new = node.normalized_arguments(gm, normalize_to_only_use_kwargs=True) if node.op == "call_module" or node.target in (F.layer_norm,) else None
        if new is not None:
            node.args, node.kwargs = new.args, new.kwargs
            print(node, dict(node.kwargs))
    gm.recompile()


def rename(gm, prefix="v"):
    for index, node in enumerate(gm.graph.nodes):
        if node.op.startswith("call"):
            node.name = f"{prefix}{index}"
    gm.graph.lint()
    gm.recompile()
    print(gm.code)


def rename_inputs(gm):
    new_graph = torch.fx.Graph()
    env = {}
    for node in gm.graph.nodes:
        if node.op == "placeholder":
            env[node] = new_graph.create_node("placeholder", f"input_{node.target}", node.args, name=f"in_{node.name}", type_expr=node.type)
        else:
            env[node] = new_graph.node_copy(node, env.__getitem__)
    print(list(env.values()))
    return torch.fx.GraphModule(gm, new_graph, "Renamed")


def cast_arguments(gm):
    gm.to(torch.float64)
    swap = {torch.float32: torch.float64}

    def cast(value):
        return swap.get(value, value) if isinstance(value, torch.dtype) else value

    for node in gm.graph.nodes:
        node.args, node.kwargs = map_aggregate(node.args, cast), map_aggregate(node.kwargs, cast)
        if node.target == "float":
            node.target = "double"
    x = gm.graph.find_nodes(op="placeholder")[0]
    with gm.graph.inserting_before(gm.graph.find_nodes(op="call_module")[0]):
        cast_x = gm.graph.call_method("to", (x,), {"dtype": torch.float64})
    x.replace_all_uses_with(cast_x, lambda user: user is not cast_x)
    gm.graph.lint()
    gm.recompile()
    print([value.dtype for value in gm(INPUTS["Net()"][0])])


@torch.fx.wrap
def checked(name, value):
    return value if value.isfinite().all() else value.nan_to_num()


def wrap_calls(gm):
    for node in list(gm.graph.nodes):
        if node.op in ("call_function", "call_method"):
            with gm.graph.inserting_after(node):
                new = gm.graph.call_function(checked, (node.name, node))
            for user in [u for u in node.users if u is not new]:
                user.replace_input_with(node, new)
    gm.recompile()
    print(gm.code)


def add_input(gm):
    last = gm.graph.find_nodes(op="placeholder")[-1]
    with gm.graph.inserting_after(last):
        scale = gm.graph.placeholder("scale", default_value=2.0)
    linear = gm.graph.find_nodes(op="call_module")[0]
    with gm.graph.inserting_after(linear):
        scaled = gm.graph.call_function(torch.mul, (linear, scale))
    linear.replace_all_uses_with(scaled, delete_user_cb=lambda n: n != scaled)
    gm.graph.lint()
    gm.recompile()
    print(gm.code)
    return gm


def add_outputs(gm):
    output = gm.graph.output_node()
    inner = [n for n in gm.graph.nodes if n.op == "call_module" or n.target is F.layer_norm]
    output.args = ((*output.args[0], {"inner": inner}),)
    gm.recompile()
    print(output.format_node(), [len(n.users) for n in inner], gm(INPUTS["Net()"][0])[2]["inner"][0].shape)


def outputs_to_dict(graph):
    output = graph.output_node()
    values = output.args[0]
    graph.erase_node(output)
    new = graph.output({f"out{i}": value for i, value in enumerate(values)})
    print(new.args[0].keys(), new.name)


def append_to_argument(gm):
    cat = gm.graph.find_nodes(op="call_function", target=torch.cat)[0]
    print(cat.args[0], isinstance(cat.args[0], list), cat.args[0] == list(cat.args[0]), cat.args[0] + [1], hash(cat.args[0]) == hash(cat.args[0]))
    cat.args[0].append(cat.args[0][0])


def set_keyword(gm):
    cat = gm.graph.find_nodes(op="call_function", target=torch.cat)[0]
    print(cat.kwargs, {**cat.kwargs, "dim": 2}, cat.kwargs | {"a": 1}, type(dict(cat.kwargs)).__name__)
    cat.kwargs["dim"] = 0


def assign_bad_args(gm):
    cat = gm.graph.find_nodes(op="call_function", target=torch.cat)[0]
    cat.args = [list(cat.args[0])]
    print(type(cat.args).__name__, type(cat.args[0]).__name__)
    for value in ({"dim": object}, {1: 2}, {"dim": 1}):
        try:
            cat.kwargs = value
            print(cat.kwargs)
        except Exception as error:
            print(type(error).__name__, error)
    cat.args = (*cat.args, gm)
    print(type(cat.args[1]).__name__)
    cat.args = (list(cat.args[0]), "text")
    gm.recompile()
    gm(INPUTS["Net()"][0])


def map_everything(gm):
    for node in gm.graph.nodes:
        found = []
        same = map_arg(node.args, lambda n: found.append(n.name) or n)
        print(node.name, found, same == node.args, type(same).__name__)
    nested = (1, [2, slice(3, None, 4)], {"k": (5, range(2))}, None, ...)
    print(map_aggregate(nested, lambda v: v * 10 if isinstance(v, int) else v))
    print(type(map_aggregate([1], str)).__name__, type(map_aggregate({"a": 1}, str)).__name__, map_aggregate(torch.Size([2, 3]), lambda v: v + 1))
    map_arg(nested, 3)


def clamp_results(gm, low=0.0):
    class Clamps(torch.fx.Transformer):
        def call_module(self, target, args, kwargs):
            return torch.clamp(super().call_module(target, args, kwargs), min=low)

    new = Clamps(gm).transform()
    print(new.code)
    return new


def checkpoints(gm):
    class Segment(nn.Module):
        def __init__(self, inner):
            super().__init__()
            self.inner = inner

        def forward(self, *args):
            return self.inner(*args)

    node = gm.graph.find_nodes(op="call_module")[0]
    gm.add_submodule("segment", Segment(gm.get_submodule(node.target)))
    with gm.graph.inserting_before(node):
        node.replace_all_uses_with(gm.graph.call_module("segment", node.args))
    gm.graph.erase_node(node)
    gm.delete_all_unused_submodules()
    gm.recompile()
    print(gm)
    return torch.fx.symbolic_trace(gm)
