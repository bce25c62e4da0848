# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that are opened or captured, edited and written, and what torch.export.load must find then. Each gives what is wrong.
import copy
import inspect
import json
import pathlib
import re
import zipfile

import inputs
import nets
import torch
import torch.nn as nn
from torch.export import Dim

HERE = pathlib.Path(__file__).parent
EDITS = {}


def edit(function):
    EDITS[function.__name__] = function
    return function


def saved(folder, model, args, name="model.pt2", **more):
    torch.manual_seed(0)
    program = torch.export.export(model, args, **more)
    torch.export.save(program, folder / name)
    return program


def written(commands, *arguments):
    """The program that a command has written, or what went wrong."""
    done = commands(*arguments)
    return (None, done.err) if done.code else (torch.export.load(arguments[-1]), done.err)


def close(one, other):
    one, other = torch.utils._pytree.tree_leaves(one), torch.utils._pytree.tree_leaves(other)
    return len(one) == len(other) and all(torch.allclose(a, b) if isinstance(a, torch.Tensor) else a == b for a, b in zip(one, other))


def net():
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(4, 5), nn.ReLU(), nn.Flatten())


DYNAMIC = {"dynamic_shapes": ({0: Dim("batch", min=2, max=64)},)}


@edit
def edit_weights(commands, folder):
    model, out = net(), folder / "out.pt2"
    saved(folder, model, (torch.randn(3, 4),), **DYNAMIC)
    program, said = written(commands, "apply", folder / "model.pt2", f"{HERE}/passes.py:halve", "-o", out)
    if not program:
        yield said
        return
    x = torch.randn(7, 4)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(0.5)
    if not close(program.module()(x), model(x)):
        yield "other values"
    if [*program.range_constraints.values()] != [*torch.export.load(folder / "model.pt2").range_constraints.values()]:
        yield f"ranges {program.range_constraints}"


@edit
def edit_replace_node(commands, folder):
    model, out = net(), folder / "out.pt2"
    saved(folder, model, (torch.randn(3, 4),), **DYNAMIC)
    program, said = written(commands, "replace", folder / "model.pt2", "--pattern-text", "lambda x: torch.ops.aten.relu.default(x)",
                            "--replacement-text", "lambda x: torch.ops.aten.mul.Tensor(torch.ops.aten.gelu.default(x), 2)", "-o", out)
    if not program:
        yield said
        return
    x = torch.randn(7, 4)
    if not close(program.module()(x), nn.functional.gelu(model[0](x)) * 2):
        yield "other values"
    if not re.search(r'gelu\w*: "f32\[s\d+, 5\]"', str(program)):
        yield f"sizes that depend on the input are not kept\n{program}"


@edit
def edit_sizes(commands, folder):
    model, out = net(), folder / "out.pt2"
    saved(folder, model, (torch.randn(3, 4),), **DYNAMIC)
    program, said = written(commands, "apply", folder / "model.pt2", f"{HERE}/passes.py:wider", "-o", out)
    if not program:
        yield said
        return
    x = torch.randn(7, 4)
    y = model[1](model[0](x))
    if not close(program.module()(x), torch.cat([y, y], 1)):
        yield "other values"
    if not re.search(r'flatten: "f32\[s\d+, 10\]"', str(program)):
        yield f"the new size is not there\n{program}"
    again = program.run_decompositions()
    if not close(again.module()(x), torch.cat([y, y], 1)):
        yield "cannot be decomposed"


