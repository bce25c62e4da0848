#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes what PyTorch says to calls of its functions in C: the message of a wrong one, the result of a right one.
# Usage: make_binding_calls.py OUT. Calls are those of binding_calls.txt, and for each function of the table of signatures
# some that hardly fit any. tst_binding.cpp makes the same calls.
import ast
import json
import pathlib
import sys
import types
import warnings

import torch

warnings.simplefilter("ignore")
HERE = pathlib.Path(__file__).parent
TABLE = HERE.parents[2] / "core" / "torch" / "tables" / "signatures.txt"
# Few of these fit; where one does, nothing is compared.
HARDLY_FIT = ([], ["'a'"], ["None"], ["1.5"], ["x", "'a'"], ["x", "[x, 1]"], ["[x, 1]"], ["x", "x", "{}"], ["x"] * 14,
              ["x", "foo=1"], ["x", "1", "foo=1", "bar='a'"], ["size=2.5"], ["x", "dim='a'"], ["(1, 'a')"], ["x", "dtype=3"])


def dump(value):
    """Text that differs where values differ; tst_binding.cpp has the same."""
    if isinstance(value, torch.Tensor):
        return dump_tensor(value)
    if isinstance(value, torch.Size):
        return "Size" + dump(list(value))
    if isinstance(value, tuple):
        fields = [name for name in getattr(type(value), "__match_args__", ())]
        name = f"{type(value).__module__}.{type(value).__name__}" if fields else ""
        items = [dump(item) for item in value]
        return name + "(" + ", ".join([f"{f}={i}" for f, i in zip(fields, items)] if fields else items) + ")"
    if isinstance(value, list):
        return "[" + ", ".join(map(dump, value)) + "]"
    if isinstance(value, float):
        return value.hex() if value == value else "nan"
    if isinstance(value, complex):
        return f"complex {value.real.hex()} {value.imag.hex()}"
    return str(value)


def dump_tensor(tensor):
    head = f"{tensor.dtype} {list(tensor.shape)} {tensor.device}" + (" grad" if tensor.requires_grad else "")
    if tensor.device.type == "meta":
        return head
    if tensor.layout is not torch.strided:
        return f"{head} {tensor.layout} " + dump(tensor.to_dense())
    data = tensor.detach().resolve_conj().resolve_neg().contiguous().reshape(-1).view(torch.uint8)
    return f"{head} {bytes(data.tolist()).hex()}"


def variables(lines):
    names = {"torch": torch}
    for line in lines:
        name, _, text = line.partition(" = ")
        names[name] = eval(text, names)
    return names


class Calls:
    def __init__(self, preamble):
        self.preamble, self.rows = preamble, []

    def add(self, target, words, only_faults=False):
        """`target`: "torch.add", or ".add" of a method whose self comes first. `words`: texts, "name=text" by name."""
        names = variables(self.preamble)
        args, kwargs = [], []
        for word in words:
            name, equals, text = word.partition("=")
            kwargs.append((name, text)) if equals and name.isidentifier() else args.append(word)
        function = getattr(torch.Tensor, target[1:]) if target.startswith(".") else eval(target, names)
        if isinstance(function, (property, types.GetSetDescriptorType)):
            function = lambda value, *args: getattr(value, target[1:])(*args)
        try:
            values = [eval(text, names) for text in args]
            outcome = dump(function(*values, **{name: eval(text, names) for name, text in kwargs}))
            isFault = False
        except Exception as error:
            outcome = f"{type(error).__name__}: {str(error).split(chr(10) + 'Exception raised from')[0]}"
            isFault = isinstance(error, TypeError)
        if isFault or not only_faults:
            self.rows.append({"target": target, "args": args, "kwargs": kwargs, "outcome": outcome})


def written_calls(calls, lines):
    for line in lines:
        call = ast.parse(line, mode="eval").body
        function = ast.unparse(call.func)
        words = [ast.unparse(arg) for arg in call.args] + [f"{k.arg}={ast.unparse(k.value)}" for k in call.keywords]
        if not function.startswith("torch."):
            words.insert(0, ast.unparse(call.func.value))
            function = "." + call.func.attr
        calls.add(function, words)


def is_c(function):
    return isinstance(function, (types.BuiltinFunctionType, types.MethodDescriptorType))


def calls_that_hardly_fit(calls):
    namespace = ""
    for line in TABLE.read_text().splitlines():
        if line.startswith("@ "):
            namespace = line[2:]
        elif line and line[0] not in "# ":
            name = line.split()[0]
            isMethod = namespace == "torch.Tensor"
            place = {"torch": "torch._C._VariableFunctions"}.get(namespace, namespace)
            if not is_c(getattr(eval(place), name, None)) or name in ("apply_", "map_", "map2_", "new", "_make_subclass"):
                continue
            for words in HARDLY_FIT:
                target = f".{name}" if isMethod else f"{place}.{name}"
                calls.add(target, ["x", *words] if isMethod else words, only_faults=True)


def main(out):
    lines = [line for line in (HERE / "binding_calls.txt").read_text().splitlines() if line and not line.startswith("#")]
    preamble = [line for line in lines if line.split(" = ")[0].isidentifier()]
    calls = Calls(preamble)
    written_calls(calls, [line for line in lines if line not in preamble])
    count = len(calls.rows)
    calls_that_hardly_fit(calls)
    pathlib.Path(out).write_text(json.dumps({"preamble": preamble, "written": count, "calls": calls.rows}))


if __name__ == "__main__":
    main(*sys.argv[1:])
