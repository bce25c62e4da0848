# SPDX-License-Identifier: GPL-3.0-or-later
"""What a graph is called with: any number of values, values by name, defaults, and graphs that graphs call, held against
the real PyTorch.

    run_inputs.py FORKED_CLI
"""

import pathlib
import sys
import tempfile

import torch
from torch import fx, nn

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "support"))
from checks import Failures
from commands import Commands, here_and_apart

commands = Commands(sys.argv[1])
FOLDER = pathlib.Path(tempfile.mkdtemp())
failures = Failures()
check, same = failures.check, failures.same
fxscope = here_and_apart(commands, failures)

SOURCE = '''
import torch
from torch import nn

class Rest(nn.Module):
    def forward(self, x, *args):
        return x + args[0] * args[1]

class Named(nn.Module):
    def forward(self, x, **kwargs):
        return x + kwargs["shift"] * kwargs["scale"]

class Both(nn.Module):
    def forward(self, x, *args, **kwargs):
        return torch.cat([x, args[0], kwargs["shift"]])

class Late(nn.Module):
    def forward(self, x, alpha=2.0, beta=3.0):
        return x * alpha + beta
'''
x, a, b, c = torch.arange(12.0).reshape(4, 3).unbind()


def result(model, *options):
    path = FOLDER / "saved.pt"
    path.unlink(missing_ok=True)
    done = fxscope("run", model, *options, "--save", path)
    return torch.load(path) if path.exists() else done


def text(tensor):
    return f"torch.tensor({tensor.tolist()})"


def file_of(value):
    torch.save(value, FOLDER / "inputs.pt")
    return FOLDER / "inputs.pt"


def check_many():
    (FOLDER / "net.py").write_text(SOURCE)
    sys.path.insert(0, str(FOLDER))
    import net

    for name in ("Rest", "Named", "Both", "Late"):
        model = fx.symbolic_trace(getattr(net, name)())
        torch.save(model, FOLDER / f"{name}.pt")
        for path in (f"{FOLDER}/net.py:{name}()", FOLDER / f"{name}.pt"):
            def given(what, options, *values, **named):
                same(f"{path}, {what}", result(path, *options), model(*values, **named))

            if name == "Rest":
                given("a list", ["--inputs", file_of([x, a, b])], x, a, b)
                given("a longer list", ["--inputs", file_of((x, a, b, c))], x, a, b, c)
                given("a dict", ["--inputs", file_of({"x": x, "_args": [a, b]})], x, a, b)
                given("words", ["--input", f"x={text(x)}", "--input", f"_args=[{text(a)}, {text(b)}]"], x, a, b)
                done = result(path, "--input", f"x={text(x)}", "--input", "_args=3")
                check("no list", "error: input '_args': takes a list of values, not int" in done[2], done)
                saved = FOLDER / "after.pt"
                fxscope("run", path, "--inputs", file_of([x, a, b]), "--save-inputs", saved)
                check("inputs after", [value.tolist() for value in torch.load(saved)["_args"]] == [a.tolist(), b.tolist()])
                # In the middle of a run, and once more from its beginning.
                script = FOLDER / "script.txt"
                script.write_text("c\np add\nrun\nb add\nc\np len(_args)\njump _args\nc\np add\nc\np add\nq\n")
                code, out, err = fxscope("debug", path, "--inputs", file_of([x, a, b]), "--commands", script)
                check("debugged", code == 0 and out.count(str(model(x, a, b))) >= 2, out, err)
            if name == "Named":
                given("a dict", ["--inputs", file_of({"x": x, "shift": a, "scale": b})], x, shift=a, scale=b)
                given("words", ["--input", f"x={text(x)}", "--input", f"_kwargs={{'shift': {text(a)}, 'scale': 2.0}}"], x, shift=a,
                      scale=2.0)
                done = result(path, "--input", f"x={text(x)}", "--input", "_kwargs=[1]")
                check("no dict", "error: input '_kwargs': takes a dict of values by name, not list" in done[2], done)
            if name == "Both":
                given("a dict", ["--inputs", file_of({"x": x, "_args": (a,), "shift": b})], x, a, shift=b)
                given("both", ["--inputs", file_of([x, a]), "--input", f"_kwargs={{'shift': {text(b)}}}"], x, a, shift=b)
            if name == "Late":
                given("defaults", ["--input", f"x={text(x)}"], x)
                given("the last by name", ["--input", f"x={text(x)}", "--input", "beta=5.0"], x, beta=5.0)
                given("a dict", ["--inputs", file_of({"x": x, "beta": b})], x, beta=b)
                done = result(path, "--inputs", file_of([x, a, b, c]))
                check("too many", "has 4 values, the model takes 3 inputs" in done[2], done)
                done = result(path, "--inputs", file_of({"x": x, "gamma": a}))
                check("no such input", "has a value for 'gamma', which is no input of the model" in done[2], done)


