# SPDX-License-Identifier: GPL-3.0-or-later
"""Applies the passes of core/passes/clean and core/passes/fuse to the models of the folder clean_passes, and compares.

    check_clean_passes.py FORKED_CLI FOLDER [PART_OF_A_NAME] [--all]

FOLDER is what make_clean_models.py wrote. --all applies each pass to each of the 42 models, which takes minutes; else some go to some.

Each model comes in three forms: traced from its source, exported by torch.export, and exported and decomposed. What a pass leaves must
compute what the model does, and be left alone by the same pass; where torch.fx has such a pass, the text of the graph and the state must
be those that it leaves. What differs from torch.fx on purpose is in the table DIFFERS of clean_passes/cases.py, with the reason.
"""

import pathlib
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
sys.dont_write_bytecode = True
import torch

sys.path[:0] = [str(pathlib.Path(__file__).parents[1] / "support"), str(pathlib.Path(__file__).parent / "clean_passes")]
from commands import Commands
import cases
import models


def forms_of(data, name, is_training):
    """The words that open the model, by form."""
    whole = name + ("_training" if is_training else "")
    traced = [f"{pathlib.Path(models.__file__)}:build('{name}')", "--state", data / f"{whole}.state.pt"]
    return {"traced": traced + (["--train"] if is_training else []),
            **{form: [data / f"{whole}.{form}.pt2"] for form in ("exported", "decomposed")},
            "lifted": [data / f"{whole}.decomposed.pt2", "--lifted"]}


def difference(ours, theirs, tolerance):
    if type(ours) is not type(theirs):
        return f"{type(ours)}, not {type(theirs)}"
    if isinstance(ours, (list, tuple)):
        if len(ours) != len(theirs):
            return f"{len(ours)} values, not {len(theirs)}"
        return next((found for each in zip(ours, theirs) if (found := difference(*each, tolerance))), "")
    if not isinstance(ours, torch.Tensor):
        return "" if ours == theirs else f"{ours}, not {theirs}"
    if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
        return f"{ours.dtype}{list(ours.shape)}, not {theirs.dtype}{list(theirs.shape)}"
    error = ((ours.double() - theirs.double()).abs().max() / theirs.double().abs().max().clamp(min=1e-3)).item() if ours.numel() else 0
    return "" if error <= tolerance else f"a relative error of {error:.2e}"


class Checker:
    def __init__(self, commands, folder):
        self.commands, self.folder, self.failures, self.count = commands, folder, [], 0
        self.befores = {}  # what a form of a model computes, by its words
        self.changed = set()  # passes that did something to some model

    def run(self, what, words, *options):
        done = self.commands(*words, *options)
        if done.code:
            raise RuntimeError(f"{what}: {done.err.strip()}")
        return done

    def before(self, words, inputs):
        key = tuple(map(str, [*words, *inputs]))
        if key not in self.befores:
            self.befores[key] = self.values(words, inputs)[0]
        return self.befores[key]

    def values(self, words, inputs):
        out = pathlib.Path(self.folder, "values.pt")
        state = pathlib.Path(self.folder, "values_state.pt")
        self.run("run", ["run", *words, *inputs, "--seed", "0", "--save", out, "--save-state", state])
        return torch.load(out), torch.load(state)

    def check(self, case, name, form, words, inputs):
        """What is wrong."""
        out = pathlib.Path(self.folder, "out.fxg")
        apply = ["apply", *words, *inputs, "-o", out]
        if refusal := case.refuses.get(f"{name} {form}"):
            done = self.commands(*apply, *case.words)
            if not done.code or refusal not in done.err:
                yield f"is not refused: {done.err}"
            return
        done = self.run("apply", apply, *case.words)
        wants = case.expected(name, form, words)
        if "no change" not in done.err:
            self.changed.add((case.name, form))
        if case.runs:
            given = self.values([out], inputs)
            yield from self.check_values(case, name, form, words, inputs, out, given, wants and wants[1])
        if wants is not None:
            text, graph = case.shown(self.run("graph", ["graph", out]).out.strip()), case.shown(wants[0].strip())
            if text != graph:
                pairs = zip([*text.split("\n"), ""], [*graph.split("\n"), ""])
                yield "graph\n  here:  %s\n  there: %s" % next((a, b) for a, b in pairs if a != b)
        if case.is_idempotent:
            again = self.run("apply", ["apply", out, *inputs], *case.words)
            if "no change" not in again.err:
                yield f"is changed by the same pass: {again.err.strip()}"
        elif case.runs:
            twice = pathlib.Path(self.folder, "twice.fxg")
            again = self.commands("apply", out, *inputs, "-o", twice, *case.words)
            if again.code and "takes graphs of the dialect" not in again.err:  # as what it gives is of another one
                yield f"fails on what it gives: {again.err}"
            elif not again.code and (found := difference(self.values([twice], inputs)[0], given[0], case.tolerance)):
                yield f"computes something else after the same pass: {found}"

    def check_values(self, case, name, form, words, inputs, out, given, tensors):
        before = (models.build(name).eval()(*torch.load(inputs[1])).detach() if case.is_training else
                  self.before(words, inputs))
        after, state = given
        if case.is_training and isinstance(after, (list, tuple)):
            after = after[0]
        if f"{name} {form}" in case.skips:
            if not difference(after, before, case.tolerance):
                yield "computes the same, and needs no reason not to"
        elif found := difference(after, before, max(case.tolerance, 1e-6 if name in models.ALIGNED else 0)):
            yield f"computes something else: {found}"
        other = inputs[1].with_name(f"{name}.other.pt")
        if other.exists() and case.is_for_all_sizes and not case.is_training:
            found = difference(self.values([out], ["--inputs", other])[0], self.before(words, ["--inputs", other]), case.tolerance)
            if found:
                yield f"computes something else for other sizes: {found}"
        if tensors is not None and name not in models.TRAINING:
            if list(state) != list(tensors):
                yield f"has the state {list(state)}, not {list(tensors)}"
                return
            for key, tensor in tensors.items():
                if found := difference(state[key], tensor, 0):
                    yield f"{key}: {found}"

    def check_all(self, data, wanted, is_all):
        for name in models.MODELS:
            for case in cases.CASES:
                if not is_all and case.models and not any(part in name for part in case.models) or \
                        case.is_training and name not in models.TRAINED:
                    continue
                for form, words in forms_of(data, name, case.is_training).items():
                    what = f"{name} {form} {case.name}"
                    if wanted not in what or form not in case.forms:
                        continue
                    self.count += 1
                    try:
                        inputs = ["--inputs", data / f"{name}.inputs.pt"] if case.runs else []
                        found = list(self.check(case, name, form, words, inputs))
                    except Exception as error:
                        found = [f"{type(error).__name__}: {error}"]
                    self.failures += [f"{what}: {text}" for text in found]


def main():
    program, data, *wanted = [word for word in sys.argv[1:] if word != "--all"]
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(Commands(program), folder)
        checker.check_all(pathlib.Path(data), "".join(wanted), "--all" in sys.argv)
    if not wanted:
        checker.failures += [f"{case.name} {form}: changes none of the models" for case in cases.CASES for form in case.forms
                             if (case.name, form) not in checker.changed]
    for failure in checker.failures:
        print(failure)
    print(f"{checker.count} cases, {len(checker.failures)} failures")
    sys.exit(1 if checker.failures or not checker.count else 0)


if __name__ == "__main__":
    main()
