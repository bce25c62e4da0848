# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs passes that users write for torch.fx, with the real torch.fx and by `fxscope apply`, and compares all that is seen of them.

    check_user_passes.py FORKED_CLI FOLDER... [--only PART_OF_A_NAME] [--reference] [--list]

A case is a line in the head of a file of FOLDER:

    # case: NAME MODEL PASS [--option value]...
    # run: NAME

MODEL is an expression in the names of the file, which torch.fx.symbolic_trace traces in evaluation mode; PASS is a name of the file:
    a function of the GraphModule, or of its graph where the parameter is annotated as a Graph or is called `graph`; options are its
        keyword arguments, `--option True` a flag, and `--option False` one that takes it away. It gives None, a Graph, a GraphModule, or a tuple (PassResult) that begins with a GraphModule.
    a subclass of torch.fx.Transformer, which transforms
    a subclass of torch.fx.Interpreter, which runs on INPUTS; where that gives a GraphModule, it is the result
    a subclass of torch.fx.passes.infra.pass_base.PassBase, which is called
    several of them, PASS+PASS, each of which fxscope gives the file that the one before has left
`# passes: PATH` says which other file, from the folder of this one, has PASS.
`# run:` is a file whose statements are the program: a pass imports it.
INPUTS of a file is a tuple of arguments, or a function that gives one, or a dict of these by MODEL; they are made with seed 0.
Compared are: what was printed; the class and the message of the error; or the graph, the code, and what the result computes on INPUTS.
With --reference torch.fx alone runs, and each case must print something, fail or change the graph; --list shows what it did.
"""

import argparse
import ast
import contextlib
import gc
import importlib
import inspect
import io
import itertools
import os
import pathlib
import pickle
import re
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
sys.dont_write_bytecode = True
import torch
import torch._dynamo  # which many a part of torch.fx imports: once for all children
import torch.fx
import torch.fx.passes.infra.pass_base
import torch.fx.passes.shape_prop
import torch.fx.passes.split_module
import torch.utils._pytree

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from commands import Commands

CASE = re.compile(r"^# case: (?P<name>\S+) (?P<model>.+?) (?P<pass>\w+(\+\w+)*)(?P<options>( --[\w-]+ \S+)*)$", re.MULTILINE)
PASSES = re.compile(r"^# passes: (?P<path>\S+)$", re.MULTILINE)
RUN = re.compile(r"^# run: (?P<name>\S+)$", re.MULTILINE)
ODD = re.compile(r"^# (case|run)\b.*", re.MULTILINE)
# What is known to differ, with the reason.
KNOWN = {line.split()[0] for line in pathlib.Path(__file__).with_name("user_passes_known.txt").read_text().splitlines()
         if line and not line.startswith("#")}
WRAPPER = "def nothing(x):\n    return x\n\n\ndef run_it(gm):\n    import {}\n"


def cases_of(path, scratch):
    """`# run:` becomes a case too, of a file in `scratch` that imports the program."""
    text = path.read_text()
    other = PASSES.search(text)
    file = (path.parent / other["path"]).resolve() if other else path
    found = [match.groupdict() | {"path": path, "file": file} for match in CASE.finditer(text)]
    for match in RUN.finditer(text):
        wrapper = pathlib.Path(scratch, f"run_{path.stem}.py")
        wrapper.write_text(WRAPPER.format(path.stem))
        found.append({"name": match["name"], "model": "nothing", "pass": "run_it", "options": "", "path": wrapper, "file": wrapper,
                      "needs": path.parent})
    if len(found) != len(ODD.findall(text)):
        sys.exit(f"{path}: a case line that is none")
    return found


def options_of(case):
    return re.findall(r"--([\w-]+) (\S+)", case["options"])


def value_of(text):
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text


def plain(text):
    """Without what differs from run to run, and where nodes were recorded, which opening a model notes."""
    text = re.sub(r"Original traceback:.*?Use tlparse", "Original traceback: ... Use tlparse", text, flags=re.DOTALL)
    return re.sub(r"<eval_with_key>\.\d+", "<eval_with_key>", re.sub(r"\b0x[0-9a-f]{6,}", "0x...", text))


def inputs_of(names, model):
    found = names.get("INPUTS")
    if isinstance(found, dict):
        found = found.get(model)
    torch.manual_seed(0)
    return tuple(found()) if callable(found) else None if found is None else tuple(found)


def takes_graph(function):
    first = next(iter(inspect.signature(function).parameters.values()))
    if first.annotation is inspect.Parameter.empty:
        return first.name == "graph"
    return first.annotation is torch.fx.Graph or str(first.annotation).rpartition(".")[2] == "Graph"


def applied(what, gm, inputs, options):
    """The GraphModule after the pass."""
    if isinstance(what, type) and issubclass(what, torch.fx.Transformer):
        return what(gm, **options).transform()
    if isinstance(what, type) and issubclass(what, torch.fx.Interpreter):
        result = what(gm, **options).run(*inputs)
        return result if isinstance(result, torch.fx.GraphModule) else gm
    if isinstance(what, type) and issubclass(what, torch.fx.passes.infra.pass_base.PassBase):
        result = what(**options)(gm)
    else:
        result = what(gm.graph if takes_graph(what) else gm, **options)
    if isinstance(result, tuple):
        result = result[0]
    if result is None:
        return gm
    if isinstance(result, torch.fx.Graph):
        return torch.fx.GraphModule(gm, result)
    if not isinstance(result, torch.fx.GraphModule):
        raise SystemExit(f"the pass gives a {type(result).__name__}")
    return result


def by_torch(case, inputs_file):
    sys.path[:0] = [str(path) for path in (case["path"].parent, case["file"].parent, case.get("needs")) if path]
    torch.manual_seed(0)
    with contextlib.redirect_stdout(io.StringIO()):
        names = vars(importlib.import_module(case["path"].stem))
        passes = [getattr(importlib.import_module(case["file"].stem), name) for name in case["pass"].split("+")]
        inputs = inputs_of(names, case["model"])
        torch.save(inputs, inputs_file)
        torch.manual_seed(0)
        model = eval(case["model"], names)
        if isinstance(model, torch.nn.Module):
            model.eval()
        gm = torch.fx.symbolic_trace(model)
    told = {"before": str(gm.graph)}
    out = io.StringIO()
    torch.manual_seed(0)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        try:
            for what in passes:
                gm = applied(what, gm, inputs, {key.replace("-", "_"): value_of(text) for key, text in options_of(case)})
        except Exception as error:
            told["error"] = f"{type(error).__name__}: {error}"
    told["out"] = out.getvalue()
    if "error" not in told:
        gm.recompile()
        told |= {"graph": str(gm.graph), "code": gm.code}
        if inputs is not None:
            torch.manual_seed(0)
            with torch.no_grad(), contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                try:
                    try:
                        told["result"] = gm(*inputs)
                    except NameError:  # a tensor in an argument, which its code cannot name
                        told["result"] = torch.fx.Interpreter(gm).run(*inputs)
                except Exception as error:
                    told["result_error"] = f"{type(error).__name__}: {error}"
    return told


def warm_up():
    """What torch does at its first trace, seed and save is done here, and not by each child."""
    torch.manual_seed(0)
    gm = torch.fx.symbolic_trace(torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU()))
    with torch.no_grad():
        torch.save(gm(torch.ones(2, 2)), io.BytesIO())
    gc.freeze()


def in_child(work):
    """What a case does to torch is not the next one's business."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            told = work()
        except BaseException as error:
            told = {"broken": f"{type(error).__name__}: {error}"}
        try:
            text = pickle.dumps(told)
        except Exception as error:
            text = pickle.dumps({"broken": f"cannot be told: {error}"})
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(text)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return pickle.loads(text)


