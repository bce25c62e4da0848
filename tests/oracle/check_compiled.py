# SPDX-License-Identifier: GPL-3.0-or-later
"""Models and parts of them are compiled, by AOTInductor or to TorchScript, and run without Python.

    check_compiled.py FORKED_CLI aotinductor|torchscript

What is compiled computes what Python does. What cannot run compiled is interpreted, computes the same, and why is told: other inputs, a
changed model, no package, a damaged one.
"""

import os
import pathlib
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
sys.dont_write_bytecode = True
import torch
from torch.utils._pytree import tree_leaves

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "support"), str(HERE / "backend_parts")]
import models
from commands import Commands

PATH = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])  # where this python3 is the first
FAILURES = []


def expect(is_so, what):
    if not is_so:
        FAILURES.append(what)


class Case:
    def __init__(self, commands, folder, name):
        self.commands, self.folder, self.model, self.x = commands, folder, models.build(name), models.MODELS[name][1]()
        torch.save(self.model.state_dict(), folder / "state.pt")
        self.source = f"{models.__file__}:build('{name}')", "--state", folder / "state.pt"
        self.marked = folder / f"{name}.fxg"

    def apply(self, *passes):
        torch.save([self.x], self.folder / "inputs.pt")
        done = self.commands("apply", *self.source, "--inputs", self.folder / "inputs.pt", "-o", self.marked, *passes, timeout=600)
        expect(done.code == 0, f"apply: {done.err}")
        return done.err

    def check(self, note, file=None, x=None, wanted=None, commands=None, options=()):
        """Runs the marked model; what it tells is `note`, or nothing."""
        x = self.x if x is None else x
        torch.save([x], self.folder / "given.pt")
        done = (commands or self.commands)("run", file or self.marked, "--inputs", self.folder / "given.pt", "--save", self.folder / "out.pt", *options)
        expect(done.code == 0, f"run: {done.err}")
        expect(note in done.err if note else "interpreted" not in done.err, f"told {done.err!r}, not {note!r}")
        with torch.no_grad():
            wanted = self.model(x) if wanted is None else wanted
        got = torch.load(self.folder / "out.pt")
        expect(all(torch.allclose(a, b, rtol=1e-3, atol=1e-4) for a, b in zip(tree_leaves(got), tree_leaves(wanted), strict=True)), f"{note}: other values")


def whole(commands, folder):
    case = Case(commands, folder, "Layers")
    told = case.apply("lower", "--to", "aotinductor", "--always")
    expect("SQNR of the compiled one" in told and " after" in told, f"told {told!r}")
    packages = list((folder / "cache").rglob("*.pt2"))
    expect(len(packages) == 1, f"{packages}: not one package")
    case.check("")
    case.check("", options=("--autograd", "grad"))
    case.check("compiled for other inputs", x=torch.cat([case.x, case.x]))
    changed = folder / "changed.fxg"
    done = commands("apply", case.marked, "-o", changed, "insert", "--call", "torch.neg(fc2)", "--replaces", "fc2")
    expect(done.code == 0, f"insert: {done.err}")
    with torch.no_grad():
        model = case.model
        wanted = torch.relu(-model.fc2(model.norm(torch.nn.functional.gelu(model.fc1(case.x)))))
    case.check("it was changed since", file=changed, wanted=wanted)
    expect("its package was in the cache" in case.apply("lower", "--to", "aotinductor", "--always"), "compiled again")
    content = packages[0].read_bytes()
    packages[0].write_bytes(content[: len(content) // 2])
    case.check("cannot be loaded")
    packages[0].unlink()
    case.check("its package is not in")
    measured(case, folder, "aotinductor")


def measured(case, folder, form):
    """Compiled where that is faster, and else as it was; which of them is the machine's affair."""
    told = case.apply("lower", "--to", form)
    expect(" before, " in told and " after" in told, f"told {told!r}")
    case.check("")
    for package in (folder / "cache").rglob("*.pt*"):
        package.unlink()
    case.check("" if "nothing was changed: it measured no faster, " in told else "its package is not in")


def parts(commands, folder):
    """The calls between those that Inductor has nothing for."""
    case = Case(commands, folder, "Branches")
    told = case.apply("shape-prop", "split", "--by", "support", "--support", "aotinductor", "lower", "--to", "aotinductor", "--part", "fused_0",
                      "--always")
    expect("fused_0: SQNR of the compiled one" in told, f"told {told!r}")
    case.check("")
    elsewhere = Commands(sys.argv[1], XDG_CACHE_HOME=str(folder / "empty"), PATH=PATH)
    case.check("'fused_0' is marked as compiled and was interpreted: its package is not in", commands=elsewhere)


def scripted_parts(commands, folder):
    """A part that TorchScript has a form for; what has none is interpreted, and that is told."""
    case = Case(commands, folder, "Branches")
    told = case.apply("split", "--by", "support", "--support", "torchscript", "lower", "--to", "torchscript", "--part", "fused_0", "--always")
    expect("fused_0: SQNR of the compiled one" in told, f"told {told!r}")
    case.check("")
    told = case.apply("lower", "--to", "torchscript", "--always")
    expect("is interpreted: " in told and "control flow" in told, f"told {told!r}")
    case.check("")


def programs(commands, folder):
    """In each form; the program that lies in the cache is one of Python's, too."""
    for name in "Images", "Waves", "Layers", "Attention":
        case = Case(commands, folder, name)
        for options in [], ["--freeze"], ["--optimize"]:
            told = case.apply("lower", "--to", "torchscript", *options, "--always")
            expect("SQNR of the compiled one" in told and " after" in told, f"{name} {options}: told {told!r}")
            if options == ["--optimize"]:
                expect("the fastest: torchscript-" in told, f"{name}: told {told!r}")
                expect(all(f"{form}: " in told for form in ("torchscript-frozen", "torchscript-optimized", "torchscript-fused")), told)
            case.check("")
            case.check("", options=("--autograd", "grad"))
        kept = list((folder / "cache").rglob("*.pt"))
        expect(len(kept) == 2, f"{name}: {kept}: not a plain and a frozen one")
        for package in kept:
            with torch.no_grad():
                same = zip(tree_leaves(torch.jit.load(package)(case.x)), tree_leaves(case.model(case.x)), strict=True)
                expect(all(torch.allclose(a, b, rtol=1e-4, atol=1e-5) for a, b in same), f"{name}: other values in Python")
            package.unlink()
        case.check("its package is not in")
        measured(case, folder, "torchscript")
    case.apply("lower", "--to", "torchscript", "--freeze", "--always")
    case.check("compiled for other inputs", x=torch.cat([case.x, case.x]))


CHECKS = {"aotinductor": (whole, parts), "torchscript": (programs, scripted_parts)}


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        commands = Commands(sys.argv[1], XDG_CACHE_HOME=str(folder / "cache"), PATH=PATH)
        for check in CHECKS[sys.argv[2]]:
            try:
                check(commands, folder)
            except Exception as error:
                FAILURES.append(f"{check.__name__}: {type(error).__name__}: {error}")
    for failure in FAILURES:
        print(failure)
    sys.exit(1 if FAILURES else 0)


if __name__ == "__main__":
    main()
