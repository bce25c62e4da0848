# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs tests/oracle/arrays with numpy and with our text of it: every number is the same, to the last bit. numpy is told to leave out what it has for
AVX-512 alone, so that it calls libm, as we do; LIMITS has what it computes by itself even so.

    check_arrays.py FORKED_CLI
"""

import ast
import importlib
import os
import pathlib
import sys
import tempfile
import warnings

if "NPY_DISABLE_CPU_FEATURES" not in os.environ:
    os.environ["NPY_DISABLE_CPU_FEATURES"] = "X86_V4 AVX512_ICL AVX512_SPR"
    os.execv(sys.executable, [sys.executable, "-W", "ignore", *sys.orig_argv[1:]])
warnings.filterwarnings("ignore")
sys.dont_write_bytecode = True
import torch

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "support"), str(HERE / "arrays")]
from commands import Commands
from packing import unpacked

# Units in the last place: numpy has polynomials of its own for these.
LIMITS = {f"{name} {dtype}": 3 for name in ("exp", "log", "sin", "cos", "tanh", "sinc") for dtype in ("float32", "uint16")}
LIMITS |= {f"{name} float16": 1 for name in ("exp", "log", "sin", "cos", "tanh", "sinc")}
LIMITS |= {f"tanh {dtype}": 2 for dtype in ("float64", "int64", "int32", "uint32", "uint64")}


def apart(ours, theirs):
    """Units in the last place between two tensors of floating-point numbers; infinite where a sign or a NaN differs."""
    same = (ours == theirs) & (ours.signbit() == theirs.signbit()) | ours.isnan() & theirs.isnan()
    if same.all():
        return 0
    bits = {torch.float64: torch.int64, torch.float32: torch.int32, torch.float16: torch.int16}[ours.dtype]
    distance = (ours[~same].view(bits).long() - theirs[~same].view(bits).long()).abs()
    return float("inf") if (ours[~same].isnan() != theirs[~same].isnan()).any() else distance.max().item()


def fault(ours, theirs, limit):
    """None: the same."""
    if type(ours) is not type(theirs):
        return f"a {type(ours).__name__}, not a {type(theirs).__name__}: {str(ours)[:90]}, not {str(theirs)[:90]}"
    if isinstance(theirs, list):
        if len(ours) != len(theirs):
            return f"{len(ours)} results, not {len(theirs)}"
        faults = [f"result {at}: {found}" for at, pair in enumerate(zip(ours, theirs)) if (found := fault(*pair, limit))]
        return faults[0] if faults else None
    if not isinstance(theirs, torch.Tensor):
        return None if ours == theirs or ours != ours and theirs != theirs else f"{ours!r}, not {theirs!r}"
    if (ours.dtype, ours.shape) != (theirs.dtype, theirs.shape):
        return f"{ours.dtype} {tuple(ours.shape)}, not {theirs.dtype} {tuple(theirs.shape)}"
    if not theirs.is_floating_point():
        return None if torch.equal(ours, theirs) else f"other numbers: {ours.flatten()[:5]}, not {theirs.flatten()[:5]}"
    distance = apart(ours, theirs)
    return f"{distance} units in the last place" if distance > limit else None


def results(data, layout):
    return unpacked(data, ast.literal_eval(layout))


def main():
    commands = Commands(sys.argv[1])
    failures, count = [], 0
    for name in ("functions", "random_numbers"):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "results.pt"
            done = commands("run", f"{HERE / 'arrays' / name}.py:f", "--input", "x=ones(1)", "--save", file)
            if done.code:
                sys.exit(done.err)
            ours = results(*torch.load(file))
        theirs = results(*importlib.import_module(name).RESULTS)
        count += len(theirs)
        failures += [f"{name} {key}: only in one" for key in ours.keys() ^ theirs.keys()]
        failures += [f"{name} {key}: {found}" for key in theirs if key in ours and (found := fault(ours[key], theirs[key], LIMITS.get(key, 0)))]
    print("\n".join(failures))
    sys.exit(f"{len(failures)} of {count} cases differ" if failures else 0)


main()
