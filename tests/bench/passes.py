# SPDX-License-Identifier: GPL-3.0-or-later
"""Applies the passes to three models, and what PyTorch has for the same beside them, in one run; prints a table in Markdown.

    passes.py [--build DIR] [--rounds N] [--only PART_OF_A_NAME]

A cell says: milliseconds of the pass here, and of what PyTorch has for it in brackets; how long the model runs before and after, told by
--verify, which runs both in turns, and what PyTorch's runs in brackets; how far the result is off. Each time is the least of all rounds;
ours are of a process that has done nothing before, and so has the tables of operators to read. Nothing fails for being slow.
"""

import argparse
import contextlib
import copy
import io
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import warnings

warnings.filterwarnings("ignore")
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import torch
from torch.ao.quantization import QConfigMapping, default_dynamic_qconfig, get_default_qat_qconfig_mapping, get_default_qconfig_mapping
from torch.ao.quantization.quantize_fx import convert_fx, prepare_fx, prepare_qat_fx
from torch.fx.experimental import const_fold, merge_matmul, optimization
from torch.fx.experimental.normalize import NormalizeArgs
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.experimental.schema_type_annotation import AnnotateTypesWithSchema
from torch.fx.passes.dialect.common.cse_pass import CSEPass
from torch.fx.passes.shape_prop import ShapeProp
from torch.fx.passes.split_module import split_module

import encoder
import recommender
import resnet50

# What makes it here and there, its input, and the sizes of that which may differ.
MODELS = {
    "ResNet50": ("resnet50.py:ResNet50()", resnet50.ResNet50, (1, 3, 224, 224), "x=[N,3,H,W]"),
    "DeepRecommender": ("recommender.py:Recommender()", recommender.Recommender, (16, 17768), "x=[N,17768]"),
    "Encoder": ("encoder.py:Encoder()", encoder.Encoder, (1, 128, 384), "x=[N,T,384]"),
}


def without_dead_code(gm, x):
    gm.graph.eliminate_dead_code()
    gm.recompile()
    return gm


def prepared(gm, x, mapping=None):
    return prepare_fx(copy.deepcopy(gm), mapping or get_default_qconfig_mapping("x86"), (x,))


def observed(gm, x, mapping=None):
    made = prepared(gm, x, mapping)
    made(x)
    return made


def quantized(gm, x, mapping=None):
    return convert_fx(observed(gm, x, mapping))


def in_training(gm, x):
    prepared = prepare_qat_fx(copy.deepcopy(gm).train(), get_default_qat_qconfig_mapping("x86"), (x,)).eval()
    prepared(x)
    return prepared


