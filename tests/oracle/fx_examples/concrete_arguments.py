# SPDX-License-Identifier: GPL-3.0-or-later
# Branches: those that cannot be traced, those of attributes, and concrete_args that decide an argument or take a structure apart.
# case: branch_on_data nothing trace_branch
# case: branch_on_flag nothing trace_flag
# case: flag_by_closure nothing trace_closure
# case: flag_concrete nothing trace_concrete
# case: flag_checked nothing call_with_other_flag
# case: dict_of_placeholders nothing trace_dict
# case: nested_placeholders nothing trace_nested
# case: branch_static nothing trace_static
# case: size_of_method nothing trace_size
# case: dropout_frozen nothing dropout_by_function
# case: dropout_module nothing dropout_by_module
# case: annotated annotated_function show_types

from typing import List, Optional

import torch
import torch.fx as fx


def nothing(x):
    return x


def func_to_trace(x):
    if x.sum() > 0:
        return torch.relu(x)
    else:
        return torch.neg(x)


def flagged(x, flag):
    if flag:
        return x
    else:
        return x * 2


def trace_branch(gm):
    try:
        fx.symbolic_trace(func_to_trace)
    except torch.fx.proxy.TraceError as error:
        print(type(error).__module__, type(error).__mro__[1].__name__, error)
    fx.symbolic_trace(func_to_trace)


def trace_flag(gm):
    fx.symbolic_trace(flagged)


def trace_closure(gm):
    def g(flag):
        return lambda x: flagged(x, flag)

    new_f = g(flag=False)
    print(fx.symbolic_trace(new_f).code, fx.symbolic_trace(g(True)).graph)


def trace_concrete(gm):
    f = fx.symbolic_trace(flagged, concrete_args={"flag": False})
    print(f.code)
    assert f(3, False) == 6
    print(f(3, False), f(torch.ones(2), 0))
    return f


def call_with_other_flag(gm):
    f = fx.symbolic_trace(flagged, concrete_args={"flag": True})
    print(f(3, True))
    print(f(3, False))


def sum_of(x):
    out = 0
    for v in x.values():
        out += v
    return out


def trace_dict(gm):
    f = fx.symbolic_trace(sum_of, concrete_args={"x": {"a": fx.PH, "b": fx.PH, "c": fx.PH}})
    print(f.code)
    assert f({"a": 1, "b": 2, "c": 4}) == 7
    print(f.graph)


def trace_nested(gm):
    def combine(x, pair, times):
        return {"sum": x[0] + x[1]["k"], "pair": [pair[1], pair[0] * times]}

    f = fx.symbolic_trace(combine, concrete_args={"x": [fx.PH, {"k": fx.PH}], "pair": (fx.PH, fx.PH), "times": 5})
    print(f.graph)
    print(f([1, {"k": 2}], (3, 4), 5))


class Switched(torch.nn.Module):
    def __init__(self, do_activation: bool = False):
        super().__init__()
        self.do_activation = do_activation
        self.linear = torch.nn.Linear(8, 8)

    def forward(self, x):
        x = self.linear(x)
        if self.do_activation:
            x = torch.relu(x)
        return x


def trace_static(gm):
    print(fx.symbolic_trace(Switched(do_activation=False)).code)
    print(fx.symbolic_trace(Switched(do_activation=True)).code)


def trace_size(gm):
    def by_size(x):
        dim0 = x.size[0]
        if dim0 == 3:
            return torch.relu(x)
        return torch.neg(x)

    fx.symbolic_trace(by_size)


class DropoutRepro(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.dropout(x, training=self.training)


class DropoutRepro2(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = torch.nn.Dropout()

    def forward(self, x):
        return self.drop(x)


def dropout_by_function(gm):
    traced = fx.symbolic_trace(DropoutRepro())
    print(traced.code, traced.training)
    traced.eval()
    print(traced.training)
    torch.manual_seed(5)
    torch.testing.assert_close(traced(torch.zeros(5, 3)), torch.zeros(5, 3))
    torch.testing.assert_close(traced(torch.ones(5, 3)), torch.ones(5, 3))


def dropout_by_module(gm):
    traced = fx.symbolic_trace(DropoutRepro2())
    print(traced.code, traced.drop.training)
    traced.eval()
    x = torch.arange(15.0).reshape(5, 3)
    torch.testing.assert_close(traced(x), x)
    return traced


def annotated_function(x: torch.Tensor, y: int = 2, z: Optional[List[int]] = None) -> torch.Tensor:
    w: torch.Tensor = x + y
    return w


def show_types(gm):
    for node in gm.graph.nodes:
        print(node, node.type, node.args)
    print(gm.code)
