# SPDX-License-Identifier: GPL-3.0-or-later
# What the paper reports of: blocking calls that become a start and a wait, the start moved up; an estimate of work and bytes; the
# modules of a graph that one splits for two devices, and a small table of primitives that graphs are lowered to.
# case: schedule_fetches pipeline hoist
# case: estimate_work Net() estimate
# case: split_in_two Net() split
# case: lower_to_primitives lowered lower

import operator

import torch
import torch.fx as fx
import torch.nn as nn
from torch.fx.passes.split_module import split_module

INPUTS = {"pipeline": (torch.ones(2),), "Net()": (torch.ones(2, 3),), "lowered": (torch.ones(2), torch.ones(2))}


@fx.wrap
def fetch(after, key):
    return torch.full((2,), float(len(key)))


@fx.wrap
def start_fetch(after, key):
    return key


@fx.wrap
def wait_fetch(handle):
    return torch.full((2,), float(len(handle)))


def pipeline(x):
    y = torch.relu(x) * 2
    w = fetch(x, "one")
    z = y + w
    return z * fetch(y, "three")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(3, 5)
        self.act = nn.ReLU()
        self.fc2 = nn.Linear(5, 2)

    def forward(self, x):
        y = self.act(self.fc1(x))
        return self.fc2(y) + y.sum()


def lowered(x, y):
    return torch.addmm(x, y, x, beta=2) if False else (x - y).square().mul(3).add(y)


def hoist(gm):
    for node in gm.graph.nodes:
        if node.op == "call_function" and node.target is fetch:
            with gm.graph.inserting_after(node.args[0]):
                handle = gm.graph.call_function(start_fetch, node.args)
            with gm.graph.inserting_before(node):
                node.replace_all_uses_with(gm.graph.call_function(wait_fetch, (handle,)))
            gm.graph.erase_node(node)
    gm.graph.lint()
    gm.recompile()
    print(gm.code)


def estimate(gm):
    class Work(fx.Interpreter):
        flops = 0
        bytes = 0

        def run_node(self, n):
            result = super().run_node(n)
            if isinstance(result, torch.Tensor):
                n.meta["bytes"] = result.numel() * result.element_size()
                self.bytes += n.meta["bytes"]
            return result

        def call_module(self, target, args, kwargs):
            module = self.fetch_attr(target)
            if isinstance(module, nn.Linear):
                self.flops += 2 * args[0].shape[0] * module.in_features * module.out_features
            return super().call_module(target, args, kwargs)

    work = Work(gm)
    work.run(torch.ones(2, 3))
    print(work.flops, work.bytes, {str(n): n.meta.get("bytes") for n in gm.graph.nodes})


def split(gm):
    parts = {"fc1": 0, "act": 0}
    two = split_module(gm, gm, lambda node: parts.get(node.name, 1))
    print(two.code, two.submod_0.code, two.submod_1.code)
    print(torch.equal(two(torch.ones(2, 3)), gm(torch.ones(2, 3))), [name for name, _ in two.named_modules()])


PRIMITIVES = {"square": lambda g, x: g.call_function(operator.mul, (x, x)), "mul": lambda g, x, y: g.call_function(operator.mul, (x, y)),
              "add": lambda g, x, y: g.call_function(operator.add, (x, y))}


def lower(gm):
    for node in gm.graph.nodes:
        if node.op == "call_method" and node.target in PRIMITIVES:
            with gm.graph.inserting_before(node):
                node.replace_all_uses_with(PRIMITIVES[node.target](gm.graph, *node.args))
            gm.graph.erase_node(node)
    print(sorted({torch.typename(n.target) for n in gm.graph.nodes if n.op == "call_function"}))
    gm.recompile()
