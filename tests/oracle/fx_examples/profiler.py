# SPDX-License-Identifier: GPL-3.0-or-later
# A profiling interpreter as in the tutorial, which counts calls and elements where the tutorial takes the time.
# case: profile_net Net() profile
# case: profile_sorted Net() profile --sort-by elements
# case: profile_class Net() CountingInterpreter
# case: profile_times Net() profile_times

from typing import Any, Dict, List

import torch
import torch.fx
import torch.nn as nn
import torch.nn.functional as F
from torch.fx import Interpreter

INPUTS = lambda: [torch.ones(2, 1, 12, 12)]  # noqa: E731


class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.conv = nn.Conv2d(1, 3, 3)
        self.fc = nn.Linear(75, 2)

    def forward(self, x):
        x = F.relu(self.conv(x))
        x = F.max_pool2d(x, 2)
        x = F.relu(x)
        return F.log_softmax(self.fc(x.view(-1, 75)), dim=1)


class ProfilingInterpreter(Interpreter):
    def __init__(self, mod: torch.nn.Module):
        gm = torch.fx.symbolic_trace(mod)
        super().__init__(gm)
        self.total_runs: List[int] = []
        self.elements: Dict[torch.fx.Node, List[int]] = {}

    def run(self, *args) -> Any:
        return_val = super().run(*args)
        self.total_runs.append(len(self.elements))
        return return_val

    def run_node(self, n: torch.fx.Node) -> Any:
        return_val = super().run_node(n)
        self.elements.setdefault(n, [])
        self.elements[n].append(return_val.numel())
        return return_val

    def summary(self, should_sort="") -> str:
        node_summaries: List[List[Any]] = []
        total = sum(sum(counts) for counts in self.elements.values())
        for node, counts in self.elements.items():
            mean = sum(counts) / len(counts)
            node_summaries.append([node.op, str(node), len(counts), mean, 100 * sum(counts) / total])
        if should_sort:
            node_summaries.sort(key=lambda s: s[3], reverse=True)
        rows = [f"{op:<14}{name:<14}{calls:>3}{mean:>10.1f}{percent:>8.2f} %" for op, name, calls, mean, percent in node_summaries]
        return f"{len(self.total_runs)} runs\n" + "\n".join(rows)


class CountingInterpreter(Interpreter):
    """Each kind of node by itself."""

    def __init__(self, gm):
        super().__init__(gm)
        self.counts = {}

    def count(self, kind, target):
        name = target if isinstance(target, str) else target.__name__
        self.counts[kind, name] = self.counts.get((kind, name), 0) + 1

    def placeholder(self, target, args, kwargs):
        self.count("placeholder", target)
        return super().placeholder(target, args, kwargs)

    def call_function(self, target, args, kwargs):
        self.count("function", target)
        return super().call_function(target, args, kwargs)

    def call_method(self, target, args, kwargs):
        self.count("method", target)
        return super().call_method(target, args, kwargs)

    def call_module(self, target, args, kwargs):
        self.count("module", target)
        print(type(self.submodules[target]).__name__, [tuple(a.shape) for a in args])
        return super().call_module(target, args, kwargs)

    def output(self, target, args, kwargs):
        for (kind, name), count in sorted(self.counts.items()):
            print(kind, name, count)
        return super().output(target, args, kwargs)


def profile(gm, sort_by=""):
    interp = ProfilingInterpreter(gm)
    interp.run(torch.ones(2, 1, 12, 12))
    interp.run(torch.ones(4, 1, 12, 12))
    print(interp.summary(sort_by))


def profile_times(gm: torch.fx.GraphModule):
    """Times as the tutorial does; how long it takes differs, that it takes some time does not."""
    import time

    class Timing(Interpreter):
        def __init__(self, mod):
            super().__init__(mod)
            self.total, self.runtimes = [], {}

        def run(self, *args):
            start = time.time()
            out = super().run(*args)
            self.total.append(time.time() - start)
            return out

        def run_node(self, n):
            start = time.perf_counter()
            out = super().run_node(n)
            self.runtimes.setdefault(n, []).append(time.perf_counter() - start)
            return out

    timing = Timing(gm)
    timing.run(*INPUTS())
    parts = [100 * sum(times) / sum(timing.total) for times in timing.runtimes.values()]
    print(len(parts), all(part > 0 for part in parts), sum(parts) <= 100, time.monotonic_ns() > 0)
