# SPDX-License-Identifier: GPL-3.0-or-later
"""Models whose weights alone are small numbers, which the pass lower hands to LibTorch's kernels for those.

    check_lowered_weights.py FORKED_CLI [PART_OF_A_NAME]

Of each form of weights, in float32 and bfloat16: how many layers call the kernel; that it computes what the form does that restores the
weights; that Python computes the same to the bit; and that it opens again from a file with the same graph.
"""

import itertools
import re
import sys
import warnings

warnings.filterwarnings("ignore")
sys.dont_write_bytecode = True
import torch
from check_lowered import Checker, HERE, forms_of, images, tell
from check_lowered_integers import sqnr
from commands import Commands

torch.manual_seed(0)
INPUTS = {"Rows": torch.randn(3, 64, 64), "Tables": torch.randint(0, 48, (3, 7))}
KERNELS = {"int8": "_weight_int8pack_mm", "int4": "_weight_int4pack_mm_for_cpu", "float16": "linear_dynamic_fp16"}
CALLS = {"Rows int8": 4, "Rows int4": 3, "Rows float16": 4,  # of int4 none for 7 channels
         "Tables int8": 1, "Tables int4": 1, "Tables float16": 1}
GATHERED = {"Tables int8": 4}  # of each table rows of integers, and their scales
LEAST = {"float32": 100, "bfloat16": 35}  # dB, as bfloat16 rounds what lies between


class WeightChecker(Checker):
    def check(self, name, weights, dtype, form):
        model, given = images.build(name), INPUTS[name]
        inputs, state, quantized, out = (self.folder / file for file in ("inputs.pt", "state.pt", "quantized.fxg", "out.fxg"))
        torch.save([given], inputs)
        torch.save(model.state_dict(), state)
        source = [f"{images.__file__}:build('{name}')", "--state", state]
        if form != "traced":
            source = [self.folder / "model.pt2"]
            program = torch.export.export(model, (given,), dynamic_shapes=({0: torch.export.Dim("n")},))
            torch.export.save(program.run_decompositions() if form == "decomposed" else program, source[0])
        cast = ["cast"] if dtype == "bfloat16" else []
        self.run("apply", *source, "--inputs", inputs, "-o", quantized, *cast, "quantize", "--mode", "weight-only", "--weights", weights)
        done = self.run("apply", quantized, "--inputs", inputs, "-o", out, "lower", "--always")
        text = self.graph(out)
        calls = 0 if (weights, dtype) == ("float16", "bfloat16") else CALLS[f"{name} {weights}"]
        if len(re.findall(KERNELS[weights] + r"\.", text)) != calls:
            yield f"not {calls} calls\n{done.err}{text}"
        gathered = GATHERED.get(f"{name} {weights}")
        if gathered and (text.count("target=torch.ops.aten.embedding.default") != gathered or "dequantize" in text):
            yield f"not {gathered} gathered\n{done.err}{text}"
        before, after = self.values(quantized, inputs), self.values(out, inputs)
        for was, now in zip(before, after):
            if was.dtype != now.dtype or was.shape != now.shape or sqnr(now, was) < LEAST[dtype]:
                yield f"computes something else: {sqnr(now, was):.1f} dB, {now.dtype}, {now.shape}"
        again = self.folder / "again.fxg"
        self.run("export", out, again)
        if self.graph(again) != text:
            yield "opens again with another graph"
        same = lambda value: all(torch.equal(*pair) for pair in zip(value, after))
        yield from self.check_python(out, (given,), same, f"{name}_{weights}_{dtype}_{form}", forms_of(form, dtype))


def main():
    commands = Commands(sys.argv[1])
    cases = itertools.product(INPUTS, KERNELS, LEAST, ("traced", "exported", "decomposed"))
    tell(cases, "".join(sys.argv[2:]), lambda folder, *case: WeightChecker(commands, folder).check(*case))


if __name__ == "__main__":
    main()
