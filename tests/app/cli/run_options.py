# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of `run`, `shapes` and `debug` that say how a graph runs, held against the real PyTorch.

    run_options.py FORKED_CLI LIBRARY.so     (the operators of tests/support/test_operators.cpp)
"""

import pathlib
import sys
import tempfile

import torch
from torch import nn

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "support"))
from checks import Failures
from commands import Commands, here_and_apart

commands, LIBRARY = Commands(sys.argv[1]), sys.argv[2]
FOLDER = pathlib.Path(tempfile.mkdtemp())
failures = Failures()
check, same = failures.check, failures.same
fxscope = here_and_apart(commands, failures)

SOURCE = '''
import math
import torch
from torch import nn
from helpers import bend

def twice(x, times=2):
    return x * times + math.floor(2.5)

torch.fx.wrap("twice")
torch.fx.wrap("bend")

class Gate(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(width))
        self.steps = nn.ModuleList([nn.Linear(width, width), nn.ReLU()])
        self.register_buffer("seen", torch.zeros(()))
        self.scale, self.name = 1.5, "gate"

    def forward(self, x):
        self.seen += 1
        if x.sum() > 0:
            x = x * self.scale
        for step in self.steps:
            x = step(x)
        return x * self.weight + len(self.name)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate, self.last = Gate(4), nn.Linear(4, 2)

    def forward(self, x):
        return self.last(self.gate(bend(twice(x, times=3))))
'''
HELPERS = '''
def bend(x):
    return x.abs().sqrt() if x.shape[0] > 1 else x
'''


def saved(*arguments, what="--save"):
    path = FOLDER / "saved.pt"
    path.unlink(missing_ok=True)
    code, out, err = fxscope("run", *arguments, what, path, *(["--save", FOLDER / "other.pt"] if what != "--save" else []))
    return torch.load(path) if path.exists() else (code, out, err)


class Random(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.drop = nn.BatchNorm1d(6), nn.Dropout(0.4)

    def forward(self, x):
        x.mul_(2)
        return self.drop(self.norm(x)) + torch.rand_like(x)


def check_seed():
    model = torch.fx.symbolic_trace(Random().train())
    torch.save(model, FOLDER / "random.pt")
    torch.save({"x": torch.ones(3, 6)}, FOLDER / "x.pt")
    x = torch.ones(3, 6)
    torch.manual_seed(9)
    result = model(x)
    given = (FOLDER / "random.pt", "--seed", 9)
    same("seed", saved(*given, "--inputs", FOLDER / "x.pt"), result.detach())
    same("seed, input made", saved(*given, "--input", "x=torch.ones(3, 6)"), result.detach())
    same("seed, input drawn", saved(*given, "--input", "x=torch.randn(3, 6) * 0 + 1"), result.detach())
    same("inputs after", saved(*given, "--inputs", FOLDER / "x.pt", what="--save-inputs")["x"], x)
    state = saved(*given, "--inputs", FOLDER / "x.pt", what="--save-state")
    check("state after", list(state) == list(model.state_dict()), list(state))
    for name, value in model.state_dict().items():
        same("state " + name, state[name], value)
    script = FOLDER / "script.txt"
    look = "p rand_like.sum(), drop.sum()\n"
    script.write_text("b add\nc\n" + look + "jump drop\nc\n" + look + "run\nc\n" + look + "c\nq\n")
    code, out, err = fxscope("debug", *given, "--inputs", FOLDER / "x.pt", "--commands", script)
    shown = [line for line in out.split("\n") if line.startswith("(tensor(")]
    check("a node that runs again, and a new run, draw the same", code == 0 and len(shown) == 3 and len(set(shown)) == 1, out)


def check_sources():
    (FOLDER / "net.py").write_text(SOURCE)
    (FOLDER / "helpers.py").write_text(HELPERS)
    sys.path.insert(0, str(FOLDER))
    import net

    torch.manual_seed(0)
    model = net.Net()
    x = torch.arange(12.0).reshape(3, 4) - 4
    torch.save([x], FOLDER / "net_x.pt")
    expected = model(x).detach()
    leaf = ("--leaf", "Gate", "--inputs", FOLDER / "net_x.pt")
    same("functions and classes of a source", saved(f"{FOLDER}/net.py:Net()", *leaf), expected)
    code, out, err = fxscope("apply", f"{FOLDER}/net.py:Net()", "lint", "--leaf", "Gate", "-o", FOLDER / "net.fxg")
    check("writes an .fxg", code == 0, err)
    for name in ("net.py", "helpers.py"):
        (FOLDER / name).unlink()
    same("the same from the .fxg alone", saved(FOLDER / "net.fxg", "--inputs", FOLDER / "net_x.pt"), expected)
    state = saved(FOLDER / "net.fxg", "--inputs", FOLDER / "net_x.pt", what="--save-state")
    check("state of a class of the source", float(state["gate.seen"]) == 1, state)


def check_nested_inputs():
    (FOLDER / "nested.py").write_text("""
import torch

def cell(x, state, more):
    return x * state[0] + state[1][0] - more["shift"]
""")
    x, a, b, shift = torch.randn(4, 3).unbind()
    torch.save([x, (a, [b]), {"shift": shift}], FOLDER / "nested.pt")
    same("nested inputs", saved(f"{FOLDER}/nested.py:cell", "--inputs", FOLDER / "nested.pt"), x * a + b - shift)

    class Cell(nn.Module):
        def forward(self, x, state):
            return x * state[0] + state[1]

    torch.export.save(torch.export.export(Cell(), (x, (a, b))), FOLDER / "nested.pt2")
    torch.save([x, (a, b)], FOLDER / "nested.pt")
    same("nested inputs taken apart", saved(FOLDER / "nested.pt2", "--inputs", FOLDER / "nested.pt"), x * a + b)


def check_empty_constants():
    (FOLDER / "empty.py").write_text("""