@edit
def edit_sizes_by_formula(commands, folder):
    out = folder / "out.pt2"

    class Net(nn.Module):
        def forward(self, x):
            return torch.relu(x), x.shape[0] * 2

    saved(folder, Net(), (torch.randn(4, 6),), dynamic_shapes=({0: Dim("a", min=3, max=99), 1: Dim("b", min=3, max=99)},))
    for text, check in {
        "torch.ops.aten.cat.default([x, x], 0)": lambda x: torch.cat([x, x]),
        "torch.ops.aten.flatten.using_ints(x)": lambda x: x.flatten(),
        "torch.ops.aten.slice.Tensor(x, 0, 1, -1)": lambda x: x[1:-1],
        "torch.ops.aten.max_pool2d.default(torch.ops.aten.unsqueeze.default(x, 0), [2, 2])":
            lambda x: torch.nn.functional.max_pool2d(x[None], 2),
        "torch.ops.aten.sum.default(x)": lambda x: x.sum(),
        "torch.ops.aten.arange.default(torch.ops.aten.sym_size.int(x, 1))": lambda x: torch.arange(x.shape[1]),
    }.items():
        program, said = written(commands, "replace", folder / "model.pt2", "--pattern-text", "lambda x: torch.ops.aten.relu.default(x)",
                                "--replacement-text", f"lambda x: {text}", "-o", out)
        if not program:
            yield f"{text}: {said}"
            continue
        for sizes in ((4, 6), (9, 7), (3, 11)):
            x = torch.randn(*sizes)
            result = program.module()(x)[0]
            if not close(result, check(x)):
                yield f"{text}: other values"
        # What the sizes are said to be, for one input.
        output = next(node for node in program.graph.nodes if node.op == "output").args[0][0]
        sizes = [str(size) for size in output.meta["val"].shape]
        symbols = {str(size): 1 + i for i, size in enumerate([*program.graph.nodes][0].meta["val"].shape)}
        symbols = dict(zip(symbols, (9, 7)))
        if [eval(size, {**symbols}) for size in sizes] != list(check(torch.randn(9, 7)).shape):
            yield f"{text}: sizes {sizes}"


@edit
def edit_new_buffer(commands, folder):
    out = folder / "out.pt2"

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("seen", torch.zeros(3))

        def forward(self, x):
            self.seen.add_(x)
            return x * self.seen, x

    saved(folder, Net(), (torch.ones(3),))
    program, said = written(commands, "apply", folder / "model.pt2", f"{HERE}/passes.py:shifted", "--by", "5", "-o", out)
    if not program:
        yield said
        return
    module = program.module()
    if not close(module(torch.ones(3)), (torch.full((3,), 6.0), torch.ones(3))) or not close(module.seen, torch.ones(3)):
        yield "other values"
    if "extra" not in program.state_dict:
        yield "the buffer is not in the state_dict"


@edit
def edit_several_values(commands, folder):
    out = folder / "out.pt2"

    class Net(nn.Module):
        def forward(self, x):
            return (x * 2,)

    saved(folder, Net(), (torch.randn(3, 4),), dynamic_shapes=({0: Dim("n", min=2, max=9)},))
    program, said = written(commands, "apply", folder / "model.pt2", f"{HERE}/passes.py:split_in_parts", "-o", out)
    if not program:
        yield said
        return
    x = torch.randn(5, 4)
    if not close(program.module()(x), (torch.relu(x * 2)[:, 1:2],)):
        yield "other values"


@edit
def edit_lost_input(commands, folder):
    out = folder / "out.pt2"

    class Net(nn.Module):
        def forward(self, x, y):
            return x + y

    saved(folder, Net(), (torch.randn(3), torch.randn(3)), dynamic_shapes=({0: Dim("n", min=2, max=9)},) * 2)
    program, said = written(commands, "apply", folder / "model.pt2", f"{HERE}/passes.py:no_second_input", "-o", out)
    if not program or "inputs came or went" not in said:
        yield said or "nothing is said of it"
        return
    if not close(program.module()(torch.ones(4)), torch.full((4,), 2.0)):
        yield "other values"


@edit
def edit_by_way_of_fxg(commands, folder):
    model, out = net(), folder / "out.pt2"
    saved(folder, model, (torch.randn(3, 4),), **DYNAMIC)
    done = commands("export", folder / "model.pt2", folder / "model.fxg")
    program, said = written(commands, "export", folder / "model.fxg", out)
    if done.code or not program:
        yield done.err + said
        return
    one, other = str(torch.export.load(folder / "model.pt2")), str(program)
    if one != other:
        yield f"another program\n{one}\n{other}"
    if program.example_inputs is None:
        yield "without its example"


@edit
def edit_dead_code(commands, folder):
    out = folder / "out.pt2"

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.unread = nn.Parameter(torch.ones(2))

        def forward(self, x):
            return x.relu()

    saved(folder, Net(), (torch.ones(3),))
    program, said = written(commands, "apply", folder / "model.pt2", "dead-code", "-o", out)
    if not program:
        yield said
        return
    if "unread" in program.module().code or "unread" not in program.state_dict:
        yield "the parameter that nobody reads is not kept aside"


