# SPDX-License-Identifier: GPL-3.0-or-later
"""The gradients of `fxscope run --grad`, held against those of autograd in Python, bit for bit.

    check_gradients.py FORKED_CLI [PART_OF_A_NAME]

Python runs the graph of torch.fx node by node with a hook on each value; which nodes and parameters have a gradient must be the same, too.
"""

import pathlib
import sys
import tempfile
import traceback
import warnings

warnings.filterwarnings("ignore")
sys.dont_write_bytecode = True
import torch
import torch.nn.functional as F

HERE = pathlib.Path(__file__)
sys.path[:0] = [str(HERE.parents[1] / "support"), str(HERE.parent / "gradients")]
import models
from commands import Commands

# The loss as the command line takes it, and as Python computes it from what the model gives and from the values by name.
FIRST = lambda output, values: output.sum()
CASES = {
    "Mlp": ("", FIRST),
    "Mlp cross entropy": ("F.cross_entropy(output, tensor([0, 1, 2, 0]))", lambda output, values: F.cross_entropy(output, torch.tensor([0, 1, 2, 0]))),
    "Mlp node": ("relu.pow(2).mean()", lambda output, values: values["relu"].pow(2).mean()),
    "Images": ("", FIRST),
    "InPlace": ("", FIRST),
    "Tied": ("output.logsumexp(-1).sum()", lambda output, values: output.logsumexp(-1).sum()),
    "Frozen": ("", FIRST),
    "Several": ("", lambda output, values: output["values"].sum()),
    "Several named": ("output['rest'][0].prod()", lambda output, values: output["rest"][0].prod()),
    "Attention": ("", FIRST),
    "Waves": ("", FIRST),
    "Sparse": ("", FIRST),
    "Mixed": ("output[:, 0]", lambda output, values: output[:, 0].sum()),
    "NoGradPart": ("", FIRST),
}


def leaves(value):
    return [leaf for leaf in torch.utils._pytree.tree_leaves(value) if isinstance(leaf, torch.Tensor)]


def tracked(value):
    """An input that has a gradient and may be written into."""
    return value.requires_grad_().clone() if value.is_floating_point() else value


class Hooked(torch.fx.Interpreter):
    def run_node(self, node):
        value = super().run_node(node)
        self.kept[node.name] = value
        tensors = leaves(value)
        found = self.gradients.setdefault(node.name, [None] * len(tensors))
        for index, tensor in enumerate(tensors):
            if tensor.requires_grad:
                tensor.register_hook(lambda gradient, index=index: found.__setitem__(index, gradient))
        return value


def wanted(module, args, loss):
    hooked = Hooked(module)
    hooked.kept, hooked.gradients = {}, {}
    output = hooked.run(*map(tracked, args))
    loss(output, hooked.kept).backward()
    nodes = {name: found for name, found in hooked.gradients.items() if any(each is not None for each in found)}
    return nodes, {name: each.grad for name, each in module.named_parameters(remove_duplicate=False) if each.grad is not None}


def same(got, expected):
    if got is None or expected is None:
        return got is expected
    if got.is_sparse:
        got, expected = got.to_dense(), expected.to_dense()
    return got.dtype == expected.dtype and torch.equal(got, expected)


def flat(value):
    return [value] if isinstance(value, torch.Tensor) else [leaf for leaf in torch.utils._pytree.tree_leaves(value, is_leaf=lambda each: each is None)]


class Checker:
    def __init__(self, commands, folder):
        self.commands, self.folder = commands, folder

    def opened(self, name, args):
        """The words that open the model, and the module that has the same graph."""
        torch.save(list(args), self.folder / "inputs.pt")
        model = models.build(name)
        if name == "NoGradPart":
            exported = torch.export.export(model, args)
            torch.export.save(exported, self.folder / "model.pt2")
            return [self.folder / "model.pt2"], exported.module()
        torch.save(model.state_dict(), self.folder / "state.pt")
        return [f"{models.__file__}:build('{name}')", "--state", self.folder / "state.pt"], torch.fx.symbolic_trace(model)

    def check(self, case):
        name = case.split()[0]
        args = models.inputs(name)
        words, module = self.opened(name, args)
        expression, loss = CASES[case]
        out = self.folder / "gradients.pt"
        done = self.commands("run", *words, "--inputs", self.folder / "inputs.pt", "--save-gradients", out, "--grad", *([expression] if expression else []))
        if done.code:
            yield f"fails: {done.err}"
            return
        got = torch.load(out)
        nodes, parameters = wanted(module, args, loss)
        own = {key: value for key, value in got["nodes"].items() if "." not in key}  # without those of nested graphs
        for kind, found, expected in (("nodes", own, nodes), ("parameters", got["parameters"], parameters)):
            if set(found) != set(expected):
                yield f"{kind} with a gradient: only here {sorted(set(found) - set(expected))}, only there {sorted(set(expected) - set(found))}"
            for key in set(found) & set(expected):
                theirs = expected[key] if isinstance(expected[key], list) else [expected[key]]
                ours = flat(found[key])
                if len(ours) != len(theirs) or not all(map(same, ours, theirs)):
                    yield f"{kind} {key}: {ours}, not {theirs}"

    def check_words(self):
        """What is said where a gradient is not finite, and where there is none."""
        words, _ = self.opened("Root", models.inputs("Root"))
        run = ["run", *words, "--inputs", self.folder / "inputs.pt", "--grad"]
        done = self.commands(*run)
        if done.code != 1 or "node 'sqrt'" not in done.err or "SqrtBackward0 makes NaN in 1 of 3 elements, first at [0]" not in done.err:
            yield f"the function that makes NaN: {done.code} {done.err}"
        if "loss: the sum of output = " not in done.out or not any(line.startswith("x ") and line.endswith("NaN") for line in done.out.splitlines()):
            yield f"the table: {done.out}"
        script = self.folder / "script"
        script.write_text("c\np grad('line')\np grad('line.weight').sum()\np grad('sqrt')\np grad('x')\nwhere\n")
        here = self.commands("debug", *words, "--inputs", self.folder / "inputs.pt", "--commands", script, "--grad")
        apart = self.commands("debug", *words, "--inputs", self.folder / "inputs.pt", "--commands", script, "--worker", "--grad")
        if here[:3] != apart[:3]:
            yield f"debug differs with --worker: {here} {apart}"
        for text in ("loss: the sum of output", "error: node 'sqrt'", "tensor([1., 1., 1.])", "tensor(15.)", "nan"):
            if text not in here.out:
                yield f"debug does not say {text!r}: {here.out} {here.err}"
        words, _ = self.opened("Nothing", models.inputs("Nothing"))
        done = self.commands("run", *words, "--inputs", self.folder / "inputs.pt", "--grad")
        if done.code != 1 or done.err.count("\n") != 1 or "nothing to differentiate" not in done.err:
            yield f"no differentiable output: {done.code} {done.err}"


def main():
    commands = Commands(sys.argv[1])
    part = "".join(sys.argv[2:])
    failures = count = 0
    for case in [*CASES, "words"]:
        if part not in case:
            continue
        count += 1
        with tempfile.TemporaryDirectory() as folder:
            checker = Checker(commands, pathlib.Path(folder))
            try:
                found = list(checker.check_words() if case == "words" else checker.check(case))
            except Exception:
                found = [traceback.format_exc(limit=-3)]
        failures += bool(found)
        for text in found:
            print(f"{case}: {text}")
    print(f"{count - failures} of {count} are sound")
    sys.exit(1 if failures or not count else 0)


if __name__ == "__main__":
    main()
