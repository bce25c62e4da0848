# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs passes over .pt2 files, by torch.export and by `fxscope apply`, and compares what they print and what they leave.

    check_exported_passes.py FORKED_CLI [PART_OF_A_NAME]

The models and the passes are those of the folder exported_passes. A pass of an ExportedProgram is given what torch.export.load gives,
any other its module(); what is left is a module().
"""

import contextlib
import inspect
import io
import pathlib
import sys
import tempfile

import check_user_passes
import torch

sys.path[:0] = [str(pathlib.Path(__file__).parent / "exported_passes"), str(pathlib.Path(__file__).parents[1] / "support")]
import models
import passes
from commands import Commands


def by_torch(file, function):
    program = torch.export.load(file)
    first = next(iter(inspect.signature(function).parameters))
    out = io.StringIO()
    given = program if first in ("ep", "exported_program") else program.module(check_guards=False)
    before = str(program.module(check_guards=False).graph)
    with contextlib.redirect_stdout(out):
        result = function(given)
    given = given if result is None else result
    if isinstance(given, torch.export.ExportedProgram):
        given = given.module(check_guards=False)
    return {"out": out.getvalue(), "graph": str(given.graph), "before": before}


def main():
    commands = Commands(sys.argv[1])
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    source = pathlib.Path(passes.__file__)
    names = [name for name, value in vars(passes).items()
             if inspect.isfunction(value) and value.__module__ == "passes" and not name.startswith("_")]
    failures = count = 0
    with tempfile.TemporaryDirectory() as scratch:
        for model in models.MODELS:
            file, result = pathlib.Path(scratch, f"{model}.pt2"), pathlib.Path(scratch, "out.fxg")
            torch.export.save(models.exported(model), file)
            for name in names:
                if wanted not in f"{model} {name}":
                    continue
                count += 1
                told = check_user_passes.in_child(lambda: by_torch(file, getattr(passes, name)))
                done = commands("apply", file, f"{source}:{name}", "-o", result)
                found = [told["broken"]] if "broken" in told else []
                if not found and done.code:
                    found = [f"fails\n  here:  {done.err}"]
                elif not found:
                    graph = commands("graph", result).out
                    found = [f"{what}\n{text}" for what, text in (
                        ("printed", check_user_passes.first_difference(done.out, told["out"])),
                        ("graph", check_user_passes.first_difference(graph, told["graph"]))) if text]
                if not found and told["graph"] == told["before"] and not told["out"]:
                    found = ["shows nothing"]
                failures += bool(found)
                for text in found:
                    print(f"{model} {name}: {text}")
    print(f"{count - failures} of {count} cases are the same")
    sys.exit(1 if failures or not count else 0)


if __name__ == "__main__":
    main()
