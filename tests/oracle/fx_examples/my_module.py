# SPDX-License-Identifier: GPL-3.0-or-later
# The first example of the documentation: a module is traced inside a pass, its graph and code are printed, and it is run.
# case: my_module_shown nothing show
# case: my_module_in_place MyModule() show_given
# case: my_module_nodes MyModule() walk
# case: top_k_nodes TopK() walk
# case: top_k_graph TopK() show_given
# case: not_initialised nothing forgets_super

import torch
import torch.fx
from torch.fx import symbolic_trace


class MyModule(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.param = torch.nn.Parameter(torch.rand(3, 4))
        self.linear = torch.nn.Linear(4, 5)

    def forward(self, x):
        return self.linear(x + self.param).clamp(min=0.0, max=1.0)


class TopK(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.param = torch.nn.Parameter(torch.rand(3, 4))
        self.linear = torch.nn.Linear(4, 5)

    def forward(self, x):
        return torch.topk(torch.sum(self.linear(x + self.linear.weight).relu(), dim=-1), 3)


class ForgetsSuper(torch.nn.Module):
    def __init__(self):
        self.param = torch.nn.Parameter(torch.rand(3, 4))


def nothing(x):
    return x


def show(gm):
    module = MyModule()
    symbolic_traced: torch.fx.GraphModule = symbolic_trace(module)
    print(symbolic_traced.graph)
    print(symbolic_traced.code)
    input = torch.rand(3, 4)
    torch.testing.assert_close(symbolic_traced(input), module(input))
    print(type(symbolic_traced).__name__, isinstance(symbolic_traced, torch.nn.Module), isinstance(symbolic_traced, torch.fx.GraphModule))
    print([name for name, _ in symbolic_traced.named_parameters()], symbolic_traced.param is module.param)


def show_given(gm):
    print(gm.graph)
    print(gm.code)


def walk(gm):
    for n in gm.graph.nodes:
        target = n.target if isinstance(n.target, str) else torch.typename(n.target)
        print(f"{n.name} = {n.op} target={target} args={n.args} kwargs={n.kwargs} users={list(n.users)}")
    print(len(gm.graph.nodes), [n.name for n in reversed(gm.graph.nodes)])


def forgets_super(gm):
    symbolic_trace(ForgetsSuper())