def first_difference(here, there):
    for got, expected in itertools.zip_longest(plain(here).strip("\n").splitlines(), plain(there).strip("\n").splitlines()):
        if got != expected:
            return f"  here:  {got}\n  there: {expected}"
    return ""


def same_values(one, other):
    ones, theirs = torch.utils._pytree.tree_leaves(one), torch.utils._pytree.tree_leaves(other)

    def same(left, right):
        if isinstance(left, torch.Tensor):
            return isinstance(right, torch.Tensor) and left.dtype == right.dtype and torch.equal(left, right)
        return left == right

    return len(ones) == len(theirs) and all(map(same, ones, theirs))


def differences(commands, case, told, inputs_file, scratch):
    result = pathlib.Path(scratch, "out.fxg")
    result.unlink(missing_ok=True)
    flags, printed = {"True": "--{}", "False": "--no-{}"}, ""
    for name in case["pass"].split("+"):
        opened = [result] if result.exists() else [f"{case['path']}:{case['model']}", "--eval"]
        words = ["apply", opened[0], f"{case['file']}:{name}", *opened[1:], "-o", result]
        words[3:3] = [word for key, text in options_of(case) for word in ([flags[text].format(key)] if text in flags else [f"--{key}", text])]
        if "needs" in case:
            words += ["--path", case["needs"]]
        if torch.load(inputs_file) is not None:
            words += ["--inputs", inputs_file]
        done = commands(*words)
        printed += done.out
        if done.code != 0:
            break
    found = []
    if other := first_difference(printed, told["out"]):
        found.append("printed\n" + other)
    said = " ".join(plain(done.err).split())
    if "error" in told:
        if done.code == 0:
            found.append(f"no error\n  there: {told['error']}")
        elif " ".join(plain(told["error"]).split()) not in said:
            found.append(f"error\n  here:  {said}\n  there: {told['error']}")
        return found
    if done.code != 0:
        return [*found, f"fails\n  here:  {said}"]
    for command in ("graph", "code"):
        text = commands(command, result)
        if text.code != 0 or first_difference(text.out, told[command]):
            found.append(command + "\n" + (text.err or first_difference(text.out, told[command])))
    if "result" in told:
        saved = pathlib.Path(scratch, "out.pt")
        run = commands("run", result, "--inputs", inputs_file, "--save", saved, "--threads", 1)
        if run.code != 0:
            found.append(f"run\n  here:  {run.err.strip()}")
        elif not same_values(torch.load(saved), told["result"]):
            found.append(f"result\n  here:  {torch.load(saved)}\n  there: {told['result']}")
    return found


