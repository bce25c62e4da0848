# SPDX-License-Identifier: GPL-3.0-or-later
"""Models that are split by what TorchScript or AOTInductor supports, and their parts in Python.

    check_backend_parts.py FORKED_CLI

Each part of a split for TorchScript is written by fxscope as a program; put into the exported model in the place of the part it computes the
same. Each part of a split for AOTInductor is exported by torch.export and decomposed as Inductor does: it has a lowering for all that is left,
and has none for what was refused.
"""

import importlib
import pathlib
import re
import sys
import tempfile
import traceback
import warnings

warnings.filterwarnings("ignore")
sys.dont_write_bytecode = True
import torch
import torch._inductor.decomposition
import torch._inductor.lowering
from torch.utils._pytree import tree_leaves

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "support"), str(HERE / "backend_parts")]
import models
from commands import Commands


def close(one, other):
    pairs = list(zip(tree_leaves(one), tree_leaves(other), strict=True))
    return bool(pairs) and all(torch.allclose(a, b, rtol=1e-5, atol=1e-6) for a, b in pairs)


def given_to(model, x):
    """What each part is given in a run."""
    given, hooks = {}, []
    for name, part in model.named_children():
        if name.startswith("fused_"):
            hooks.append(part.register_forward_pre_hook(lambda _, args, name=name: given.__setitem__(name, args)))
    model(x)
    for hook in hooks:
        hook.remove()
    return given


class Split:
    def __init__(self, commands, name, table, folder):
        self.commands, self.folder, self.model, self.x = commands, folder, models.build(name), models.MODELS[name][1]()
        state, inputs, self.file = (folder / file for file in ("state.pt", "inputs.pt", "parts.fxg"))
        torch.save(self.model.state_dict(), state)
        torch.save([self.x], inputs)
        self.told = self.run("apply", f"{models.__file__}:build('{name}')", "--state", state, "--inputs", inputs, "-o", self.file, "shape-prop", "split",
                             "--by", "support", "--support", table, "--allows-single-node-partition").err
        package = f"{name.lower()}_{table}"
        self.run("export", self.file, folder / package, "--name", "Parts", "--inputs", inputs)
        sys.path.insert(0, str(folder))
        self.parts = importlib.import_module(package).Parts().eval()
        sys.path.remove(str(folder))

    def run(self, *words):
        done = self.commands(*words)
        if done.code:
            raise RuntimeError(f"{words[0]}: {done.err.strip()}")
        return done

    def refused(self):
        """The names in the lines "2 left alone, REASON: a, b"."""
        return {name for names in re.findall(r"(?m)^\d+ left alone, .*: ([\w, ]+)$", self.told) for name in names.split(", ")}


def torchscript(split):
    given = given_to(split.parts, split.x)
    for name in given:
        split.run("export", split.file, split.folder / f"{name}.pt", "--format", "torchscript", "--module", name)
        setattr(split.parts, name, torch.jit.load(split.folder / f"{name}.pt"))
    if not given or not close(split.parts(split.x), split.model(split.x)):
        yield f"{len(given)} parts compute something else"


def lowered(program):
    """Of the operators of a program, as Inductor gets them, those that it has no lowering for."""
    left = program.run_decompositions(torch._inductor.decomposition.select_decomp_table())
    ops = {node.target for node in left.graph.nodes if isinstance(node.target, torch._ops.OpOverload)}
    known = {*torch._inductor.lowering.lowerings, *torch._inductor.lowering.fallbacks}
    return ops, {op for op in ops - known if not op._can_decompose()}


def aotinductor(split):
    given = given_to(split.parts, split.x)
    for name, args in given.items():
        ops, missing = lowered(torch.export.export(getattr(split.parts, name), tuple(args)))
        if not ops or missing:
            yield f"{name}: of {len(ops)} operators Inductor has none of {missing}"
    if not given or not close(split.parts(split.x), split.model(split.x)):
        yield f"{len(given)} parts compute something else"


def refused_by_inductor():
    for call, args in ((torch.masked_select, (torch.randn(4), torch.ones(4, dtype=torch.bool))), (torch.polar, (torch.rand(4), torch.randn(4)))):
        class Alone(torch.nn.Module):
            def forward(self, *values):
                return call(*values)
        if not lowered(torch.export.export(Alone(), args))[1]:
            yield f"Inductor has a lowering of {call}"


def main():
    commands, failures, count = Commands(sys.argv[1]), [f"{text}" for text in refused_by_inductor()], 0
    for check in (torchscript, aotinductor):
        for name in models.MODELS:
            count += 1
            with tempfile.TemporaryDirectory() as folder:
                try:
                    split = Split(commands, name, check.__name__, pathlib.Path(folder))
                    found = list(check(split))
                    if split.refused() != models.REFUSED[check.__name__, name]:
                        found.append(f"refused {split.refused()}: {split.told}")
                except Exception:
                    found = [traceback.format_exc(limit=-3)]
            failures += [f"{name} {check.__name__}: {text}" for text in found]
    for failure in failures:
        print(failure)
    print(f"{count} splits, {len(failures)} failures")
    sys.exit(1 if failures or not count else 0)


if __name__ == "__main__":
    main()
