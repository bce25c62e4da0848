# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists every model of the oracle tests that opens, for export_batch and check_exported.py.

    make_exported.py ORACLE FOLDER

FOLDER/manifest.json has a row for each: how it is opened, the folder that is written, flat inputs for the graph,
arguments for Python's call, and what the original gave. Beside the files that the other tests make there are the
modules of torch's ModuleInfo, each as a leaf.
"""

import json
import logging
import os
import pathlib
import sys
import types
import unittest
import warnings

warnings.filterwarnings("ignore")
if "expecttest" not in sys.modules:  # torch's test modules want it, but not for what is used here
    sys.modules["expecttest"] = types.ModuleType("expecttest")
    sys.modules["expecttest"].TestCase = unittest.TestCase
import torch
import torch.fx
from torch.testing._internal.common_modules import module_db

torch.set_num_threads(1)
logging.disable(logging.WARNING)


def leaves(value):
    return torch.utils._pytree.tree_leaves(value)


def traced(oracle):
    for row in json.loads((oracle / "traces/traces.json").read_text()):
        if not row["error"] and not row["code_error"]:
            kept = {"expression", "train", "leaf", "concrete", "state", "tracer", "tracer_class", "file"}
            known = {"param_shapes_constant", "proxy_buffer_attributes", "autowrap_functions", "autowrap_modules",
                     "check_mutable_operations", "trace_asserts"}
            if set(row["tracer"]) <= known:
                yield {**{key: row[key] for key in kept}, "name": "trace " + row["name"], "run_error": bool(row["run_error"]),
                       "inputs": row["inputs"], "arguments": row["arguments"], "expected": row["outputs"]}


def scripted(oracle):
    for row in json.loads((oracle / "scripts/scripts.json").read_text()):
        if not row.get("refused") and not row["error"]:
            yield {"name": "script " + row["name"], "file": row["file"], "concrete": row["concrete"],
                   "no_leaves": row["no_leaves"], "inputs": row["inputs"], "arguments": row["inputs"],
                   "expected": row["outputs"]}


def reopened(oracle):
    folder = oracle / "reopened"
    for name, row in json.loads((folder / "expected.json").read_text()).items():
        inputs = str(folder / f"{name}.inputs") if row.get("runs") else None
        # The source of some is left out elsewhere, to see what is said then.
        file = row.get("source") or ("reopened_source.py" if name.startswith("net_leaves") else None)
        source = {"source": str(folder / file)} if file else {}
        if row.get("packages"):
            source["packages"] = str(folder / row["packages"])
        yield {"name": "saved " + name, "file": str(folder / name), "inputs": inputs, "arguments": inputs, **source}


def run(oracle):
    for row in json.loads((oracle / "runs/runs.json").read_text()):
        if not row["file"].endswith(".json"):
            yield {"name": "run " + row["name"], "file": row["file"], "inputs": row["stem"] + ".inputs.pt",
                   "arguments": row["stem"] + ".inputs.pt", "seed": row["seed"] or 1}


def as_leaf(module, args, kwargs):
    """A graph that calls the module once: its tensors are the inputs, all else stands in the call."""
    graph, inputs = torch.fx.Graph(), []

    def argument(value):
        if isinstance(value, torch.Tensor):
            inputs.append(value)
            return graph.placeholder(f"x{len(inputs)}")
        if isinstance(value, (list, tuple)):
            items = [argument(item) for item in value]
            return items if isinstance(value, list) else tuple(items)
        return value

    graph.output(graph.call_module("leaf", tuple(map(argument, args)), {k: argument(v) for k, v in kwargs.items()}))
    root = torch.nn.Module()
    root.leaf = module
    return torch.fx.GraphModule(root, graph), inputs


def modules(folder):
    for info in module_db:
        rows = list(samples_of(info, folder))
        yield from rows or [{"name": f"module {info.formatted_name}", "skipped": "has no sample"}]


def samples_of(info, folder):
    name = info.formatted_name
    dtype = torch.float64 if "Fractional" in name else torch.float32  # what their samples are made of
    samples = info.module_inputs_func(info, device="cpu", dtype=dtype, requires_grad=False, training=False)
    for number, sample in enumerate(samples[: int(os.environ.get("FXSCOPE_MODULE_SAMPLES", "2"))]):
        given, forward = sample.constructor_input, sample.forward_input
        if forward is None:
            continue
        torch.manual_seed(number)
        module = info.module_cls(*given.args, **given.kwargs)
        module.train(number % 2 == 1)
        row = {"name": f"module {name} {number}"}
        try:
            if isinstance(module, torch.nn.modules.lazy.LazyModuleMixin):
                module(*forward.args, **forward.kwargs)
            graph, inputs = as_leaf(module, forward.args, forward.kwargs)
            stem = str(folder / f"{name}_{number}")
            torch.save(graph, stem + ".pt")
            torch.save(inputs, stem + ".inputs.pt")
            with torch.no_grad():
                torch.manual_seed(1)
                outputs = leaves(graph(*[x.clone() for x in inputs]))
            torch.save(outputs, stem + ".expected.pt")
        except Exception as error:
            yield {**row, "skipped": f"{type(error).__name__}: {error}"}
            continue
        yield {**row, "file": stem + ".pt", "inputs": stem + ".inputs.pt", "arguments": stem + ".inputs.pt",
               "expected": stem + ".expected.pt"}


def main():
    oracle, folder = map(pathlib.Path, sys.argv[1:3])
    (folder / "modules").mkdir(parents=True, exist_ok=True)
    rows = [*traced(oracle), *scripted(oracle), *reopened(oracle), *run(oracle), *modules(folder / "modules")]
    for number, row in enumerate(rows):
        row["folder"] = str(folder / f"package_{number}")
        row.setdefault("seed", 1)
    (folder / "manifest.json").write_text(json.dumps(rows, indent=1))
    print(f"{len(rows)} models")


if __name__ == "__main__":
    main()