def in_four(gm, x):
    calls = [node for node in gm.graph.nodes if node.op not in ("placeholder", "get_attr", "output")]
    part = {node: place * 4 // len(calls) for place, node in enumerate(calls)}
    return split_module(gm, None, part.__getitem__)


def for_inference(gm, x):
    """What TorchScript makes of it: frozen, fused, with oneDNN's layout; the tracing is part of the time."""
    return torch.jit.optimize_for_inference(torch.jit.freeze(torch.jit.trace(gm, x)))


SIZES, EXAMPLE = object(), object()  # stand for those of the model, and for the file with its inputs
# The words of ours, and what PyTorch has for it.
PASSES = [
    ("fuse", ["fuse"], lambda gm, x: optimization.fuse(gm)),
    ("normalize", ["normalize"], lambda gm, x: NormalizeArgs(gm).transform()),
    ("const-fold", ["const-fold"], lambda gm, x: const_fold.split_const_subgraphs(gm)),
    ("cse", ["cse"], lambda gm, x: CSEPass()(gm).graph_module),
    ("dead-code", ["dead-code"], without_dead_code),
    ("eval-mode", ["eval-mode"], None),
    ("remove-dropout", ["remove-dropout"], lambda gm, x: optimization.remove_dropout(gm)),
    ("merge-matmul", ["merge-matmul"], lambda gm, x: merge_matmul.merge_matmul(gm)),
    ("reinplace", ["reinplace"], None),
    ("inline-modules", ["inline-modules"], None),
    ("to-aten", ["to-aten"], lambda gm, x: make_fx(gm)(x)),
    ("channels-last", ["channels-last"], None),
    ("cast", ["cast"], None),
    ("annotate-types", ["annotate-types"], lambda gm, x: AnnotateTypesWithSchema(gm).transform()),
    ("shape-prop", ["shape-prop"], lambda gm, x: ShapeProp(gm).propagate(x) is None or gm),
    ("symbolic-shapes", ["symbolic-shapes", "--sizes", SIZES], None),
    ("costs", ["costs"], None),
    ("split", ["split", "--by", "size", "--parts", "4"], in_four),
    ("merge-parts", ["merge-parts"], None),  # of what split made
    ("quantize --observe", ["quantize", "--observe"], prepared),
    ("quantize, of observers", ["quantize", "--no-measure"], lambda gm, x: convert_fx(gm)),
    ("quantize --qat", ["quantize", "--qat"], in_training),
    ("quantize", ["quantize", "--no-measure"], quantized),
    ("quantize, lower", ["quantize", "--no-measure", "lower"], quantized),
    ("quantize --mode dynamic, lower", ["quantize", "--no-measure", "--mode", "dynamic", "lower"],
     lambda gm, x: quantized(gm, x, QConfigMapping().set_object_type(torch.nn.Linear, default_dynamic_qconfig))),
    ("quantize --mode weight-only, lower", ["quantize", "--no-measure", "--mode", "weight-only", "lower"], None),
    ("fuse-attention", ["fuse-attention"], None),
    ("lower", ["lower"], for_inference),
    ("cast, lower", ["cast", "lower"], None),
    ("lower --to torchscript --optimize", ["lower", "--to", "torchscript", "--optimize", "--always"], None),  # likewise
    ("lower --to aotinductor", ["lower", "--to", "aotinductor", "--always"], None),  # compiled in the first round
]
# What has to be there before, here and there; its time is not counted.
BEFORE = {
    "merge-matmul": (["shape-prop"], None),
    "reinplace": (["shape-prop"], None),
    "merge-parts": (["split", "--by", "size", "--parts", "4"], None),
    "quantize --observe": (["shape-prop"], None),
    "quantize, of observers": (["quantize", "--observe", "--calibration", EXAMPLE], observed),
}


def clock(work):
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def least_run(model, x, rounds):
    return min(clock(lambda: model(x))[1] for _ in range(rounds))


class Theirs:
    def __init__(self, rounds):
        self.rounds = rounds

    def row(self, model, x, work, before):
        """Seconds of the pass, and of a run of what it makes; why there are none."""
        if work is None:
            return None, None
        best = None
        try:
            for _ in range(self.rounds):
                gm = torch.fx.symbolic_trace(copy.deepcopy(model))
                gm = before(gm, x) if before else gm
                with contextlib.redirect_stdout(io.StringIO()):
                    made, seconds = clock(lambda: work(gm, x))
                best = min(seconds, best or seconds)
            return best, least_run(made, x, 3 * self.rounds)
        except Exception:
            return None, None


class Ours:
    def __init__(self, program, rounds):
        self.program, self.rounds = program, rounds

    def row(self, words, source, example, state, before):
        """Seconds of the pass, of a run before and after, and what --verify says of the result."""
        seconds, runs, verdict = None, None, ""
        for _ in range(self.rounds):
            command = [self.program, "apply", f"{HERE}/{source}", "--eval", "--state", state, "--inputs", example, *before, *words, "--verify",
                       "--tolerance", "1e30"]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                raise RuntimeError(done.stderr)
            lines = re.findall(r"^[\w-]+: .*, ([\d.e+-]+) (ms|s)$", done.stderr, re.M)[1 if before else 0:]
            took = sum(float(number) * (1e-3 if unit == "ms" else 1) for number, unit in lines)
            seconds = min(took, seconds or took)
            last = done.stdout.rsplit("\ninputs:", 1)[-1]
            found = [float(text) for text in re.findall(r"^(?:before|after): +\S+ ms \(([\d.e+-]+) to", last, re.M)]
            runs = [min(pair) for pair in zip(found, runs)] if runs else found
            row = re.search(r"^  output\S* +(.*)$", last, re.M)[1].split()
            verdict = "equal" if row[0] == "equal" else f"{row[5]} dB"
        return seconds, runs, verdict


def figure(number):
    return f"{number:.0f}" if number >= 100 else f"{number:.3g}"


def cell(ours, theirs):
    (seconds, runs, verdict), (other, other_run) = ours, theirs
    text = figure(seconds * 1e3) + (f" ({figure(other * 1e3)})" if other else "")
    if len(runs) == 2:
        text += f"; {figure(runs[0])} → {figure(runs[1])}" + (f" ({figure(other_run * 1e3)})" if other_run else "")
    return f"{text}; {verdict}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parents[1] / "build/release")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    torch.set_grad_enabled(False)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        ours, theirs = Ours(options.build / "bin/fxscope", options.rounds), Theirs(options.rounds)
        made = {}
        for name, (_, make, size, _) in MODELS.items():
            torch.manual_seed(0)
            made[name] = make().eval(), torch.rand(size)
            torch.save([made[name][1]], folder / f"{name}.pt")
            torch.save(made[name][0].state_dict(), folder / f"{name}.state.pt")
        print("| pass | " + " | ".join(MODELS) + " |\n|---" + "|---" * len(MODELS) + "|")
        for title, words, work in PASSES:
            if options.only not in title:
                continue
            cells = []
            for name, (source, _, _, sizes) in MODELS.items():
                example = folder / f"{name}.pt"
                given = [sizes if word is SIZES else word for word in words]
                before, their_before = BEFORE.get(title, ([], None))
                before = [str(example) if word is EXAMPLE else word for word in before]
                row = ours.row(given, source, example, folder / f"{name}.state.pt", before)
                cells.append(cell(row, theirs.row(*made[name], work, their_before)))
            print(f"| `{title}` | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
