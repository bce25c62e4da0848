# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the benchmarks of core beside the real torch.fx and prints one table of ratios.

    run.py [--build DIR] [--rounds N]

Both sides run in turns, and each figure is the least of all rounds; but torch.fx replaces patterns once, which takes it
a minute. Nothing fails for being slow.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent


def torch_fx_times():
    return json.loads(subprocess.check_output([sys.executable, HERE / "bench_torch_fx.py", "1"]))


def trace_times():
    return json.loads(subprocess.check_output([sys.executable, HERE / "bench_torch_fx.py", "trace"]))


def pass_times():
    return json.loads(subprocess.check_output([sys.executable, HERE / "bench_torch_fx.py", "passes"]))


def quantize_times():
    return json.loads(subprocess.check_output([sys.executable, HERE / "bench_torch_fx.py", "quantize"]))


def replace_times():
    return json.loads(subprocess.check_output([sys.executable, HERE / "bench_torch_fx.py", "replace"]))


def benchmark_rows(build, filter, program="fxscope_bench"):
    """Each in a process of its own, as on the side of torch.fx: what ran before leaves its mark on the heap."""
    command = [build / "bin" / program, "--benchmark_format=json", "--benchmark_min_time=0.3", f"--benchmark_filter={filter}"]
    return json.loads(subprocess.check_output(command, stderr=subprocess.DEVNULL))["benchmarks"]


def our_times(build):
    unit = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}
    out = {}
    for row in benchmark_rows(build, "-^trace|, 100,000|, 50,000") + benchmark_rows(build, "^trace") + benchmark_rows(build, ", (100|50),000"):
        name = row["name"].removesuffix("/manual_time").removesuffix("/iterations:1")
        out[name] = row["real_time"] * unit[row["time_unit"]]
        for counter in ("bytes", "bytes_with_history", "checksum"):
            if counter in row:
                out[counter if name == "build" else f"{name} {counter}"] = row[counter]
        for who in ("torchscript", "unobserved", "observed", "shapes", "debugged", "boxed", "bound"):
            if who in row:
                out[f"{who}, {name.split(', ', 1)[1]}"] = row[who] * 1e-6
    return out


def worker_times(build):
    """Seconds, of a model that runs here and of one that runs in a process of its own."""
    unit = {"us": 1e-6, "ms": 1e-3}
    return {row["name"].removesuffix("/real_time"): row["real_time"] * unit[row["time_unit"]]
            for row in benchmark_rows(build, ".", "fxscope_bench_worker")}


def worker_rows(times):
    for name, target in (("step", "< 300 us apart"), ("step in the ResNet sample", "< 300 us apart"), ("step in ResNet50", "<= 1.3"),
                         ("1,000 nodes", "<= 1.3"), ("first stop", "< 50 ms apart"), ("verify fused ResNet50", "<= 1.3")):
        here, apart = times[f"{name}, here"], times[f"{name}, apart"]
        yield f"{name}: here, apart", micro(here), micro(apart), f"{apart / here:.2f}", target


def wall_time(command):
    start = time.perf_counter()
    output = subprocess.check_output(command)
    return time.perf_counter() - start, output


def least(into, fresh):
    for name, value in fresh.items():
        into[name] = min(value, into.get(name, value))


def open_resnet(build, rounds, folder):
    """Least wall time of `fxscope graph`, of a program that only loads LibTorch, and of Python's own way."""
    model = folder / "resnet50.pt2"
    subprocess.check_call([sys.executable, HERE / "resnet50.py", model])
    script = f"import torch; print(torch.export.load({str(model)!r}).module(check_guards=False).graph)"
    commands = {
        "graph": [build / "bin/fxscope", "graph", model],
        "load": [build / "bin/fxscope", "--version"],
        "python": [sys.executable, "-W", "ignore", "-c", script],
    }
    best, texts = {}, {}
    for _ in range(rounds):
        for name, command in commands.items():
            seconds, texts[name] = wall_time(command)
            least(best, {name: seconds})
    if texts["graph"] != texts["python"]:
        print("WARNING: the texts of the ResNet50 graph differ", file=sys.stderr)
    return best


def micro(seconds):
    return f"{seconds * 1e6:.3f} us"


