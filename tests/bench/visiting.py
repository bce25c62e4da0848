# SPDX-License-Identifier: GPL-3.0-or-later
"""What users write for torch.fx, to time it: a pass that visits all nodes and replaces some, an Interpreter with an override, and
make_fx of a ResNet50."""

import time

import torch
import torch.fx
from torch.fx.experimental.proxy_tensor import make_fx

import resnet50


def replace_some(gm: torch.fx.GraphModule):
    """Every tenth relu becomes a gelu."""
    count = 0
    for node in gm.graph.nodes:
        if node.op == "call_function" and node.target is torch.relu:
            count += 1
            if count % 10 == 0:
                with gm.graph.inserting_after(node):
                    new = gm.graph.call_function(torch.nn.functional.gelu, node.args, node.kwargs)
                node.replace_all_uses_with(new)
                gm.graph.erase_node(node)
    gm.recompile()


class Counting(torch.fx.Interpreter):
    """Counts the calls as it runs them."""

    def run_node(self, n):
        self.calls = getattr(self, "calls", 0) + (n.op == "call_function")
        return super().run_node(n)


def time_pass(gm: torch.fx.GraphModule):
    """Prints its seconds."""
    begin = time.perf_counter()
    replace_some(gm)
    print(time.perf_counter() - begin)


def time_interpreter(gm: torch.fx.GraphModule):
    """Prints the seconds of the quickest of ten runs."""
    x = torch.ones(2, 2)
    best = float("inf")
    for _ in range(10):
        begin = time.perf_counter()
        Counting(gm).run(x)
        best = min(best, time.perf_counter() - begin)
    print(best)


def time_make_fx(gm: torch.fx.GraphModule):
    """Prints the seconds of the quickest of eight."""
    model, x = resnet50.ResNet50(), torch.randn(2, 3, 32, 32)
    best = float("inf")
    for _ in range(8):
        begin = time.perf_counter()
        make_fx(model)(x)
        best = min(best, time.perf_counter() - begin)
    print(best)
