# SPDX-License-Identifier: GPL-3.0-or-later
"""What `fxscope export --format torchscript` writes, by the real torch.jit.load.

    check_written_torchscript.py FORKED_CLI ORACLE [PART_OF_A_NAME]

The models are those of the folder written and the oracle's exported programs: each runs in Python as torch.fx runs it, to the
bit, in training mode too; has the same state_dict; and opens here again, with the same graph where nothing else is said.
"""

import copy
import pathlib
import re
import sys
import tempfile
import traceback
import warnings

warnings.filterwarnings("ignore")
import torch
import torch.utils._pytree as pytree

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE / "written"), str(HERE.parent / "support")]
import graph_modules
import scripted
from check_written_pt2 import export, same
from commands import Commands
from models import CASES


def results(module, args, kwargs=None):
    torch.manual_seed(5)
    args, kwargs = copy.deepcopy((args, kwargs or {}))
    return [module(*args, **kwargs), args, kwargs]


def lists(value):
    """TorchScript's lists and dicts as Python's own."""
    if isinstance(value, dict):
        return {key: lists(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, torch.Size)):
        return type(value)(map(lists, value)) if type(value) in (list, tuple) else tuple(value)
    return value


def compare(expected, program, args, kwargs=None):
    one, other = results(expected, args, kwargs), results(program, args, kwargs)
    if not same(lists(one), lists(other)):
        yield f"results {one} and {other}"


def graph_of(commands, *arguments):
    done = commands("graph", *arguments)
    return done.out if done.code == 0 else f"fails: {done.err}"


def calls_of(text):
    """What a graph's text says, whatever its nodes are called, wherever tensors are read, and without results that nobody reads. A flat
    result is unflattened in a program."""
    lines = [re.fullmatch(r" *%(\w+) .*?\[num_users=(\d+)\] = (\w+)\[target=(.*?)\](.*)", line) for line in text.splitlines()]
    names, out = {}, []
    for name, users, kind, target, rest in (line.groups() for line in lines if line):
        if kind == "get_attr":
            names[name] = target
        elif kind == "placeholder" or users != "0" or target != "operator.getitem":
            names[name] = f"v{len(out)}"
            out.append((kind, target, re.sub(r"%(\w+)", lambda found: "%" + names.get(found[1], found[1]), rest)))
    returned = re.search(r"return (.*)", text)
    return out, re.sub(r"[^\W\d]\w*", lambda found: names.get(found[0], found[0]), returned[1]).replace("(", "").replace(")", "").replace("[", "").replace("]", "").rstrip(",") if returned else ""


def reopened(commands, name, source, out):
    """The graph that fxscope reads of the program again."""
    first, again = graph_of(commands, *source), graph_of(commands, out)
    if again.startswith("fails"):
        yield f"opens not: {again}"
    elif (calls_of(first) != calls_of(again)) != (name in scripted.OTHER_GRAPHS):
        yield f"graph\n{first}\n{again}"


def traced(commands, name, folder):
    torch.manual_seed(0)
    model = eval(name, vars(graph_modules))
    inputs = graph_modules.TRACED[name]
    state, given, out = (folder / file for file in ("state.pt", "inputs.pt", "out.pt"))
    torch.save(model.state_dict(), state)
    torch.save(list(inputs), given)
    source = (f"{graph_modules.__file__}:{name}", "--state", state)
    done = commands("export", *source, out, "--format", "torchscript", "--inputs", given)
    if name in scripted.REFUSED:
        if done.code != 1 or scripted.REFUSED[name] not in done.err:
            yield f"{done.code} {done.err}"
        return
    if done.code:
        yield f"fails: {done.err}"
        return
    program, theirs = torch.jit.load(out), torch.fx.symbolic_trace(model)
    yield from compare(copy.deepcopy(theirs), program, inputs)
    program, theirs = torch.jit.load(out), theirs.eval()
    if "stays in the mode" not in done.err:
        yield from compare(theirs, program.eval(), inputs)
    if list(program.state_dict()) != list(theirs.state_dict()):
        yield f"state_dict {list(program.state_dict())} and {list(theirs.state_dict())}"
    yield from reopened(commands, name, source, out)


def exported(commands, name, folder):
    case = CASES[name]
    file, out = folder / f"{name}.pt2", folder / "out.pt"
    export(case, file)
    done = commands("export", file, out, "--format", "torchscript")
    if name in scripted.REFUSED:
        if done.code != 1 or scripted.REFUSED[name] not in done.err or out.exists():
            yield f"{done.code} {done.err}"
        return
    if done.code:
        yield f"fails: {done.err}"
        return
    if not case.clobbers:
        yield from compare(torch.export.load(file).module(), torch.jit.load(out), case.args, case.kwargs)
    yield from reopened(commands, name, (file,), out)


def frozen(commands, name, folder):
    model, inputs = scripted.FROZEN[name]()
    file, out = folder / "model.pt2", folder / "out.pt"
    torch.export.save(torch.export.export(model, inputs), file)
    done = commands("export", file, out, "--format", "torchscript", "--freeze")
    if done.code or done.err:
        yield f"fails: {done.err}"
        return
    program = torch.jit.load(out)
    if list(program.parameters()) or not torch.allclose(program(*inputs), model(*inputs), rtol=1e-5, atol=1e-6):
        yield "is another"


def noisy(commands, name, folder):
    (folder / "noisy.py").write_text(scripted.NOISY)
    done = commands("export", f"{folder}/noisy.py:{name}()", folder / "out.pt", "--format", "torchscript", "--eval", "--input", "x=randn(2, 3, 8)")
    if done.code or torch.jit.load(folder / "out.pt")(torch.ones(2, 3, 8)).shape != (2, 3, 8):
        yield f"fails: {done.err}"


def refused(commands, name, folder):
    """Nothing is left of what cannot be written."""
    arguments, said = scripted.UNWRITABLE[name](folder)
    out = folder / "none" / "out.pt"
    out.parent.mkdir()
    done = commands("export", arguments[0], out, "--format", "torchscript", *arguments[1:])
    if done.code != 1 or said not in done.err or list(out.parent.iterdir()):
        yield f"{done.code} {done.err} {list(out.parent.iterdir())}"


def main():
    commands = Commands(sys.argv[1])
    wanted = sys.argv[3] if len(sys.argv) > 3 else ""
    checks = [(f"traced {name}", traced, name) for name in graph_modules.TRACED]
    checks += [(f"exported {name}", exported, name) for name in CASES]
    checks += [(f"frozen {name}", frozen, name) for name in scripted.FROZEN]
    checks.append(("noisy", noisy, "Noisy"))
    checks += [(f"refused {name}", refused, name) for name in scripted.UNWRITABLE]
    failures = count = 0
    for label, check, name in checks:
        if wanted not in label:
            continue
        count += 1
        with tempfile.TemporaryDirectory() as scratch:
            try:
                found = list(check(commands, name, pathlib.Path(scratch)))
            except Exception:
                found = [traceback.format_exc(limit=-3)]
        failures += bool(found)
        for text in found:
            print(f"{label}: {text}")
    print(f"{count - failures} of {count} programs are the same")
    sys.exit(1 if failures or not count else 0)


if __name__ == "__main__":
    main()
