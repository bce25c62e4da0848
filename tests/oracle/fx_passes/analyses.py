# SPDX-License-Identifier: GPL-3.0-or-later
# Interpreters and counts: FLOPs by node, statistics of activations, a log of values, runs with other values, comparisons of two graphs.
# case: count_flops Net() FlopCounter
# case: count_flops_table Net() flops_table
# case: count_operators Net() count_operators
# case: log_values Net() Logger
# case: log_and_fail Net() FailsAtRelu
# case: fail_between_nodes Net() FailsBetween
# case: activation_statistics Net() statistics
# case: find_nan Net() find_nan
# case: run_on_meta Net() run_on_meta
# case: compare_two Net() compare_graphs
# case: partial_run Net() run_until --node relu

import collections

import torch
import torch.fx
import torch.nn as nn
from torch.fx import Interpreter
from torch.fx.node import map_aggregate, map_arg

IMAGE = torch.linspace(-1, 1, 72).reshape(1, 2, 6, 6)
INPUTS = [IMAGE]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(2, 3, 3, padding=1)
        self.bn = nn.BatchNorm2d(3)
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        x = torch.relu(self.bn(self.conv(x)))
        x = x.mean((2, 3))
        return torch.log_softmax(self.fc(x), dim=1)


class FlopCounter(Interpreter):
    def __init__(self, module):
        super().__init__(module)
        self.flops = collections.Counter()

    def call_module(self, target, args, kwargs):
        result = super().call_module(target, args, kwargs)
        module = self.fetch_attr(target)
        if isinstance(module, nn.Conv2d):
            self.flops["conv"] += 2 * result.numel() * module.in_channels * module.kernel_size[0] * module.kernel_size[1]
        elif isinstance(module, nn.Linear):
            self.flops["linear"] += 2 * args[0].numel() * module.out_features
        else:
            self.flops[type(module).__name__] += result.numel()
        return result

    def output(self, target, args, kwargs):
        print(self.flops.most_common(), sum(self.flops.values()))
        return super().output(target, args, kwargs)


def flops_table(gm):
    counter = FlopCounter(gm)
    with torch.no_grad():
        counter.run(torch.cat([IMAGE, IMAGE]))
    for name, count in sorted(counter.flops.items(), key=lambda item: -item[1]):
        print(f"{name:<12} {count:>8,} {count / counter.flops.total():7.2%}")


def count_operators(gm):
    counts = collections.Counter()
    for node in gm.graph.nodes:
        what = type(gm.get_submodule(node.target)).__name__ if node.op == "call_module" else getattr(node.target, "__name__", node.target)
        counts[node.op, what] += 1
    for (op, what), count in sorted(counts.items()):
        print(op, what, count)


class Logger(Interpreter):
    def run_node(self, n):
        args, kwargs = self.fetch_args_kwargs_from_env(n)
        result = super().run_node(n)
        shapes = map_aggregate((args, kwargs), lambda a: tuple(a.shape) if isinstance(a, torch.Tensor) else a)
        print(f"{n.op} {n.name}: {shapes} -> {tuple(result.shape) if isinstance(result, torch.Tensor) else result}")
        return result


class FailsAtRelu(Interpreter):
    def call_function(self, target, args, kwargs):
        if target is torch.relu:
            raise ValueError(f"no relu for {tuple(args[0].shape)}")
        return super().call_function(target, args, kwargs)


def statistics(gm):
    class Statistics(Interpreter):
        def run_node(self, n):
            result = super().run_node(n)
            if n.op != "output":
                n.meta["mean"], n.meta["max"] = round(result.mean().item(), 3), round(result.max().item(), 3)
            return result

    Statistics(gm).run(IMAGE)
    worst = max((n for n in gm.graph.nodes if "max" in n.meta), key=lambda n: n.meta["max"])
    print({n.name: (n.meta["mean"], n.meta["max"]) for n in gm.graph.nodes if "max" in n.meta}, worst)


def find_nan(gm):
    with torch.no_grad():
        gm.bn.bias[1] = float("nan")

    class Finder(Interpreter):
        def run_node(self, n):
            result = super().run_node(n)
            if isinstance(result, torch.Tensor) and result.isnan().any():
                raise ArithmeticError(f"{n.format_node()} gives {int(result.isnan().sum())} of {result.numel()}")
            return result

    Finder(gm).run(IMAGE)


def run_on_meta(gm):
    gm.to("meta")
    shapes = {}

    class Shapes(Interpreter):
        def run_node(self, n):
            result = super().run_node(n)
            shapes[n.name] = (tuple(result.shape), result.device.type)
            return result

    Shapes(gm).run(torch.empty(8, 2, 64, 64, device="meta"))
    print(shapes)
    gm.to_empty(device="cpu")
    for parameter in list(gm.parameters()) + list(gm.buffers()):
        torch.nn.init.zeros_(parameter)


def compare_graphs(gm):
    other = torch.fx.symbolic_trace(Net())
    other.graph.find_nodes(op="call_function", target=torch.relu)[0].target = torch.tanh
    for mine, theirs in zip(gm.graph.nodes, other.graph.nodes):
        same = (mine.op, mine.target, str(mine.args)) == (theirs.op, theirs.target, str(theirs.args))
        print(mine.name, theirs.name, "same" if same else "differs")


def run_until(gm, node):
    name, env = node, {}
    for node in gm.graph.nodes:
        args, kwargs = map_arg((node.args, node.kwargs), lambda n: env[n.name])
        if node.op == "placeholder":
            env[node.name] = IMAGE
        elif node.op == "call_module":
            env[node.name] = gm.get_submodule(node.target)(*args, **kwargs)
        elif node.op == "call_function":
            env[node.name] = node.target(*args, **kwargs)
        if node.name == name:
            break
    print(sorted(env), env[name].sum())
    keep = gm.graph.find_nodes(op="call_function", target=torch.relu)[0]
    gm.graph.output_node().args = (keep,)
    gm.graph.eliminate_dead_code()
    gm.delete_all_unused_submodules()
    gm.recompile()


class FailsBetween(torch.fx.Interpreter):
    """What fails while values are let go of is no node's fault, and is told as it is."""

    def run(self, *args):
        first = next(iter(self.module.graph.nodes))
        self.user_to_last_uses = {first: [first, first]}
        try:
            return super().run(*args)
        except Exception as error:
            print(type(error).__name__, "While executing" in str(error))
