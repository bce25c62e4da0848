# SPDX-License-Identifier: GPL-3.0-or-later
"""Models that the pass lower has put on oneDNN's calls, in Python and saved again.

    check_lowered.py FORKED_CLI [PART_OF_A_NAME]

Of each: what it calls; that it computes what the model does, here and as an exported folder and a TorchScript program that torch runs;
that it opens again from a file with the same graph; and that a run with gradients is refused. clean_passes/cases.py has more models.
"""

import collections
import itertools
import pathlib
import re
import sys
import tempfile
import traceback
import warnings

warnings.filterwarnings("ignore")
sys.dont_write_bytecode = True
import torch
import torch.ao.quantization.fx._decomposed

HERE = pathlib.Path(__file__)
sys.path[:0] = [str(HERE.parents[1] / "support"), str(HERE.parent / "lowered")]
import images
from commands import Commands


torch.manual_seed(0)
INPUTS = {"Images": (torch.randn(2, 3, 33, 35),), "Words": (torch.randint(0, 20, (2, 7)),), "Volumes": (torch.randn(1, 2, 4, 5, 5),)}
# How often each operator of oneDNN is called. The sum of the block without a way around is not fused: the relu before it is read later.
CALLS = {"Images": {"_reorder_convolution_weight": 6, "_reorder_linear_weight": 1, "_linear_pointwise": 1, "_convolution_pointwise": 4, "_convolution_pointwise_": 2},
         "Words": {"_reorder_linear_weight": 3, "_linear_pointwise": 3},
         "Volumes": {"_reorder_convolution_weight": 1, "_convolution_pointwise": 1},
         # The padding is a call of its own there.
         "Volumes exported": {"_reorder_convolution_weight": 2, "_convolution_pointwise": 2}}


PACKED = "packs a weight for LibTorch's kernels, which a .pt2 has no place for"


def forms_of(form, dtype="float32"):
    """A .pt2 holds the operators of aten. TorchScript adds in the product what is added to it, which rounds bfloat16 otherwise."""
    return (("torchscript",) if dtype == "float32" or form != "decomposed" else ()) + (() if form == "traced" else ("pt2",))


class Checker:
    def __init__(self, commands, folder):
        self.commands, self.folder = commands, folder

    def run(self, *words):
        done = self.commands(*words)
        if done.code:
            raise RuntimeError(f"{words[0]}: {done.err.strip()}")
        return done

    def graph(self, file):
        return self.run("graph", file).out

    def values(self, file, inputs):
        out = self.folder / "values.pt"
        self.run("run", file, "--inputs", inputs, "--save", out)
        return torch.load(out)

    def check(self, name, form):
        model, args = images.build(name), INPUTS[name]
        inputs, state, out = (self.folder / file for file in ("inputs.pt", "state.pt", "out.fxg"))
        torch.save(list(args), inputs)
        torch.save(model.state_dict(), state)
        source = [f"{images.__file__}:build('{name}')", "--state", state]
        if form != "traced":
            source = [self.folder / "model.pt2"]
            torch.export.save(torch.export.export(model, args), source[0])
        passes = (["cast", "lower"] if form == "bfloat16" else ["lower"]) + ["--always"]
        wanted, tolerance = model(*args).detach(), 5e-2 if form == "bfloat16" else 1e-5
        self.run("apply", *source, "--inputs", inputs, "-o", out, *passes)
        text = self.graph(out)
        calls = collections.Counter(re.findall(r"torch\.ops\.mkldnn\.(\w+)\.", text))
        has = form != "bfloat16" or torch.ops.mkldnn._is_mkldnn_bf16_supported()
        if form != "bfloat16" and calls != CALLS.get(f"{name} {form}", CALLS[name]) or bool(calls) != has:
            yield f"calls {dict(calls)}\n{text}"
        near = lambda value: torch.allclose(value.float(), wanted, rtol=tolerance, atol=tolerance * wanted.abs().max().item())
        if not near(self.values(out, inputs)):
            yield f"computes something else: {(self.values(out, inputs).float() - wanted).abs().max()}"
        again = self.folder / "again.fxg"
        self.run("export", out, again)
        if self.graph(again) != text:
            yield "opens again with another graph"
        yield from self.check_python(out, args, near, f"{name}_{form}", forms_of(form))
        if not has:
            return
        done = self.commands("run", out, "--inputs", inputs, "--autograd", "grad")
        if done.code != 1 or "has no gradient" not in done.err:
            yield f"runs with gradients: {done.code} {done.err}"

    def check_python(self, out, args, near, package, forms):
        """What other programs read of it: `forms`, and a package."""
        self.run("export", out, self.folder / package, "--no-verify")
        sys.path.insert(0, str(self.folder))
        try:
            with torch.no_grad():
                if not near(getattr(__import__(package), "FxModule")().eval()(*args)):
                    yield "computes something else in Python"
        finally:
            sys.path.pop(0)
        readers = {"torchscript": torch.jit.load, "pt2": lambda file: torch.export.load(file).module()}
        for form in forms:
            program = self.folder / f"program.{form}"
            program.unlink(missing_ok=True)
            done = self.commands("export", out, program, "--format", form)
            if form == "pt2" and "quantized.linear_prepack" in self.graph(out):
                if done.code != 1 or PACKED not in done.err or program.exists():
                    yield f"a packed weight is not refused: {done.err}"
                continue
            if done.code:
                yield f"is not written as {form}: {done.err}"
                continue
            with torch.no_grad():
                if not near(readers[form](program)(*args)):
                    yield f"computes something else as {form}"


def tell(cases, wanted, check):
    """Prints what `check(folder, *case)` yields, a case being some words, and ends."""
    failures = count = 0
    for case in cases:
        if wanted not in " ".join(case):
            continue
        count += 1
        with tempfile.TemporaryDirectory() as scratch:
            try:
                found = list(check(pathlib.Path(scratch), *case))
            except Exception:
                found = [traceback.format_exc(limit=-3)]
        failures += bool(found)
        for text in found:
            print(f"{' '.join(case)}: {text}")
    print(f"{count - failures} of {count} models are sound")
    sys.exit(1 if failures or not count else 0)


def main():
    commands = Commands(sys.argv[1])
    cases = itertools.product(INPUTS, ("traced", "exported", "bfloat16"))
    tell(cases, "".join(sys.argv[2:]), lambda folder, *case: Checker(commands, folder).check(*case))


if __name__ == "__main__":
    main()
