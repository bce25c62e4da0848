# SPDX-License-Identifier: GPL-3.0-or-later
"""Values put in place of others while a run stands still, against torch.fx.Interpreter with the same values:
value_overrides.py fxscope. The results must be equal to the last bit."""

import pathlib
import sys
import tempfile

import numpy
import torch
from torch import fx, nn

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "support"))
from commands import Commands


class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, padding=1)
        self.norm = nn.BatchNorm2d(4)

    def forward(self, x):
        y = torch.relu(self.norm(self.conv(x)))
        pair = torch.max(y, dim=1)
        return (y.mean(dim=(2, 3)) * pair[0].sum(), pair[1])


class Chain(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 4))

    def forward(self, x):
        return torch.softmax(self.layers(x) + x[:, :4], 1)


class Override(fx.Interpreter):
    """Computes the expression, over the values so far, before the next node runs."""

    def __init__(self, module, replaced):
        super().__init__(module, garbage_collect_values=False)
        self.replaced = dict(replaced)

    def run_node(self, node):
        before = node.prev
        if before.name in self.replaced:
            names = {each.name: value for each, value in self.env.items()}
            self.env[before] = eval(self.replaced.pop(before.name), {"torch": torch}, names)
        return super().run_node(node)


# Module, its input, and the nodes whose value is replaced as soon as they have run.
CASES = [
    (Branches, (2, 3, 5, 5), [("conv", "conv * 0")]),
    (Branches, (2, 3, 5, 5), [("relu", "torch.zeros_like(relu)")]),
    (Branches, (2, 3, 5, 5), [("norm", "norm[:, :, :3, 1:] - norm.mean()")]),
    (Branches, (1, 3, 4, 4), [("max_1", "(max_1[0] + 1, max_1[1] * 2)"), ("mean", "mean.double()")]),
    (Branches, (1, 3, 4, 4), [("x", "x.flip(3)"), ("relu", "relu.clamp(max=0.5)")]),
    (Chain, (3, 8), [("layers_0", "layers_0.T[:3] @ torch.eye(3, 8)")]),
    (Chain, (3, 8), [("layers_1", "torch.where(layers_1 > 0, layers_1, -layers_1)"), ("add", "add / add.abs().max()")]),
]


def flat(value):
    return [part for each in value for part in flat(each)] if isinstance(value, tuple) else [value]


def check(fxscope, folder, case):
    make, shape, replaced = case
    torch.manual_seed(0)
    module = fx.symbolic_trace(make().eval())
    x = torch.randn(shape)
    expected = flat(Override(module, replaced).run(x))
    torch.save(module, folder / "model.pt")
    torch.save([x], folder / "inputs.pt")
    lines = []
    for name, expression in replaced:
        node = next(each for each in module.graph.nodes if each.name == name)
        # The run begins with a stop behind the inputs.
        lines += [f"until {node.next.name}"] * (node.op != "placeholder") + [f"!{name} = {expression}"]
    lines += ["c", "p [" + ", ".join(f"{name}.tolist()" for name in result_names(module)) + "]"]
    (folder / "script.txt").write_text("\n".join(lines) + "\n")
    words = ["debug", "model.pt", "--inputs", "inputs.pt", "--commands", "script.txt"]
    wanted = repr([part.tolist() for part in expected])
    for apart in ([], ["--worker"]):
        done = fxscope(*words, *apart, folder=folder)
        last = done.out.strip().splitlines()[-1] if done.out.strip() else ""
        assert last == wanted, f"{make.__name__} {replaced} {apart}:\n{done.out[-3000:]}{done.err}\nexpected {wanted}"


def result_names(module):
    output = next(node for node in module.graph.nodes if node.op == "output")
    names = []
    fx.node.map_arg(output.args[0], lambda node: names.append(node.name))
    return names


def check_files(fxscope, folder):
    """The value of a node from files of each kind, and from a run that was saved, with another input."""
    torch.manual_seed(0)
    module = fx.symbolic_trace(Chain().eval())
    x = torch.randn(3, 8)
    torch.save(module, folder / "model.pt")
    torch.save([x], folder / "inputs.pt")
    torch.save([x + 1], folder / "others.pt")
    done = fxscope("run", "model.pt", "--inputs", "others.pt", "--save-reference", "run.pt", folder=folder)
    assert done.code == 0, done.err
    other = torch.load(folder / "run.pt")["nodes"]["layers_1"]
    numpy.save(folder / "one.npy", other.numpy())
    numpy.savez(folder / "several.npz", add=numpy.zeros(3), layers_1=other.numpy())
    torch.save({"layers_1": other, "add": None}, folder / "dict.pt")
    torch.save(other, folder / "one.pt")
    with torch.no_grad():
        wanted = torch.softmax(getattr(module.layers, "2")(other) + x[:, :4], 1)
    for file in ("run.pt", "one.npy", "several.npz", "dict.pt", "one.pt"):
        lines = ["until layers_2", f"layers_1 = @{file}", "c", "p softmax.tolist()", "why softmax @run.pt"]
        (folder / "script.txt").write_text("\n".join(lines) + "\n")
        words = ["debug", "model.pt", "--inputs", "inputs.pt", "--commands", "script.txt"]
        for apart in ([], ["--worker"]):
            done = fxscope(*words, *apart, folder=folder)
            assert repr(wanted.tolist()) in done.out, f"{file} {apart}:\n{done.out}{done.err}\nexpected {wanted.tolist()}"
            assert "x is the first that differs from run.pt" in done.out, f"{file} {apart}:\n{done.out}"


def main():
    fxscope = Commands(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        check_files(fxscope, pathlib.Path(name))
    for case in CASES:
        with tempfile.TemporaryDirectory() as name:
            check(fxscope, pathlib.Path(name), case)
    print(len(CASES), "runs with values put in place of others are equal")


if __name__ == "__main__":
    main()
