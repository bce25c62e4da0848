# SPDX-License-Identifier: GPL-3.0-or-later
"""LSTMs and GRUs as functions, quantized, and handed to LibTorch's kernels over small weights.

    check_recurrent.py FORKED_CLI [PART_OF_A_NAME]

Of each model, traced and exported, and each way to quantize it: that inlining changes nothing; that all matrices are small and what is restored
of them computes what Python does; that the kernels are called where there is one, and compute what Python does by them to the bit; that both
are as near to float32 as torch.ao's dynamic quantization; and that the graph opens again from a file.
"""

import itertools
import math
import re
import sys
import warnings

warnings.filterwarnings("ignore")
sys.dont_write_bytecode = True
import torch
from check_lowered import forms_of, tell
from check_lowered_integers import sqnr
from check_lowered_weights import WeightChecker
from commands import Commands
from torch.utils._pytree import tree_leaves
import recurrent

WAYS = {"dynamic": ["--mode", "dynamic"], "int8": ["--mode", "weight-only"], "float16": ["--mode", "weight-only", "--weights", "float16"]}
MATRICES = {"Sentence": 8, "Series": 4, "Given": 2, "Narrow": 5}
KERNELS = {"Sentence": 1, "Series": 2, "Given": 1, "Narrow": 0}
RESTORED = {"dynamic": r"dequantize_per_channel\.", "int8": r"dequantize_per_channel\.", "float16": r"torch\.ops\.aten\.to\.dtype|call_method\[target=to\]"}


def least(values, wanted):
    return min(sqnr(now, was) for now, was in zip(tree_leaves(values), tree_leaves(wanted), strict=True))


def by_torch(model, given):
    """What torch.ao's dynamic quantization loses; infinite for what it does not take."""
    try:
        with torch.no_grad():
            quantized = torch.ao.quantization.quantize_dynamic(model, {torch.nn.LSTM, torch.nn.GRU, torch.nn.Linear}, dtype=torch.qint8)
            return least(quantized(*given), model(*given))
    except Exception:
        return -math.inf


class RecurrentChecker(WeightChecker):
    def check(self, name, form, way):
        model, given = recurrent.build(name), recurrent.MODELS[name][1]()
        with torch.no_grad():
            wanted = model(*given)
        inputs, state = self.folder / "inputs.pt", self.folder / "state.pt"
        torch.save(list(given), inputs)
        torch.save(model.state_dict(), state)
        source = [f"{recurrent.__file__}:build('{name}')", "--state", state]
        if form == "exported":
            source = [self.folder / "model.pt2"]
            torch.export.save(torch.export.export(model, given), source[0])
        functions, quantized, out = (self.folder / f"{word}.fxg" for word in ("functions", "quantized", "out"))
        if form == "traced":
            self.run("apply", *source, "--inputs", inputs, "-o", functions, "shape-prop", "inline-modules")
            if "call_module" in self.graph(functions):
                yield f"not inlined\n{self.graph(functions)}"
            if not all(torch.equal(a, b) for a, b in zip(tree_leaves(self.values(functions, inputs)), tree_leaves(wanted), strict=True)):
                yield "computes something else as functions"
        done = self.run("apply", *source, "--inputs", inputs, "-o", quantized, "quantize", *WAYS[way], "--skip", "table")
        text = self.graph(quantized)
        others = text.count("linear](args") + text.count("aten.linear.default](args")
        if len(re.findall(RESTORED[way], text)) != MATRICES[name] + others:
            yield f"not {MATRICES[name]} matrices and {others} others are small\n{done.err}{text}"
        done = self.run("apply", quantized, "--inputs", inputs, "-o", out, "lower", "--always")
        text = self.graph(out)
        kernels = 0 if way == "int8" else KERNELS[name]
        if len(re.findall(r"aten\.quantized_(?:lstm|gru)\.input", text)) != kernels or (kernels and "choose_qparams" in text and name != "Sentence"):
            yield f"not {kernels} kernels\n{done.err}{text}"
        bound = 50 if way == "float16" else max(25, by_torch(model, given) - 1)  # of some dozen numbers
        for file in quantized, out:
            values = self.values(file, inputs)
            if least(values, wanted) < bound:
                yield f"{file.name}: {least(values, wanted):.1f} dB, not {bound:.1f}"
            again = self.folder / "again.fxg"
            self.run("export", file, again)
            if self.graph(again) != self.graph(file):
                yield f"{file.name} opens again with another graph"
            same = lambda there: all(torch.equal(a, b) for a, b in zip(tree_leaves(there), tree_leaves(values), strict=True))
            yield from self.check_python(file, given, same, f"{name}_{form}_{way}_{file.stem}", forms_of(form))


def main():
    commands = Commands(sys.argv[1])
    cases = itertools.product(recurrent.MODELS, ("traced", "exported"), WAYS)
    tell(cases, "".join(sys.argv[2:]), lambda folder, *case: RecurrentChecker(commands, folder).check(*case))


if __name__ == "__main__":
    main()