def captured(commands, folder, text, *options, capture=()):
    torch.manual_seed(3)
    model = eval(text, {"nets": nets})
    state, out = folder / "state.pt", folder / "captured.pt2"
    torch.save(model.state_dict(), state)
    done = commands("apply", f"{nets.__file__}:{text.removeprefix('nets.')}", "--state", state, *options, "capture", *capture, "-o", out)
    return model, (torch.export.load(out) if not done.code else None), done.err


@edit
def captured_module(commands, folder):
    for mode in ("--eval", "--train"):
        model, program, said = captured(commands, folder, "nets.Small()", mode, "--concrete-args", "scale=2.0", "--input", "x=randn(2,3,4,4)")
        if not program:
            yield said
            return
        model.train(mode == "--train")
        x = torch.randn(2, 3, 4, 4)
        expected, result = model(x), program.module()(x)
        if set(result) != set(expected) or not close([result["out"], result["parts"][0]], [expected["out"], expected["parts"][0]]):
            yield f"{mode}: other values"
        # A traced module has each buffer that its graph reads in the state_dict.
        if set(program.state_dict) != {*model.state_dict()} - {"tied.weight", "tied.bias"} | {"shift"}:
            yield f"{mode}: state_dict {list(program.state_dict)}"


@edit
def captured_writes(commands, folder):
    for options in ((), ("--functional",)):
        model, program, said = captured(commands, folder, "nets.Counting()", "--input", "x=ones(3)", capture=options)
        if not program:
            yield said
            return
        module, x = program.module(), torch.ones(3)
        expected = [model(torch.ones(3)), model(torch.ones(3))]
        if not close([module(x), module(torch.ones(3))], expected) or not close(x, torch.full((3,), 2.0)) or not close(module.count, model.count):
            yield f"{options}: other values"


@edit
def refused_modules(commands, folder):
    """What is no exported program is told so, and nothing is left behind."""
    out = folder / "none" / "out.pt2"
    out.parent.mkdir()
    for model, node in (("Adding()", "'lin'"), ("Counting()", "'sum_1'"), ("Small()", "'conv'")):
        done = commands("export", f"{nets.__file__}:{model}", out)
        if done.code != 1 or node not in done.err or "fxscope apply MODEL capture" not in done.err:
            yield f"{model}: {done.code} {done.err}"
        told = commands("formats", f"{nets.__file__}:{model}").out
        if f"pt2: no: node {node}" not in told or "fxg: yes" not in told:
            yield f"formats: {told}"
    out.write_text("before")
    commands("export", f"{nets.__file__}:Adding()", out)
    if [path.name for path in out.parent.iterdir()] != ["out.pt2"] or out.read_text() != "before":
        yield f"left behind: {list(out.parent.iterdir())}"


def changed(source, target, change):
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as new:
        for item in old.infolist():
            data = old.read(item)
            if item.filename.endswith("models/model.json"):
                content = json.loads(data)
                change(content)
                data = json.dumps(content).encode()
            new.writestr(item, data)


@edit
def hostile_texts(commands, folder):
    """What torch would evaluate while it loads is not handed on."""
    model, out, mark = net(), folder / "hostile.pt2", folder / "mark"
    saved(folder, model, (torch.randn(3, 4),), **DYNAMIC)
    run = f"__import__('pathlib').Path('{mark}').touch()"

    def guards(content):
        content["guards_code"] = [run, "L['input'].size()[0] > 1", f"L['x\") or {run} or (\"'] == 1", "L['input'].size()[0] > 1 # x"]

    def formulas(content):
        for value in content["graph_module"]["graph"]["tensor_values"].values():
            for size in value["sizes"]:
                if "as_expr" in size:
                    size["as_expr"]["expr_str"] = run

    def names(content):
        text = json.dumps(content).replace('"relu"', json.dumps(f"relu; {run}"))
        content.clear()
        content.update(json.loads(text))

    def parameters(content):
        content["graph_module"]["module_call_graph"][0]["signature"]["forward_arg_names"] = [f"x={run}"]

    for change, fails in ((guards, False), (formulas, True), (names, False), (parameters, False)):
        file = folder / "changed.pt2"
        changed(folder / "model.pt2", file, change)
        out.unlink(missing_ok=True)
        done = commands("export", file, out)
        if bool(done.code) != fails or out.exists() == fails:
            yield f"{change.__name__}: {done.code} {done.err}"
        if out.exists():
            torch.export.load(out).module()(torch.randn(4, 4))
            if change is guards and torch.export.load(out)._guards_code != ["L['input'].size()[0] > 1"]:
                yield f"guards {torch.export.load(out)._guards_code}"
        if mark.exists():
            yield f"{change.__name__}: was evaluated"
            mark.unlink()


