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
# Errors of LibTorch with listings for its developers: the first sentence is told, and the listing where it is asked for.
LISTINGS = [
    "torch.ops.aten.cudnn_batch_norm.default(x, x[0], None, None, None, True, 0.1, 0.1)",
    "x.to_sparse().argsort()",
    "torch.cumsum(x.to_mkldnn(), 0)",
    "torch.ops.quantized.add.default(x, x, 1.0, 0)",
    "torch.ops.aten._sparse_mm_reduce_impl.default(x, x, 'sum')",
    "torch.ops.aten._cudnn_init_dropout_state.default(0.5, True, x.size(0))",
    "torch.ops.aten._fused_adam.default([], [], [], [], [], [], lr=0.1, beta1=0.9, beta2=0.9, weight_decay=0.0, eps=0.1, "
    "amsgrad=False, maximize=x.requires_grad)",
    "torch.ops.aten.add(x, 'a')",
    "torch.ops.aten.mul(x, [1])",
]
MOST_LINES, LEAST_LISTING = 16, 40
for number, expression in enumerate(LISTINGS):
    try:
        eval(expression, {"torch": torch, "x": torch.ones(2, 3)})
        failures.append(f"{expression}: PyTorch does not fail")
        continue
    except Exception as error:
        message = str(error).split("\n")[0].split(" This could be")[0].split(" (e.g.")[0]
    (FOLDER / f"listing{number}.py").write_text(f"import torch\n\n\ndef net(x):\n    return {expression}\n")
    model = f"{FOLDER}/listing{number}.py:net"
    brief, whole = (commands("run", model, "--input", INPUT, *more).err for more in ([], ["--verbose"]))
    if message not in brief or len(brief.splitlines()) > MOST_LINES or "note: --verbose" not in brief or "registered at" in brief:
        failures.append(f"{expression}: {len(brief.splitlines())} lines: {brief[:1500]}")
    if message not in whole or len(whole.splitlines()) < LEAST_LISTING or "note: --verbose" in whole:
        failures.append(f"{expression}, whole: {len(whole.splitlines())} lines: {whole[:1500]}")
    told = fxscope("debug", model, "--input", INPUT, text="c\ndetails\nq\n")[1]
    first, _, rest = told.partition("(fx) details")
    if message not in first or "'details' shows all of it" not in first or "registered at" in first or len(rest.splitlines()) < LEAST_LISTING:
        failures.append(f"{expression}, debug: {told[:1500]}")
print("\n".join(failures) or f"{len(CASES) + len(LISTINGS)} failures told as they are")
sys.exit(bool(failures))