def shown(told):
    lines = [told["out"].rstrip("\n")] if told["out"] else []
    lines += [told["error"]] if "error" in told else [told["graph"]] if told["graph"] != told["before"] else []
    lines += [told["result_error"] + " (of the result)"] if "result_error" in told else []
    return "\n".join("    " + line for text in lines for line in text.splitlines())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("forked_cli")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--only", default="")
    parser.add_argument("--reference", action="store_true")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)  # sums in batch_norm depend on the number of threads
    warm_up()
    commands = None if options.reference else Commands(options.forked_cli, OMP_NUM_THREADS="1")
    count, same, names = 0, 0, set()
    with tempfile.TemporaryDirectory() as scratch:
        inputs_file = pathlib.Path(scratch, "inputs.pt")
        for path in sorted(file for folder in options.folders for file in pathlib.Path(folder).glob("*.py")):
            for case in cases_of(path.resolve(), scratch):
                if case["name"] in names:
                    sys.exit(f"{path}: a second {case['name']}")
                names.add(case["name"])
                if options.only not in case["name"]:
                    continue
                count += 1
                told = in_child(lambda: by_torch(case, inputs_file))
                if "broken" in told:
                    found = [told["broken"]]
                elif options.reference:
                    found = [] if shown(told) else ["does nothing that can be seen"]
                else:
                    found = differences(commands, case, told, inputs_file, scratch)
                if case["name"] in KNOWN and not options.reference:
                    count -= 1
                    if not found:
                        sys.exit(f"{case['name']}: is the same now; take it out of user_passes_known.txt")
                    continue
                same += not found
                print(f"{path.name}: {case['name']}: {'; '.join(found) or 'same'}", flush=True)
                if options.list and "broken" not in told:
                    print(shown(told), flush=True)
    print(f"{same} of {count} cases are the same")
    return 0 if same == count else 1


if __name__ == "__main__":
    sys.exit(main())