PARAMETERS = '''
import torch
from torch import nn

def one(input): return torch.relu(input)
def several(list, len, x, max=2.0): return x * max + list - len
def taken(input, input_1): return input - input_1 * 2
def starred(input, *id): return input + id[0]
def keywords(input, **vars): return input * vars["by"]
class Net(nn.Module):
    def forward(self, input, *, type): return input * type
'''


def spec(value):
    if isinstance(value, list):
        return "[" + ", ".join(map(spec, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {spec(item)}" for key, item in value.items()) + "}"
    return text(value) if isinstance(value, torch.Tensor) else repr(value)


def check_by_parameter():
    """A node whose parameter has the name of a builtin is called otherwise; both names give its value."""
    (FOLDER / "parameters.py").write_text(PARAMETERS)
    sys.path.insert(0, str(FOLDER))
    import parameters

    def forms(call):
        model = fx.symbolic_trace(eval(call, vars(parameters)))
        torch.save(model, FOLDER / "parameters.pt")
        fxscope("apply", FOLDER / "parameters.pt", "lint", "-o", FOLDER / "parameters.fxg")
        return model, (f"{FOLDER}/parameters.py:{call}", FOLDER / "parameters.pt", FOLDER / "parameters.fxg")

    def words(values):
        return [word for name, value in values.items() for word in ("--input", f"{name}={spec(value)}")]

    for call, wanted, *given in (
            ("one", lambda f: f(x), {"input": x}, {"input_1": x}),
            ("several", lambda f: f(x, a, b), {"list": x, "len": a, "x": b}, {"list_1": x, "len": a, "x": b}),
            ("several", lambda f: f(x, a, b, 3.0), {"list": x, "len": a, "x": b, "max": 3.0}, {"list": x, "len_1": a, "x": b, "max_1": 3.0}),
            ("taken", lambda f: f(x, a), {"input": x, "input_1": a}, {"input_1": x, "input_2": a}, {"input": x, "input_2": a}),
            ("starred", lambda f: f(x, a), {"input": x, "id": [a]}, {"input_1": x, "_id": [a]}),
            ("keywords", lambda f: f(x, by=a), {"input": x, "vars": {"by": a}}, {"input_1": x, "_vars": {"by": a}}),
            ("Net()", lambda f: f(x, type=a), {"input": x, "type": a}, {"input_1": x, "type_1": a})):
        model, paths = forms(call)
        for path in paths:
            # The code that torch.fx writes of `taken` gives both parameters one value, and is what a .pt has.
            right = wanted(model if path is not paths[0] else eval(call, vars(parameters)))
            for values in given:
                same(f"{path} by {list(values)}", result(path, *words(values)), right)
                same(f"{path} by a dict of {list(values)}", result(path, "--inputs", file_of(values)), right)
    model, paths = forms("keywords")
    same("other keywords", result(paths[0], "--inputs", file_of({"input": x, "by": a})), model(x, by=a))
    model, paths = forms("one")
    code, out, err = fxscope("run", paths[0], "--input", f"input={text(x - 1)}", "--grad")
    check("with gradients", code == 0 and f"the sum of output = {torch.relu(x - 1).sum()}" in out, out, err)
    script = FOLDER / "script.txt"
    script.write_text("c\np relu\nq\n")
    code, out, err = fxscope("debug", paths[0], "--input", f"input={text(x)}", "--commands", script)
    check("debugged by its parameter", code == 0 and str(model(x)) in out, out, err)
    twice = "input 'input_1': is given twice, by its name and as 'input'"
    for call, values, fault in (("one", {"input": x, "input_1": x}, twice), ("one", {"inputs": x}, "its inputs are: input_1"),
                                ("one", {"*input": x}, "no input '*input'"), ("starred", {"input": x, "*id": [a]}, "its inputs are: input_1, _id"),
                                ("taken", {"input": x, "input_1": a, "input_2": a}, twice)):
        code, out, err = fxscope("run", forms(call)[1][0], *words(values))
        check(f"{call} by {list(values)}", code == 1 and fault in err and err.count("\n") == 1, err)
    for call, values, fault in (("one", {"input": x, "input_1": x}, twice), ("one", {"inputs": x}, "'inputs', which is no input of the model"),
                                ("keywords", {"input": x, "vars": {"by": a}, "by": b}, "has a value for 'by' beside all of '_vars'")):
        code, out, err = fxscope("run", forms(call)[1][0], "--inputs", file_of(values))
        check(f"{call} by a dict of {list(values)}", code == 1 and fault in err and err.count("\n") == 1, err)


class Scaled(nn.Module):
    def forward(self, x, scale=2.0, **more):
        return x * scale + more["shift"]


def check_graphs_in_graphs():
    for keywords in ({"shift": a}, {"shift": a, "scale": b}, {"shift": 1.0, "x": x}):
        graph = fx.Graph()
        first = graph.placeholder("x")
        names = {name: value if isinstance(value, float) else graph.placeholder(name + "_") for name, value in keywords.items()}
        graph.output(graph.call_module("inner", () if "x" in names else (first,), names))
        outer = fx.GraphModule({"inner": fx.symbolic_trace(Scaled())}, graph)
        torch.save(outer, FOLDER / "outer.pt")
        values = [x] + [value for value in keywords.values() if not isinstance(value, float)]
        same(f"graph called with {list(keywords)}", result(FOLDER / "outer.pt", "--inputs", file_of(values)), outer(*values))


class Dense(nn.Module):
    def forward(self, x, y):
        return x.to_dense() + y, x


def check_sparse():
    torch.save(fx.symbolic_trace(Dense()), FOLDER / "dense.pt")
    dense = torch.tensor([[0.0, 1, 0, 2], [0, 0, 3, 0], [4, 0, 0, 0], [0, 0, 5, 6]])
    twice = torch.sparse_coo_tensor([[0, 0, 2], [1, 1, 3]], [1.0, 2.0, 3.0], (4, 4))
    for x in (dense.to_sparse(), twice, dense.to_sparse_csr(), dense.to_sparse_csc(), dense.to_sparse_bsr((2, 2)),
              dense.to_sparse_bsc((2, 2)), dense.to(torch.int64).to_sparse(), dense.to_sparse(1)):
        got = result(FOLDER / "dense.pt", "--inputs", file_of([x, dense]))
        wanted = Dense()(x, dense)
        same(f"dense of {x.layout}", got[0], wanted[0])
        check(f"{x.layout} read and written", isinstance(got[1], torch.Tensor) and got[1].layout == x.layout and got[1].dtype == x.dtype
              and (x.layout != torch.sparse_coo or got[1].is_coalesced() == x.is_coalesced())
              and torch.equal(got[1].to_dense(), x.to_dense()), got)
    spoilt = torch.sparse_csr_tensor([0, 1, 9, 9], [0, 0], [1.0, 2.0], (3, 2), check_invariants=False)
    done = result(FOLDER / "dense.pt", "--inputs", file_of([spoilt, dense]))
    check("indices that lie outside", len(done) == 3 and done[0] == 1 and done[2].startswith("error: "), done)


failures.end_after([check_many, check_by_parameter, check_graphs_in_graphs, check_sparse])