def rows(ours, fx, resnet):
    def graph(name, target):
        return name, f"{fx[name] * 1e3:.1f} ms", f"{ours[name] * 1e3:.2f} ms", f"{fx[name] / ours[name]:.1f}x", target

    yield graph("build", ">= 20x")
    yield "bytes per node", f"{fx['bytes']:.0f} B", f"{ours['bytes']:.0f} B", f"{fx['bytes'] / ours['bytes']:.1f}x", "<= 300 B"
    yield "  with its undo history", "", f"{ours['bytes_with_history']:.0f} B", "", ""
    yield graph("text", ">= 20x")
    yield graph("code", ">= 20x")
    yield "  after an edit", "", f"{ours['codeAfterEdit'] * 1e6:.1f} us", "", ""
    yield graph("lint", ">= 5x")
    yield graph("dead code, none dead", ">= 20x")
    yield graph("dead code, half dead", ">= 20x")
    yield graph("copy", ">= 20x")
    for name, count in (("replace in a chain", "10,000"), ("replace pairs", "1,000")):
        slow, fast = fx[name], ours[name]
        yield f"{name}, {count} matches", f"{slow:.1f} s", f"{fast * 1e3:.2f} ms", f"{slow / fast:.0f}x", ">= 300x"
    for name, target in (("trace ResNet50", ">= 20x"), ("trace 100,000 calls", ">= 40x")):
        slow, fast = fx[name], ours[name]
        yield name, f"{slow * 1e3:.1f} ms", f"{fast * 1e3:.2f} ms", f"{slow / fast:.1f}x", target
        both = ours[f"{name} and code"]
        yield "  and its code, which torch.fx writes too", "", f"{both * 1e3:.2f} ms", f"{slow / both:.1f}x", ""
    for name in ("trace ResNet50 by running", "trace ResNet50 by running, with gradients"):
        yield graph(name, ">= 10x")
    yield graph("split ResNet50", ">= 10x")
    for name in ("quantize DeepRecommender", "quantize DeepRecommender by min-max", "quantize ResNet50", "quantize ResNet50 by min-max"):
        yield graph(name, ">= 2x")
    yield graph("run ResNet50 in integers", ">= 1x")
    yield "  before it is lowered to integers", "", f"{ours['run ResNet50 quantized'] * 1e3:.1f} ms", "", ""
    for name, seconds in ours.items():
        if ", 100,000 " in name:
            yield f"pass {name}", "", f"{seconds * 1e3:.0f} ms", "", "<= 2 s"
            yield "  beside half as many", "", "", f"{seconds / ours[name.replace(', 100,000 ', ', 50,000 ')]:.1f}x", "about 2x"
    yield graph("a pass in Python", ">= 5x")
    yield "  from model to model", "", f"{ours['a pass in Python, from model to model'] * 1e3:.0f} ms", "", ""
    yield graph("an Interpreter in Python", ">= 1x")
    yield graph("make_fx of ResNet50 in Python", ">= 10x")
    yield "an evaluator with torch.nn loaded", "", f"{ours['loadTorchNn'] * 1e3:.2f} ms", "", ""
    for op in ("nothing", "relu", "add", "add_by_name", "add_by_operator"):
        script, free = ours[f"torchscript, {op}"], ours[f"unobserved, {op}"]
        yield f"interpreter, {op}: TorchScript's", micro(script), micro(free), f"{free / script:.2f}", "<= 1.05"
        if f"interpreter, {op}" in fx:
            slow = fx[f"interpreter, {op}"]
            yield "  torch.fx.Interpreter", micro(slow), micro(free), f"{slow / free:.1f}x", ""
        watchers = {"observed": "observed", "shapes": "observed, shapes recorded", "debugged": "under the debugger"}
        for watcher, what in watchers.items():
            watched = ours[f"{watcher}, {op}"]
            yield f"  {what}", "", micro(watched), f"+{(watched - free) * 1e6:.3f} us", "<= 1 us"
    for name in ours:
        if name.startswith("boxed, "):
            call = name.removeprefix("boxed, ")
            boxed, bound = ours[name], ours[f"bound, {call}"]
            yield f"call {call}: boxed", micro(boxed), micro(bound), f"+{(bound - boxed) * 1e6:.3f} us", "<= 0.05 us"
    yield (
        "fxscope graph resnet50.pt2, cold",
        f"{resnet['python']:.2f} s",
        f"{resnet['graph']:.3f} s",
        f"{resnet['python'] / resnet['graph']:.1f}x",
        "< 0.5 s",
    )
    yield "  of which loading LibTorch", "", f"{resnet['load']:.3f} s", "", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parents[1] / "build/bench")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    ours, worker, fx = {}, {}, replace_times()
    for _ in range(options.rounds):
        least(fx, torch_fx_times() | trace_times() | pass_times() | quantize_times())
        least(ours, our_times(options.build))
        least(worker, worker_times(options.build))
    for text in ("text", "code", "replace in a chain", "replace pairs", "trace ResNet50", "trace 100,000 calls", "split ResNet50"):
        if int(ours[f"{text} checksum"]) != fx[f"{text} checksum"]:
            print(f"WARNING: the {text} of the two graphs differs", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        resnet = open_resnet(options.build, options.rounds, pathlib.Path(folder))
    table = [("100,000 calls", "torch", "fxscope", "ratio", "target"), *rows(ours, fx, resnet), *worker_rows(worker)]
    widths = [max(len(row[column]) for row in table) for column in range(5)]
    for row in table:
        print("  ".join(cell.ljust(width) if i == 0 else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths))))
    canvas = options.build / "bin/fxscope_bench_canvas"
    if canvas.exists():
        print("\nOne frame of the canvas with 10,000 expanded nodes (target: median <= 16.7 ms)")
        print(subprocess.check_output([canvas], text=True, stderr=subprocess.DEVNULL), end="")


if __name__ == "__main__":
    main()
