# SPDX-License-Identifier: GPL-3.0-or-later
"""Quantized models that the pass lower has put on oneDNN's calls over integers, in Python and saved again.

    check_lowered_integers.py FORKED_CLI [PART_OF_A_NAME]

Of each: how many of which calls; that it errs no more than the quantized model does; that Python computes the same to the bit; and that
it opens again from a file with the same graph.
"""

import itertools
import pathlib
import re
import sys
import warnings

warnings.filterwarnings("ignore")
sys.dont_write_bytecode = True
import torch

HERE = pathlib.Path(__file__)
sys.path[:0] = [str(HERE.parents[1] / "support"), str(HERE.parent / "lowered")]
import images
from check_lowered import Checker, forms_of, tell
from commands import Commands

torch.manual_seed(0)
INPUTS = {"Images": (torch.randn(4, 3, 33, 35),), "Words": (torch.randint(0, 20, (2, 7)),), "Nets": (torch.randn(4, 4, 20, 20),),
          "Volumes": (torch.randn(1, 2, 4, 5, 5),), "Shared": (torch.randn(2, 6, 8, 8),),
          "Sounds": (torch.randn(2, 4, 40),)}
# By model and mode, and by form where that differs: convolutions, those with a sum, linear layers, poolings of integers.
CALLS = {"Images static": (5, 1, 1, 1), "Images decomposed static": (5, 1, 1, 0),  # with indices there
         "Words static": (0, 0, 3, 0), "Nets static": (4, 0, 1, 1), "Nets decomposed static": (4, 0, 1, 0),
         # The padding is a call of its own there.
         "Volumes traced static": (1, 0, 0, 0), "Volumes exported static": (2, 0, 0, 0), "Volumes decomposed static": (3, 0, 0, 0),
         "Shared static": (2, 0, 2, 0), "Images dynamic": (0, 0, 1, 0), "Words dynamic": (0, 0, 3, 0), "Nets dynamic": (0, 0, 1, 0),
         "Volumes dynamic": (0, 0, 0, 0), "Shared dynamic": (0, 0, 2, 0), "Sounds static": (2, 0, 0, 0), "Sounds dynamic": (0, 0, 0, 0)}
COUNTED = (r"qconv_pointwise\.", r"qconv2d_pointwise\.binary", r"qlinear_pointwise\.", r"quantized\.max_pool2d\.")


def sqnr(value, wanted):
    error = (value.double() - wanted.double()).pow(2).mean()
    return 10 * torch.log10(wanted.double().pow(2).mean() / error.clamp(min=1e-30)).item()


class IntegerChecker(Checker):
    def check(self, name, form, mode):
        model, args = images.build(name), INPUTS[name]
        inputs, state, quantized, out = (self.folder / file for file in ("inputs.pt", "state.pt", "quantized.fxg", "out.fxg"))
        torch.save(list(args), inputs)
        torch.save(model.state_dict(), state)
        source = [f"{images.__file__}:build('{name}')", "--state", state]
        if form != "traced":
            source = [self.folder / "model.pt2"]
            program = torch.export.export(model, args)
            torch.export.save(program.run_decompositions() if form == "decomposed" else program, source[0])
        self.run("apply", *source, "--inputs", inputs, "-o", quantized, "quantize", "--mode", mode)
        done = self.run("apply", quantized, "--inputs", inputs, "-o", out, "lower", "--always")
        text = self.graph(out)
        calls = tuple(len(re.findall(pattern, text)) for pattern in COUNTED)
        if calls != CALLS.get(f"{name} {form} {mode}", CALLS.get(f"{name} {mode}")):
            yield f"calls {calls}\n{done.err}{text}"
        wanted = model(*args).detach()
        before, after = self.values(quantized, inputs), self.values(out, inputs)
        loss = 7 if mode == "dynamic" else 3  # of values a bit, where the processor cuts off sums over all
        if sqnr(after, wanted) < min(sqnr(before, wanted) - loss, 90):
            yield f"errs more: {sqnr(after, wanted):.1f} dB, {sqnr(before, wanted):.1f} dB before"
        if sqnr(after, before) < 25:
            yield f"computes something else: {sqnr(after, before):.1f} dB"
        again = self.folder / "again.fxg"
        self.run("export", out, again)
        if self.graph(again) != text:
            yield "opens again with another graph"
        yield from self.check_python(out, args, lambda value: torch.equal(value, after), f"{name}_{form}_{mode}", forms_of(form))


def main():
    commands = Commands(sys.argv[1])
    cases = itertools.product(INPUTS, ("traced", "exported", "decomposed"), ("static", "dynamic"))
    tell(cases, "".join(sys.argv[2:]), lambda folder, *case: IntegerChecker(commands, folder).check(*case))


if __name__ == "__main__":
    main()
