# SPDX-License-Identifier: GPL-3.0-or-later
# torch.fx.wrap: by name and as a decorator, functions with random numbers, and what is said without it.
# case: wrap_len_and_sqrt normalize show
# case: wrap_missing nothing trace_missing
# case: wrap_function fn_to_be_traced show
# case: wrap_decorator uses_decorated replace_wrapped
# case: wrap_random f show
# case: wrap_in_function nothing wrap_too_late
# case: wrap_no_name nothing wrap_number
# case: wrap_output sum_twice wrap_output_dynamically

from math import sqrt

import torch
import torch.fx as fx

INPUTS = {"normalize": (torch.ones(3, 4),), "fn_to_be_traced": (torch.tensor(2.0), torch.tensor(3.0)),
          "uses_decorated": (torch.tensor([1.0, -1.0]), torch.tensor([2.0, 2.0])), "sum_twice": (torch.ones(2),)}

torch.fx.wrap("len")
torch.fx.wrap("sqrt")


def nothing(x):
    return x


def normalize(x):
    """By the square root of the batch's size."""
    return x / sqrt(len(x))


def my_custom_function(x, y):
    return x * x + y * y


torch.fx.wrap("my_custom_function")


def fn_to_be_traced(x, y):
    return my_custom_function(x, y)


@torch.fx.wrap
def decorated(x, *, scale=2):
    return x * scale if x.sum() > 0 else x


def uses_decorated(x, y):
    return decorated(x, scale=3) + decorated(y)


@torch.fx.wrap
def torch_randn(x, shape):
    return torch.randn(shape)


def f(x):
    return x + torch_randn(x, 5)


def sum_twice(x):
    return x.sum() * 2


def show(gm):
    print(gm.graph)
    print(gm.code)


def trace_missing(gm):
    def sums(x):
        return x / sum(range(max(x.shape[0], 1)))

    fx.symbolic_trace(sums)


def replace_wrapped(gm):
    for node in gm.graph.find_nodes(op="call_function", target=decorated):
        print(node.target is decorated, node.target.__name__, node.target.__module__.rpartition(".")[2], dict(node.kwargs))
        node.target = my_custom_function
        node.args, node.kwargs = (node.args[0], node.kwargs.get("scale", 1)), {}
    gm.graph.lint()
    gm.recompile()
    print(gm.code)


def wrap_too_late(gm):
    torch.fx.wrap("min")


def wrap_number(gm):
    torch.fx.wrap(3)


def wrap_output_dynamically(gm):
    class Result:
        def __init__(self, value):
            self.value = value

    output = gm.graph.output_node()
    with gm.graph.inserting_before(output):
        made = gm.graph.call_function(Result, (output.args[0],))
        value = gm.graph.call_function(getattr, (made, "value"))
    output.args = (value,)
    gm.recompile()
    print(gm.code, gm(torch.ones(3)))
    gm.graph.erase_node(value) if not value.users else None
    value.replace_all_uses_with(made.args[0])
    gm.graph.erase_node(value)
    gm.graph.erase_node(made)
    gm.recompile()