import torch

def largest(x):
    values, indices = torch.empty(0), torch.empty(0, dtype=torch.int64)
    torch.max(x, 1, out=(values, indices))
    torch.sort(x, out=(torch.empty(0), torch.empty(0, dtype=torch.int64)))
    return values
""")
    x = torch.tensor([[1.0, 5, 2], [7, 0, 3]])
    torch.save([x], FOLDER / "empty.pt")
    same("constants of no size are apart", saved(f"{FOLDER}/empty.py:largest", "--inputs", FOLDER / "empty.pt"), x.max(1).values)


def check_saved_kinds():
    (FOLDER / "kinds.py").write_text("""
def about(x):
    return x.device, x.dtype, x.shape, x.ndim, x.to("cpu:0").device
""")
    got = saved(f"{FOLDER}/kinds.py:about", "--input", "x=torch.ones(2, 3)")
    check("kinds of values saved", got == (torch.device("cpu"), torch.float32, (2, 3), 2, torch.device("cpu")), got)


def check_libraries():
    class Custom(nn.Module):
        def forward(self, x):
            return torch.ops.fxtest.scaled(x, 3.0)

    torch.ops.load_library(LIBRARY)
    torch.export.save(torch.export.export(Custom(), (torch.ones(2),)), FOLDER / "custom.pt2")
    torch.save(torch.fx.symbolic_trace(Custom()), FOLDER / "custom.pt")
    for name in ("custom.pt", "custom.pt2"):
        given = (FOLDER / name, "--input", "x=torch.ones(2)")
        same("library, " + name, saved(*given, "--load-library", LIBRARY), torch.full((2,), 3.0))
        code, out, err = fxscope("run", *given)
        # A pickled GraphModule has no graph without it: its code is traced again.
        words = "load the library that registers it" if name.endswith("2") else "cannot be traced"
        check("no library, " + name, code == 1 and words in err, err)
        code, out, err = fxscope("shapes", *given, "--load-library", LIBRARY)
        check("shapes with a library, " + name, code == 0 and "f32[2]" in out, out, err)
    (FOLDER / "text.so").write_text("no library")
    given = (FOLDER / "custom.pt", "--input", "x=torch.ones(2)", "--load-library")
    for path, words in ((FOLDER / "gone.so", "there is no such file"), (FOLDER / "text.so", "cannot be loaded: "),
                        (FOLDER, "there is no such file")):
        code, out, err = fxscope("run", *given, path)
        check(f"load {path}", code == 1 and err.startswith(f"error: {path}") and words in err and err.count("\n") == 1, err)


def check_devices():
    class Wide(nn.Module):
        def __init__(self):
            super().__init__()
            self.one, self.two = nn.Linear(4096, 4096), nn.Linear(4096, 4096)

        def forward(self, x):
            return self.two(self.one(x).relu()) + torch.zeros(1, device="cpu")

    torch.export.save(torch.export.export(Wide(), (torch.ones(2, 4096),)), FOLDER / "wide.pt2")
    wide = FOLDER / "wide.pt2"

    code, out, err = fxscope("shapes", wide, "--device", "meta")
    check("shapes on meta", code == 0 and "f32[2, 4096]" in out, out, err)
    code, out, err = fxscope("run", wide, "--device", "meta")
    check("run on meta", code == 0 and "meta" in out, out, err)
    (FOLDER / "on_meta.py").write_text("""
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Linear(3, 4, device="meta")

    def forward(self, x):
        return torch.relu(self.one(x)).argsort()

def number(x):
    return x.relu().sum().item()
""")
    given = ("--input", "x=torch.ones(2, 3, device='meta')")
    code, out, err = fxscope("shapes", f"{FOLDER}/on_meta.py:Net()", *given)
    check("a model that is on meta", code == 0 and "i64[2, 4]" in out, out, err)
    code, out, err = fxscope("run", f"{FOLDER}/on_meta.py:number", *given)
    check("a number on meta", code == 1 and "Tensor.item() cannot be called on meta tensors" in err, err)
    if not torch.cuda.is_available():
        for device in ("cuda", "cuda:1"):
            for command in ("run", "shapes", "debug"):
                code, out, err = fxscope(command, wide, "--device", device)
                check(f"{command} on {device}", code == 1 and not out and err.count("\n") == 1 and "run on cpu" in err, err)
    code, out, err = fxscope("run", wide, "--device", "toaster")
    check("no such device", code == 1 and "is no device" in err, err)
    code, out, err = fxscope("run", wide, "--autograd", "sometimes")
    check("no such grad mode", code == 2 and "no_grad" in err, code, err)


def check_loading():
    """What load_state_dict takes grows with the layers, not with their square."""

    def seconds(count):
        (FOLDER / "many.py").write_text(f"import torch\nfrom torch import nn\n\nnet = nn.Sequential(*[nn.Linear(1, 1) for _ in range({count})])\n"
                                        "net.load_state_dict(net.state_dict())\n\ndef f(x):\n    return x\n")
        return min(commands("graph", f"{FOLDER}/many.py:f").seconds for _ in range(2))

    nothing, few, many = seconds(1), seconds(1000), seconds(4000)
    check("loading is linear", many - nothing < 8 * (few - nothing), nothing, few, many)


failures.end_after([check_devices, check_seed, check_sources, check_nested_inputs, check_empty_constants, check_saved_kinds, check_libraries, check_loading])
