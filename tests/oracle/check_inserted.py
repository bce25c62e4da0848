# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts calls into graphs with the pass `insert`, and does the same by torch.fx's own means.  check_inserted.py FORKED_CLI

A call's text is evaluated here with torch.fx's Proxy for each node, at the same place; code, shapes and what the graph computes must
be the same.
"""

import ast
import itertools
import math
import operator
import pathlib
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
sys.dont_write_bytecode = True
import torch
from torch import fx, nn
from torch.fx.passes.shape_prop import ShapeProp
import torch.nn.functional as F

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from commands import Commands

SOURCE = '''
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 3, 3, padding=1)
        self.norm = nn.BatchNorm2d(3)

    def forward(self, x):
        return torch.relu(self.norm(self.conv(x))) + x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Block()
        self.second = Block()
        self.scale = nn.Parameter(torch.full((1,), 0.5))

    def forward(self, x, bias):
        y = self.second(self.first(x))
        z = y.mean(dim=(2, 3))
        return z + bias, y.sum() * self.scale
'''

# What is called; the node after or before which it is put; the node whose readers read it then, and which of them.
CASES = [
    ("torch.clamp(relu, max=0.25)", {"replaces": "relu"}),
    ("torch.clamp(relu, max=0.25)", {"replaces": "relu", "readers": "add"}),
    ("relu * 2 + x", {"replaces": "relu"}),
    ("F.gelu(relu_1, approximate='tanh')", {"replaces": "relu_1", "name": "soft"}),
    ("self.first.norm(second_conv)", {"replaces": "second_conv"}),
    ("nn.ReLU()(mean)", {"replaces": "mean"}),
    ("nn.Dropout(p=0.5)(first_conv)", {"replaces": "first_conv"}),
    ("nn.Linear(3, 3, bias=False)(mean)", {"replaces": "mean"}),
    ("nn.Sequential(nn.ReLU(), nn.Hardtanh(-1, 1))(add)", {"replaces": "add"}),
    ("aten.mul.Tensor(add_1, 0.5)", {"replaces": "add_1"}),
    ("mean.unsqueeze(0)[0]", {"replaces": "mean"}),
    ("torch.cat([add, add_1], dim=1)", {}),
    ("x.view(-1, 3)", {}),
    ("torch.ones(2, 3)", {"before": "mean"}),
    ("x + bias.sum()", {"before": "first_conv", "replaces": "x"}),
    ("-mean", {"replaces": "mean"}),
    ("mean * self.scale", {"replaces": "mean"}),
    ("math.sqrt(2)", {"after": "add"}),
    ("operator.truediv(add, 3)", {"replaces": "add"}),
    ("x.shape", {}),
    ("torch.where(mean > 0, mean, 0.0)", {"replaces": "mean"}),
]

REFUSED = [
    ("torch.clamp(nothing)", {}, "nothing"),
    ("relu", {}, "is no call"),
    ("3", {}, "is no call"),
    ("torch.clamp(", {}, "SyntaxError"),
    ("torch.no_such(relu)", {}, "no_such"),
    ("torch.exp(add_1)", {"before": "relu"}, "computed later"),
    ("torch.exp(relu)", {"replaces": "relu", "readers": "x"}, "does not read"),
    ("torch.matmul(relu, relu)", {"replaces": "relu", "readers": "mean"}, "does not read"),
    ("mean.view(7)", {}, "shape '[7]' is invalid"),
    ("mean.sum(dim=1)", {"replaces": "mean", "after": "mean", "before": "add"}, "cannot be given together"),
    ("relu[:, :, 0]", {"replaces": "relu"}, "node 'add': cannot take"),
    ("nn.NoSuch()(relu)", {}, "NoSuch"),
    ("self.gone(relu)", {}, "gone"),
    ("", {}, "--call"),
]


class Modules:
    """`self` in a call: modules are called, parameters are read."""

    def __init__(self, tracer, gm, path=""):
        self.tracer, self.gm, self.path = tracer, gm, path

    def __getattr__(self, name):
        path = f"{self.path}.{name}".lstrip(".")
        if isinstance(getattr(self.gm.get_submodule(self.path), name), nn.Module):
            return Modules(self.tracer, self.gm, path)
        return self.tracer.create_proxy("get_attr", path, (), {})

    def __call__(self, *args, **kwargs):
        return self.tracer.create_proxy("call_module", self.path, args, kwargs)


class WithModules(ast.NodeTransformer):
    """`nn.ReLU()(x)` as `self.relu(x)`, with the module registered."""

    def __init__(self, gm):
        self.gm = gm

    def visit_Call(self, call):
        self.generic_visit(call)
        made = call.func
        if isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute) and ast.unparse(made.func).startswith("nn."):
            module = eval(ast.unparse(made), {"nn": nn})
            wish = name = type(module).__name__.lower()
            taken = {node.name for node in self.gm.graph.nodes}
            for number in itertools.count(1):
                if name not in taken and not hasattr(self.gm, name):
                    break
                name = f"{wish}_{number}"
            self.gm.add_submodule(name, module)
            module.train(self.gm.training)
            call.func = ast.Attribute(ast.Name("self", ast.Load()), name, ast.Load())
        return call


def insert(gm, text, name="", after="", before="", replaces="", readers=""):
    nodes = {node.name: node for node in gm.graph.nodes}
    order = list(gm.graph.nodes)
    tree = WithModules(gm).visit(ast.parse(text, mode="eval"))
    read = [nodes[each.id] for each in ast.walk(tree) if isinstance(each, ast.Name) and each.id in nodes]
    last = max(read, key=order.index) if read else None
    anchor = nodes[before] if before else None
    behind = nodes[after] if after else None if before or not last else last
    if behind is not None and behind.op == "placeholder":
        behind = [node for node in order if node.op == "placeholder"][-1]
    point = anchor or (behind.next if behind is not None else order[-1])
    tracer = fx.proxy.GraphAppendingTracer(gm.graph)
    names = {key: fx.Proxy(node, tracer) for key, node in nodes.items()}
    names |= {"torch": torch, "F": F, "aten": torch.ops.aten, "math": math, "operator": operator, "self": Modules(tracer, gm)}
    with gm.graph.inserting_before(point):
        tree = ast.fix_missing_locations(tree)
        proxy = eval(compile(tree, text, "eval"), names)
        fresh = proxy.node if isinstance(proxy, fx.Proxy) else None  # an attribute is a node only when it is asked for
        if fresh is None:  # of no node: torch.fx would have computed it
            callee = eval(text.split("(")[0], names)
            args = ast.literal_eval("(" + text.split("(", 1)[1][:-1] + ",)")
            fresh = gm.graph.call_function(callee, args)
    if name:
        fresh._rename(name)
    order = list(gm.graph.nodes)
    if replaces:
        wanted = readers.split(",") if readers else [node.name for node in order[order.index(fresh) + 1:]]
        nodes[replaces].replace_all_uses_with(fresh, delete_user_cb=lambda user: user.name in wanted)
    gm.recompile()
    return fresh


def flags(options):
    return [word for key, value in options.items() for word in (f"--{key}", value)]


def main():
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        commands, folder = Commands(sys.argv[1]), pathlib.Path(folder)
        (folder / "net.py").write_text(SOURCE)
        space = {}
        exec(SOURCE, space)
        torch.manual_seed(0)
        x, bias = torch.randn(2, 3, 8, 8), torch.randn(3)
        torch.save({"x": x, "bias": bias}, folder / "inputs.pt")
        torch.save(space["Net"]().state_dict(), folder / "state.pt")
        model = [f"{folder}/net.py:Net()", "--eval", "--state", folder / "state.pt"]
        commands("apply", *model, "shape-prop", "--inputs", folder / "inputs.pt", "-o", folder / "net.fxg")

        def applied(text, options):
            return commands("apply", folder / "net.fxg", "insert", "--call", text, *flags(options), "-o", folder / "out.fxg")

        for text, options in CASES:
            net = space["Net"]().eval()
            net.load_state_dict(torch.load(folder / "state.pt"))
            gm = fx.symbolic_trace(net)
            fresh = insert(gm, text, **options)
            done = applied(text, options)
            if done.code:
                failures.append(f"{text}: {done.err.strip()}")
                continue
            code = commands("code", folder / "out.fxg").out
            if code.strip() != gm.code.strip():
                failures.append(f"{text} {options}:\n{code}\n    and by torch.fx\n{gm.code}")
                continue
            if commands("apply", folder / "out.fxg", "lint").code:
                failures.append(f"{text}: lint finds faults")
            if "Linear" not in text:  # its weights are drawn
                ran = commands("run", folder / "out.fxg", "--inputs", folder / "inputs.pt", "--save", folder / "values.pt")
                ours, theirs = torch.load(folder / "values.pt") if not ran.code else ran.err, gm(x, bias)
                if isinstance(ours, str) or any(not torch.equal(a, b) for a, b in zip(ours, theirs)):
                    failures.append(f"{text}: {ours} and by torch.fx {theirs}")
            ShapeProp(gm).propagate(x, bias)
            known = fresh.meta.get("tensor_meta")
            shape = "[" + ", ".join(map(str, known.shape)) + "]" if isinstance(known, fx.passes.shape_prop.TensorMetadata) else ""
            if shape and shape not in done.out + done.err:
                failures.append(f"{text}: the shape {shape} is not in {done.out + done.err}")
        for text, options, words in REFUSED:
            (folder / "out.fxg").unlink(missing_ok=True)
            done = applied(text, options)
            if not done.code or words not in done.err or (folder / "out.fxg").exists():
                failures.append(f"{text} {options}: not refused with '{words}': {done.code} {done.err}")
    for failure in failures:
        print(failure)
    print(f"{len(CASES) + len(REFUSED)} calls, {len(failures)} failures")
    sys.exit(bool(failures))


main()
