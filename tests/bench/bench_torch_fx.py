# SPDX-License-Identifier: GPL-3.0-or-later
"""The times of bench_graph.cpp and bench_interpreter.cpp, for the real torch.fx. Prints JSON: name to seconds.

    bench_torch_fx.py [ROUNDS]
    bench_torch_fx.py replace     only pattern replacement, which takes long
"""

import contextlib
import io
import json
import operator
import resource
import sys
import time

import torch
import torch.fx as fx
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.passes.split_module import split_module

CALLS = 100_000
TINY_CALLS = 2000
MATCHES = 10_000
PAIRS = 1000


def build(has_dead_nodes=False):
    graph = fx.Graph()
    before = last = graph.placeholder("x")
    for i in range(CALLS):
        if has_dead_nodes and i % 2:
            graph.call_function(torch.neg, (last,))
            continue
        if (i // 2 if has_dead_nodes else i) % 2 == 0:
            fresh = graph.call_function(torch.relu, (last,))
        else:
            fresh = graph.call_function(operator.add, (last, before))
        before, last = last, fresh
    graph.output(last)
    return graph


def checksum(text):
    total = 0
    for byte in text.encode():
        total = (total * 31 + byte) & 0xFFFFFFFF
    return total


def resident_bytes():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * resource.getpagesize()


class Clock:
    """The least time of each name over all rounds."""

    def __init__(self):
        self.best = {}

    def time(self, name, work, count=1):
        start = time.perf_counter()
        result = work()
        seconds = (time.perf_counter() - start) / count
        self.best[name] = min(seconds, self.best.get(name, seconds))
        return result


def graph_round(clock):
    graph = clock.time("build", build)
    clock.time("text", lambda: str(graph))
    clock.time("code", lambda: graph.python_code("self"))
    clock.time("lint", graph.lint)
    clock.time("dead code, none dead", graph.eliminate_dead_code)
    clock.time("copy", lambda: fx.Graph().graph_copy(graph, {}))
    half_dead = build(has_dead_nodes=True)
    clock.time("dead code, half dead", half_dead.eliminate_dead_code)
    return graph


def interpreter_round(clock):
    x = torch.zeros(1)
    torch.set_num_threads(1)
    for name, function, is_binary in (("relu", torch.relu, False), ("add", operator.add, True)):
        graph = fx.Graph()
        last = graph.placeholder("x")
        for _ in range(TINY_CALLS):
            last = graph.call_function(function, (last, last) if is_binary else (last,))
        graph.output(last)
        interpreter = fx.Interpreter(fx.GraphModule(torch.nn.Module(), graph))
        with torch.inference_mode():
            clock.time(f"interpreter, {name}", lambda: interpreter.run(x), TINY_CALLS)


def chain_graph():
    graph = fx.Graph()
    last = graph.placeholder("x")
    for _ in range(MATCHES):
        last = graph.call_function(torch.neg, (graph.call_function(torch.relu, (last,)),))
    graph.output(last)
    return graph


def pairs_graph():
    graph = fx.Graph()
    last = graph.placeholder("x")
    for _ in range(PAIRS):
        pair = (graph.call_function(torch.relu, (last,)), graph.call_function(torch.neg, (last,)))
        last = graph.call_function(torch.add, pair)
    graph.output(last)
    return graph


def replace_times():
    """Each once: this side needs no second try to be slow."""
    clock, out = Clock(), {}
    cases = [
        ("replace in a chain", chain_graph(), lambda x: torch.neg(torch.relu(x)), lambda x: torch.tanh(x)),
        ("replace pairs", pairs_graph(), lambda x: (torch.relu(x), torch.neg(x)), lambda x: (torch.sin(x), torch.cos(x))),
    ]
    for name, graph, pattern, replacement in cases:
        gm = fx.GraphModule(torch.nn.Module(), graph)
        clock.time(name, lambda: fx.replace_pattern(gm, pattern, replacement))
        out[f"{name} checksum"] = checksum(gm.code)
    return out | clock.best


def trace_times():
    import chain
    import resnet50

    clock, out = Clock(), {}
    for name, model in (("trace ResNet50", resnet50.ResNet50()), ("trace 100,000 calls", chain.Chain())):
        out[f"{name} checksum"] = checksum(str(fx.symbolic_trace(model).graph))
        for _ in range(2 if "calls" in name else 20):
            clock.time(name, lambda: fx.symbolic_trace(model))
    model, x = resnet50.ResNet50(), torch.randn(2, 3, 32, 32)
    parameters = list(model.parameters())

    def joint(x):
        return torch.autograd.grad(model(x).sum(), parameters)

    for name, function in (("trace ResNet50 by running", model), ("trace ResNet50 by running, with gradients", joint)):
        for _ in range(4):
            clock.time(name, lambda: make_fx(function)(x))
    return out | clock.best


def quantize_times():
    """prepare, one run of calibration, and convert to the reference form, as bench_quantize.cpp has them; and what is converted to
    integers, run."""
    import copy
    import warnings

    warnings.filterwarnings("ignore")
    import recommender
    import resnet50
    from torch.ao.quantization import MinMaxObserver, QConfig, QConfigMapping, default_per_channel_weight_observer, get_default_qconfig_mapping
    from torch.ao.quantization.quantize_fx import _convert_to_reference_decomposed_fx, convert_fx, prepare_fx

    least = QConfig(activation=MinMaxObserver.with_args(reduce_range=True), weight=default_per_channel_weight_observer)
    clock = Clock()
    for name, model, x in (("DeepRecommender", recommender.Recommender().eval(), torch.rand(16, 17768)),
                           ("ResNet50", resnet50.ResNet50().eval(), torch.rand(1, 3, 224, 224))):
        for suffix, mapping in (("", get_default_qconfig_mapping("x86")), (" by min-max", QConfigMapping().set_global(least))):
            for _ in range(2):
                copied = copy.deepcopy(model)

                def whole():
                    prepared = prepare_fx(copied, mapping, (x,))
                    with torch.no_grad():
                        prepared(x)
                    _convert_to_reference_decomposed_fx(prepared)

                clock.time(f"quantize {name}{suffix}", whole)
    mapping = get_default_qconfig_mapping("x86")
    prepared = prepare_fx(copy.deepcopy(model), mapping, (x,))
    with torch.no_grad():
        prepared(x)
        lowered = convert_fx(prepared)
        for _ in range(20):
            clock.time("run ResNet50 in integers", lambda: lowered(x))
    return clock.best


def pass_times():
    import chain
    import resnet50
    import visiting

    def printed(run, calls):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            run(fx.symbolic_trace(chain.Chain(calls)))
        return float(out.getvalue())

    clock, gm = Clock(), fx.symbolic_trace(resnet50.ResNet50())
    calls = [node for node in gm.graph.nodes if node.op not in ("placeholder", "get_attr", "output")]
    number = {node: int((place + 0.5) / len(calls) * 4) for place, node in enumerate(calls)}
    for _ in range(10):
        parts = clock.time("split ResNet50", lambda: split_module(gm, None, number.__getitem__))
    return clock.best | {
        "split ResNet50 checksum": checksum(str(parts.graph)),
        "a pass in Python": min(printed(visiting.time_pass, 100_000) for _ in range(2)),
        "an Interpreter in Python": printed(visiting.time_interpreter, 10_000),
        "make_fx of ResNet50 in Python": printed(visiting.time_make_fx, 1),
    }


def main():
    if sys.argv[1:] == ["quantize"]:
        print(json.dumps(quantize_times()))
        return
    if sys.argv[1:] == ["passes"]:
        print(json.dumps(pass_times()))
        return
    if sys.argv[1:] == ["trace"]:
        print(json.dumps(trace_times()))
        return
    if sys.argv[1:] == ["replace"]:
        print(json.dumps(replace_times()))
        return
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    clock = Clock()
    before = resident_bytes()
    graph = build()
    out = {"bytes": (resident_bytes() - before) / (CALLS + 2)}
    out["text checksum"] = checksum(str(graph))
    out["code checksum"] = checksum(graph.python_code("self").src)
    del graph
    for _ in range(rounds):
        graph_round(clock)
        interpreter_round(clock)
    print(json.dumps(out | clock.best))


if __name__ == "__main__":
    main()
