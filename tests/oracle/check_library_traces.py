#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# Traces PyTorch's Python functions and our text of them with torch.fx, a Proxy in one parameter at a time that the
# tables do not check, so that the body runs: graphs and errors must be equal.
# Usage: check_library_traces.py core/torch
import ast
import inspect
import pathlib
import sys
import warnings

import torch
from torch import fx

import check_function_table as table
import check_library_functions as library

THEIRS = {"F": torch.nn.functional, "fn": torch.functional, "w": torch.signal.windows}
FULL = {"F": "torch.nn.functional.", "fn": "torch.functional.", "w": "torch.signal.windows."}
# A Proxy there is no use of the function; the bodies may then ask other things of it.
LEFT_OUT = {("F.cross_entropy", "size_average"), ("F.linear_cross_entropy", "options"), ("fn.norm", "p"),
            ("F.triplet_margin_with_distance_loss", "distance_function"), ("fn.norm", "keepdim"),
            ("fn.svd_lowrank", "q"), ("w.exponential", "center"), ("w.general_cosine", "a")}
# What a trace cannot hold; with options, PyTorch's own graph holds an operator that is registered from Python.
ODD_ARGUMENTS = ("ScalingType", "LinearCrossEntropyOptions")


def arguments_of(case, call):
    """The case's arguments, made anew."""
    torch.manual_seed(0)
    names = {"t": library.random_tensor, "i": library.ints, "c": library.chances, "torch": torch, **THEIRS}
    return eval(f"(lambda *args, **kwargs: (args, kwargs))({case[len(ast.unparse(call.func)) + 1:]}", names)


def traced(function, case, call, position, name):
    args, kwargs = arguments_of(case, call)

    def forward(x):
        given = list(args)
        if position < len(given):
            given[position] = x
            return function(*given, **kwargs)
        return function(*given, **{**kwargs, name: x})

    try:
        return str(fx.symbolic_trace(forward).graph)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def unchecked(rows, short, name):
    """Positions and names of the parameters at which the body runs; none where the function takes any number."""
    row = rows.get(FULL[short] + name)
    is_python = row and row["kind"] == "python"
    real = getattr(THEIRS[short], name)
    signature = table.signature_of(row) if is_python else inspect.signature(real)
    if any(p.kind is p.VAR_POSITIONAL for p in signature.parameters.values()):
        return []
    checks = [word.lstrip("*") for word in table.split_words(row["lines"][1], "checks")] if is_python else []
    return [(at, each) for at, each in enumerate(signature.parameters)
            if each not in checks and (f"{short}.{name}", each) not in LEFT_OUT]


def main(folder):
    warnings.simplefilter("ignore")
    folder = pathlib.Path(folder)
    modules = library.load(folder.absolute() / "library/torch")
    rows = table.read_rows(folder / "tables/functions.txt")
    cases = (pathlib.Path(__file__).parent / "library_function_cases.txt").read_text().splitlines()
    count, faults = 0, []
    for case in cases:
        call = None if case.startswith("#") else ast.parse(case, mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        short, name = call.func.value.id, call.func.attr
        is_odd = any(word in case for word in ODD_ARGUMENTS)
        if short not in FULL or not inspect.isfunction(getattr(THEIRS[short], name)) or is_odd:
            continue
        for position, parameter in unchecked(rows, short, name):
            real = traced(getattr(THEIRS[short], name), case, call, position, parameter)
            ours = traced(getattr(modules[short], name), case, call, position, parameter)
            count += 1
            if real != ours:
                faults.append(f"{case} with a Proxy for {parameter}\n  torch.fx gives {real}\n  with our text {ours}")
    if faults or count < 1500:
        sys.exit("\n".join(faults) or f"only {count} traces")
    print(f"{count} traces are equal")


if __name__ == "__main__":
    main(*sys.argv[1:])
