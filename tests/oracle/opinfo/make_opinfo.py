# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the sample inputs of PyTorch's operator database through torch.fx, for test_opinfo to do the same.

    make_opinfo.py FOLDER [--only NAME...] [--dtype NAME...] [--slice PERCENT] [--jobs N]

    build/release/bin/test_opinfo FOLDER --failures      then compares, and prints tables by namespace and dtype

Every sample becomes a graph as the tracer records it: of the function, of the method, in place, by an operator.
FOLDER/NAME.DTYPE.jsonl has a line for each graph, with what the real torch.fx.Interpreter gives for it or the
error that it raises; tensors are in the .bin beside it.
"""

import argparse
import gc
import os
import pathlib
import sys
import time
import types
import unittest
import warnings
import zlib

warnings.filterwarnings("ignore")
if "expecttest" not in sys.modules:
    # The database imports a package of which it uses nothing here.
    sys.modules["expecttest"] = types.ModuleType("expecttest")
    sys.modules["expecttest"].TestCase = unittest.TestCase
import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.opinfo.core import SampleInput

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from recorder import Recorder, forms, seed_all
from modules import module_db, record_module

DTYPES = ["float32", "int64", "bool", "complex64", "bfloat16"]
FURTHER = 2  # samples of each operator that are also run with other memory


def label(op):
    """The operator as a person names it: "linalg.norm", "nn.functional.interpolate:bilinear"."""
    return op.name + (f":{op.variant_test_name}" if op.variant_test_name else "")


def record_further(recorder, number, op, sample):
    """The function with memory laid out otherwise, and with memory given for its result."""
    tensors = [value for value in (sample.input, *sample.args, *sample.kwargs.values()) if isinstance(value, torch.Tensor)]
    if any(tensor.numel() > 1 for tensor in tensors) and all(tensor.layout == torch.strided for tensor in tensors):
        recorder.record(number, "noncontiguous", op.op, sample.noncontiguous())
    if not op.supports_out or "out" in sample.kwargs or op.name.startswith("torch.ops"):
        return
    try:
        result = op.op(sample.input, *sample.args, **sample.kwargs)
    except Exception:
        return
    empty = [torch.empty(0, dtype=item.dtype) for item in (result if isinstance(result, (tuple, list)) else [result])
             if isinstance(item, torch.Tensor) and item.layout == torch.strided]
    if isinstance(result, torch.Tensor) and empty:
        out = empty[0]
    elif isinstance(result, (tuple, list)) and len(empty) == len(result):
        out = tuple(empty)
    else:
        return
    recorder.record(number, "out", op.op, SampleInput(sample.input, args=sample.args, kwargs={**sample.kwargs, "out": out}))


def record_operator(folder, op, dtypes):
    space = namespace(op)
    for name in dtypes:
        dtype = getattr(torch, name)
        if dtype not in op.supported_dtypes("cpu"):
            continue
        recorder = Recorder(folder, f"{label(op).replace(':', '~')}.{name}",
                            {"operator": label(op), "namespace": space, "dtype": name})
        seed_all()
        try:
            for number, sample in enumerate(op.sample_inputs("cpu", dtype)):
                for form, function in forms(op):
                    if form != "function" and not isinstance(sample.input, torch.Tensor):
                        continue
                    if form.startswith("inplace") and sample.broadcasts_input:
                        continue
                    recorder.record(number, form, function, sample)
                if number < FURTHER:
                    record_further(recorder, number, op, sample)
        except Exception as error:
            recorder.skip(f"the database fails: {type(error).__name__}: {error}")
        if name == "float32" and op.error_inputs_func is not None:
            try:
                for number, case in enumerate(op.error_inputs("cpu")):
                    recorder.record(number, "error", op.op, case.sample_input)
            except Exception as error:
                recorder.skip(f"the database fails: {type(error).__name__}: {error}")
        recorder.close()


def namespace(op):
    for space in ("nn.functional", "linalg", "fft", "special", "signal", "masked", "sparse"):
        if op.name.startswith(space + "."):
            return space
    if op.name.startswith("torch.ops"):
        return "torch.ops"
    return "torch" if hasattr(torch, op.name) else "Tensor"


def in_slice(name, percent):
    return zlib.crc32(name.encode()) % 100 < percent


def run_in_children(tasks, jobs):
    """Each task in a process of its own, so that a crash loses one operator; gives those that crashed."""
    running, failed = {}, []
    tasks = list(tasks)
    while tasks or running:
        if tasks and len(running) < jobs:
            name, work = tasks.pop()
            child = os.fork()
            if child == 0:
                work()
                os._exit(0)
            running[child] = name
            continue
        child, status = os.wait()
        if status:
            failed.append(running[child])
        del running[child]
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--dtype", nargs="*", default=DTYPES)
    parser.add_argument("--slice", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    if not options.only:
        for old in options.folder.glob("*.*"):
            old.unlink()
    torch.set_num_threads(1)
    begin = time.time()
    chosen = [op for op in op_db if in_slice(op.name, options.slice) and
              (not options.only or op.name in options.only or label(op) in options.only)]
    modules = [info for info in module_db if in_slice(info.name, options.slice) and
               (not options.only or info.name in options.only)]
    gc.freeze()
    tasks = [(label(op), lambda op=op: record_operator(options.folder, op, options.dtype)) for op in chosen]
    tasks += [(info.name, lambda info=info: record_module(options.folder, info, options.dtype)) for info in modules]
    failed = run_in_children(tasks, options.jobs)
    print(f"{len(chosen)} operators and {len(modules)} modules in {time.time() - begin:.0f} s")
    for name in failed:
        print("failed to record:", name)
    return 1 if failed or not tasks else 0


if __name__ == "__main__":
    sys.exit(main())
