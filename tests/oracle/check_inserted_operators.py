# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts calls into exported programs, and compares with what torch.export makes of the same calls.  check_inserted_operators.py FORKED_CLI

The graph must call the same operators with the same arguments, torch.export.load must take the file, and the program must compute the
same. Calls come into the graph by the pass `insert`, or by `replace`.
"""

import operator
import pathlib
import re
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
sys.dont_write_bytecode = True
import torch
from torch import nn
import torch.nn.functional as F

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from commands import Commands

# Over x and y, float32 [2, 3, 4], and s, the value that is replaced.
CALLS = [
    "s + 2.0", "s + 2", "2.0 - s", "s * y", "s / 3", "-s", "s ** 2", "s @ y.transpose(1, 2)", "s.view(2, 12)", "s[0]", "s[:, 1:]",
    "s[..., None]", "torch.relu(s)", "F.relu(s)", "torch.clamp(s, max=0.5)", "s.clamp(min=0.1)", "torch.sigmoid(s)", "F.gelu(s)",
    "F.gelu(s, approximate='tanh')", "F.silu(s)", "torch.softmax(s, dim=-1)", "F.softmax(s, dim=-1)", "s.softmax(-1)", "s.mean(dim=1)",
    "s.sum()", "torch.cat([s, y], dim=1)", "torch.stack([s, y])", "s.permute(0, 2, 1)", "s.reshape(-1)", "torch.flatten(s, 1)",
    "s.to(torch.float16)", "s.float()", "s.double()", "s.type(torch.float64)", "s > 0", "torch.where(s > 0, s, y)",
    "torch.where(s > 0, s, 0.0)", "F.layer_norm(s, (4,))", "torch.matmul(s, y.transpose(-1, -2))", "F.dropout(s, 0.5, False)",
    "s.unsqueeze(0)", "s.squeeze()", "torch.exp(s)", "s.abs().sqrt()", "s.masked_fill(y > 0, 0.0)", "s.expand(2, 3, 4)",
    "s.contiguous()", "s.clone()", "s.detach()", "torch.tanh(s)", "F.leaky_relu(s, 0.1)", "F.elu(s)", "F.hardtanh(s, -1.0, 1.0)",
    "F.pad(s, (1, 1))", "F.normalize(s, dim=1)", "torch.max(s, y)", "torch.maximum(s, y)", "s.max()", "torch.argmax(s, dim=1)",
    "s.argmax(-1)", "torch.cumsum(s, dim=0)", "torch.einsum('bij,bkj->bik', s, y)", "torch.ones_like(s)", 
    "torch.full_like(s, 3.0)", "s.flip(0)", "s.roll(1, 0)", "torch.bmm(s, y.permute(0, 2, 1))", "s.repeat(2, 1, 1)", "s.norm()",
    "s.std()", "s.var(dim=1)", "F.cosine_similarity(s, y)", "F.mse_loss(s, y)", "nn.ReLU()(s)", "nn.Softmax(dim=1)(s)",
    "F.avg_pool1d(s, 2)", "F.max_pool1d(s, 2)", "F.interpolate(s, scale_factor=2.0)", "F.log_softmax(s, dim=1)", "s.new_zeros(3)", "nn.Linear(4, 2, bias=False)(s) * 0",
    "s.add(y, alpha=2)", "torch.add(s, y, alpha=2)", "torch.rsqrt(s.abs() + 1e-5)", "operator.truediv(s, 4)", "s.eq(0)", "s != y",
    "~(s > 0)", "(s > 0) & (y > 0)", "s.log1p()", "torch.addcmul(s, y, y, value=0.5)", "s.tril()", "s.chunk(2, dim=2)[0]",
    "s.split(1, dim=1)[1]", "torch.nn.functional.scaled_dot_product_attention(s, y, y)", "F.normalize(s, dim=1)[0]", "s.view(s.size(0) * 1, -1)",
    "F.adaptive_avg_pool1d(s, 2)", "F.instance_norm(s)", "F.glu(s)",
]

# Calls of which torch.export writes something else that computes the same.
OTHERWISE = {
    "s.to(torch.float16)": "checks the dtype of s first",
    "s.float()": "checks the dtype of s first, or leaves it out",
    "s.double()": "checks the dtype of s first",
    "s.type(torch.float64)": "checks the dtype of s first",
    "F.layer_norm(s, (4,))": "says that cuDNN is not there",
    "s.contiguous()": "leaves it out, as s is contiguous",
    "s.view(s.size(0) * 1, -1)": "takes the size that s has, which ours asks for",
    "F.instance_norm(s)": "says that cuDNN is not there",
}


# Into a program whose first size is open: the call, and whether it becomes operators; where it does, for all sizes.
OPEN = [
    ("torch.relu(sin) * 2", True), ("sin[:, 1:]", True), ("sin[0]", True), ("sin.float()", True), ("sin.view(sin.size(0) * 2, -1)", True),
    ("torch.relu(sin)[:3]", False), ("nn.GRUCell(4, 4)(sin)", False),
]

# By the pass `replace`, over the program of Base: what is looked for, and what takes its place.
REPLACED = [
    ("lambda a: torch.cos(torch.sin(a))", "lambda a: F.gelu(torch.sin(a)) + 1.0"),
    ("lambda a: a.sin()", "lambda a: a[0] * 2"),
    ("lambda a: torch.sin(a)", "lambda a: F.relu(a).to(torch.float64)"),
]


class Base(nn.Module):
    def forward(self, x, y):
        s = torch.sin(x)
        return (torch.cos(s), y)


def with_call(text):
    made = {}
    source = text
    if text.startswith("nn."):
        head, tail = text.split("(s)", 1)
        made["made"] = eval(head, {"nn": nn})
        source = "self.made(s)" + tail
    code = compile(source, "<call>", "eval")

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            for name, module in made.items():
                setattr(self, name, module)

        def forward(self, x, y):
            s = torch.sin(x)
            r = eval(code, {"torch": torch, "F": F, "operator": operator, "s": s, "y": y, "x": x, "self": self})
            return (torch.cos(r), y)

    return Net().eval()


def calls_of(program):
    """What is called with what, nodes by where they stand among the calls and inputs."""
    numbers, out = {}, []
    for node in program.graph.nodes:
        if node.op == "call_function":
            arguments = torch.fx.map_arg((node.args, dict(node.kwargs)), lambda each: numbers[each])
            out.append(f"{node.target} {arguments}")
        numbers[node] = f"%{len(numbers)}"
    return out


def main():
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        commands, folder = Commands(sys.argv[1]), pathlib.Path(folder)
        torch.manual_seed(0)
        inputs = torch.randn(2, 3, 4), torch.randn(2, 3, 4)
        base = torch.export.export(Base().eval(), inputs)
        torch.export.save(base, folder / "base.pt2")
        for text in CALLS:
            (folder / "out.pt2").unlink(missing_ok=True)
            written = re.sub(r"\bs\b", "sin", text)
            done = commands("apply", folder / "base.pt2", "insert", "--call", written, "--replaces", "sin", "--readers", "cos",
                            "--unchecked", "-o", folder / "out.pt2")
            if done.code:
                failures.append(f"{text}: {done.err.strip()}")
                continue
            net = with_call(text)
            try:
                theirs = torch.export.export(net, inputs)
            except Exception as error:
                failures.append(f"{text}: torch.export: {error}")
                continue
            ours = torch.export.load(folder / "out.pt2")
            if calls_of(ours) != calls_of(theirs) and text not in OTHERWISE:
                failures.append(f"{text}:\n  ours   {calls_of(ours)}\n  theirs {calls_of(theirs)}")
            got, wanted = ours.module()(*inputs), net(*inputs)
            if any(not torch.equal(a, b) for a, b in zip(got, wanted)):
                failures.append(f"{text}: other values")
        size = torch.export.Dim("size")
        torch.export.save(torch.export.export(Base().eval(), (torch.randn(3, 4), torch.randn(3, 4)),
                                              dynamic_shapes={"x": {0: size}, "y": {0: size}}), folder / "open.pt2")
        for text, becomes in OPEN:
            (folder / "out.pt2").unlink(missing_ok=True)
            done = commands("apply", folder / "open.pt2", "insert", "--call", text, "--replaces", "sin", "--readers", "cos", "--unchecked",
                            "-o", folder / "out.pt2")
            if (not done.code) != becomes:
                failures.append(f"{text}, sizes open: {done.code} {done.err.strip()}")
            if done.code or not becomes:
                continue
            x = torch.randn(5, 4)
            wanted = torch.cos(eval(text, {"torch": torch, "sin": torch.sin(x)}))
            if not torch.equal(torch.export.load(folder / "out.pt2").module()(x, x)[0], wanted):
                failures.append(f"{text}, sizes open: other values")
        for pattern, replacement in REPLACED:
            (folder / "out.pt2").unlink(missing_ok=True)
            done = commands("apply", folder / "base.pt2", "replace", "--pattern-text", pattern, "--replacement-text", replacement,
                            "-o", folder / "out.pt2")
            if done.code or "1 match replaced" not in done.out + done.err:
                failures.append(f"{pattern}: {done.out} {done.err.strip()}")
                continue
            made = eval(replacement, {"torch": torch, "F": F})
            x, y = inputs
            wanted = made(x) if "cos" in pattern else torch.cos(made(x))
            if not torch.equal(torch.export.load(folder / "out.pt2").module()(x, y)[0], wanted):
                failures.append(f"{pattern} -> {replacement}: other values")
    for failure in failures:
        print(failure)
    print(f"{len(CALLS) + len(OPEN) + len(REPLACED)} calls, {len(failures)} failures")
    sys.exit(bool(failures))


main()