@edit
def training_goes_on(commands, folder):
    """What is loaded trains, and is unflattened."""
    model, out = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.1), nn.Linear(4, 2)), folder / "out.pt2"
    saved(folder, model, (torch.randn(3, 4),))
    program, said = written(commands, "export", folder / "model.pt2", out)
    if not program:
        yield said
        return
    module = program.module()
    module(torch.randn(3, 4)).sum().backward()
    if any(parameter.grad is None for parameter in module.parameters()):
        yield "no gradients"
    x = torch.randn(3, 4)
    torch.manual_seed(5)
    expected = model(x)
    torch.manual_seed(5)
    if not close(torch.export.unflatten(program)(x), expected):
        yield "unflattens to another module"


@edit
def preserved_signatures(commands, folder):
    out = folder / "out.pt2"

    class Outer(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = nets.Adding()

        def forward(self, x):
            return self.inner(x) * 2

    saved(folder, Outer(), (torch.randn(2, 3),), preserve_module_call_signature=("inner",))
    program, said = written(commands, "export", folder / "model.pt2", out)
    if not program:
        yield said
        return
    if str(program.module_call_graph) != str(torch.export.load(folder / "model.pt2").module_call_graph):
        yield str(program.module_call_graph)
    x = torch.randn(2, 3)
    before = torch.export.unflatten(torch.export.load(folder / "model.pt2"))
    if not close(torch.export.unflatten(program).inner(x), before.inner(x)):
        yield "the inner module is another"


@edit
def capture_inputs(commands, folder):
    """Inputs as torch.export has them: their tree, their names, what they give, and again after another writing."""
    for name, model, args, kwargs in inputs.cases():
        given, out, again = folder / f"{name}.pt", folder / f"{name}.pt2", folder / f"{name}.again.pt2"
        parameters = list(inspect.signature(model.forward).parameters)
        torch.save({**dict(zip(parameters, args)), **kwargs} if kwargs else list(args), given)
        program, said = written(commands, "apply", f"{HERE}/inputs.py:{type(model).__name__}()", "capture", "--functional", "--inputs", given, "-o", out)
        if not program:
            yield f"{name}: {said}"
            continue
        theirs = torch.export.export(model, copy.deepcopy(args), kwargs, strict=False).run_decompositions({})
        rewritten, said = written(commands, "export", out, again)
        for ours in (program, rewritten):
            if not ours:
                yield f"{name} again: {said}"
                continue
            for what, of in (("in_spec", lambda ep: str(ep.call_spec.in_spec)), ("inputs", lambda ep: str(ep.graph_signature.user_inputs)),
                             ("mutated", lambda ep: str(ep.graph_signature.user_inputs_to_mutate))):
                if of(theirs) != of(ours):
                    yield f"{name}: {what} {of(theirs)} and {of(ours)}"
            mine, other = copy.deepcopy((args, kwargs)), copy.deepcopy((args, kwargs))
            if not close((theirs.module()(*mine[0], **mine[1]), mine), (ours.module()(*other[0], **other[1]), other)):
                yield f"{name}: other values"
    for expression in ("Masked()", "Options()", "Late()"):
        program, said = written(commands, "apply", f"{HERE}/inputs.py:{expression}", "capture", "--input", "x=arange(4.0)", "-o", folder / "one.pt2")
        model, x = eval(expression, vars(inputs)), torch.arange(4.0)
        if not program or not close(program.module()(x), model(x)):
            yield f"{expression} by --input: {said}"
