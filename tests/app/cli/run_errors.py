# SPDX-License-Identifier: GPL-3.0-or-later
"""Graphs that fail: run, shapes and debug tell PyTorch's message, the node, its module and the line of the source.

    run_errors.py FORKED_CLI
"""

import pathlib
import sys
import tempfile

import torch

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "support"))
from commands import Commands, here_and_apart

commands = Commands(sys.argv[1])
FOLDER = pathlib.Path(tempfile.mkdtemp())
INPUT = "x=torch.ones(2, 3)"

# One expression of x for each, in a line of its own: what it is, and the name of the node that fails.
CASES = [
    ("sizes", "x + torch.ones(4)", "add"),
    ("product", "torch.matmul(x, x)", "matmul"),
    ("view", "x.view(4, 5)", "view"),
    ("index", "x[7]", "getitem"),
    ("bound", "x[:x.mean()]", "getitem"),
    ("dimension", "x.sum(5)", "sum_1"),
    ("dtype", "torch.bitwise_not(x)", "bitwise_not"),
    ("cat", "torch.cat([x, x.t()])", "cat"),
    ("stack", "torch.stack([x, x.t()])", "stack"),
    ("permute", "x.permute(0, 0)", "permute"),
    ("expand", "x.expand(3, 3)", "expand"),
    ("gather", "torch.gather(x, 5, x.long())", "gather"),
    ("inverse", "torch.linalg.inv(x)", "linalg_inv"),
    ("attribute", "x.no_such_thing()", "no_such_thing"),
    ("linear", "self.linear(x)", "linear"),
    ("nested", "self.inner(x)", "inner_deep"),
    ("softmax", "torch.softmax(x, 9)", "softmax"),
    ("convolution", "self.convolution(x)", "convolution"),
    ("keyword", "x.add(x, gamma=2)", "add"),
]

HEAD = '''import torch
from torch import nn

class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.deep = nn.Linear(7, 2)

    def forward(self, x):
        return self.deep(x)

class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear, self.inner, self.convolution = nn.Linear(8, 2), Inner(), nn.Conv2d(5, 2, 3)

'''
failures = []
fxscope = here_and_apart(commands, failures)
lines = HEAD.splitlines()
place = {}
for name, expression, node in CASES:
    lines += [f"class Fails_{name}(Base):", "    def forward(self, x):", f"        return {expression}", ""]
    place[name] = len(lines) - 1
(FOLDER / "net.py").write_text("\n".join(lines))
sys.path.insert(0, str(FOLDER))
import net  # noqa: E402


for name, expression, node in CASES:
    lines += [f"class Fails_{name}(Base):", "    def forward(self, x):", f"        return {expression}", ""]
    place[name] = len(lines) - 1
(FOLDER / "net.py").write_text("\n".join(lines))
sys.path.insert(0, str(FOLDER))
import net  # noqa: E402


def fxscope(*arguments, text=""):
    run = commands(*arguments, text=text)[:3]
    if arguments[0] == "debug" and "--worker" not in arguments:
        # A process of its own tells the same.
        apart = fxscope(*arguments, "--worker", text=text)
        if apart != run:
            failures.append(f"{arguments}: differs with --worker: {apart}, not {run}")
    return run


for name, expression, node in CASES:
    try:
        getattr(net, "Fails_" + name)()(torch.ones(2, 3))
        failures.append(f"{name}: PyTorch does not fail")
        continue
    except Exception as error:
        message = str(error).split("\n")[0]
    model = f"{FOLDER}/net.py:Fails_{name}()"
    for command in ("run", "shapes", "debug") if name in ("sizes", "nested") else ("run",):
        code, out, err = fxscope(command, model, "--input", INPUT, text="c\nq\n" if command == "debug" else "")
        told = out + err if command == "debug" else err
        wanted = [f"node '{node}'", f"net.py:{place[name] if name != 'nested' else 10}", message]
        if name == "nested":
            wanted.append("inner.deep")
        missing = [words for words in wanted if words not in told]
        if missing or code != 1 or (command != "debug" and (out or not err.startswith("error: node"))):
            failures.append(f"{name}, {command}: {code}, lacks {missing} in\n{told[:700]}")
print("\n".join(failures) or f"{len(CASES)} failures told as they are")
sys.exit(bool(failures))
