# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the models of tests/oracle/source_runs from their source, and from the .fxg that was made of it: results as PyTorch's.

    check_source_runs.py FORKED_CLI FOLDER [PART_OF_A_NAME...]

A file there has some of these lists. A name of a case is an expression of its file.
    CASES: functions that make a model for the arguments of inputs(), which is run
    WRITTEN: those of CASES that are exported as a Python package, too, and run by Python
    TEXTS: functions of which the graph alone is compared; those in MADE make a model
    PRINTED: functions of x, with words of what a run prints
    PACKAGES: installed packages that the file imports, which are read from where they are installed
    REFUSED: functions that make a model which PyTorch runs, with words of the one error of a run here
What is expected is what torch.fx's GraphModule gives, or, where its code cannot run, its Interpreter; where that gives proxies that
tracing has left in the model, what the model itself gives. The graph must be the same text.
"""

import contextlib
import copy
import importlib.util
import io
import pathlib
import shutil
import subprocess
import sys
import traceback
import warnings

warnings.filterwarnings("ignore")
import torch
import torch.utils._pytree as pytree

HERE = pathlib.Path(__file__).parent
SOURCES = HERE / "source_runs"
sys.path[:0] = [str(SOURCES), str(HERE.parent / "support")]
from commands import Commands

torch.set_num_threads(1)


def same(one, other):
    one, other = pytree.tree_flatten(one), pytree.tree_flatten(other)
    if one[1] != other[1]:
        return False
    for a, b in zip(one[0], other[0]):
        if type(a) is not type(b) and not (isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor)):
            return False
        if isinstance(a, torch.Tensor):
            if (a.dtype, a.shape, a.layout) != (b.dtype, b.shape, b.layout):
                return False
            a, b = (t.detach().resolve_conj().resolve_neg() for t in (a, b))
            if not torch.equal(a.to_dense() if a.layout != torch.strided else a, b.to_dense() if b.layout != torch.strided else b):
                return False
        elif a != b:
            return False
    return True


def traced(make):
    model = make().eval()
    return model if isinstance(model, torch.fx.GraphModule) else torch.fx.symbolic_trace(model)


def interpreted(make, inputs):
    model = make().eval()
    graph = model.graph if isinstance(model, torch.fx.GraphModule) else torch.fx.Tracer().trace(model)
    return str(graph), torch.fx.Interpreter(model, graph=graph).run(*copy.deepcopy(inputs))


def expected(make, inputs):
    try:
        with contextlib.redirect_stderr(io.StringIO()):  # where it shows the code
            model = traced(make)
            text, result = str(model.graph), model(*copy.deepcopy(inputs))
    except (NameError, SyntaxError):
        text, result = interpreted(make, inputs)
    if any(isinstance(leaf, torch.fx.Proxy) for leaf in pytree.tree_leaves(result)):
        result = make().eval()(*copy.deepcopy(inputs))
    return text, result


def check_text(commands, model, text, path=()):
    done = commands("graph", model, *path)
    if done.code or done.out.rstrip("\n") != text:
        yield f"graph\n{done.out}{done.err}\nnot\n{text}"


def check_printed(commands, model, words):
    done = commands("run", model, "--input", "x=ones(1)")
    if done.code or words not in done.out:
        yield f"run {model}: {done.out}{done.err}\nnot {words}"


def check(commands, model, folder, make, given, path):
    text, result = expected(make, given)
    yield from check_text(commands, model, text, path)
    inputs, fxg, out = folder / "inputs.pt", folder / "model.fxg", folder / "out.pt"
    torch.save(given, inputs)
    done = commands("export", model, fxg, *path)
    if done.code:
        yield f"export: {done.err}"
    for opened in (model, fxg):
        out.unlink(missing_ok=True)
        done = commands("run", opened, "--inputs", inputs, "--save", out, *(path if opened == model else ()))
        if done.code:
            yield f"run {opened}: {done.err}"
            continue
        got = torch.load(out, weights_only=False)
        if not same(got, result):
            yield f"run {opened}\n{got}\nnot\n{result}"


def check_refused(commands, model, folder, make, given, words):
    make()(*copy.deepcopy(given))
    inputs = folder / "inputs.pt"
    torch.save(given, inputs)
    done = commands("run", model, "--inputs", inputs)
    errors = [line for line in done.err.splitlines() if line.startswith("error: ")]
    if done.code != 1 or len(errors) != 1 or words not in errors[0]:
        yield f"run {model}: {done.code} {done.out}{done.err}\nnot\n{words}"


def computed(package, inputs):
    """What a written package gives in a process that knows torch alone."""
    program = "import sys, torch\nsys.path.insert(0, sys.argv[1])\nimport written\nNet = getattr(written, written.__all__[0])\ninputs = torch.load(sys.argv[2], weights_only=False)\n" \
              "with torch.no_grad():\n    torch.save((Net()(*inputs), Net()(*inputs)), sys.argv[3])\n"
    out = package.parent / "written.pt"
    subprocess.run([sys.executable, "-c", program, package.parent, inputs, out], check=True)
    return torch.load(out, weights_only=False)


def check_written(commands, model, folder, make, given):
    """As a Python package, in which each model that is made has its own objects."""
    _, result = expected(make, given)
    inputs, package = folder / "inputs.pt", folder / "written"
    torch.save(given, inputs)
    shutil.rmtree(package, ignore_errors=True)
    done = commands("export", model, package)
    if done.code:
        yield f"export {model}: {done.err}"
    elif not same(got := computed(package, inputs), (result, result)):
        yield f"written {model}\n{got}\nnot twice\n{result}"


def checks(commands, folder, path):
    """(name, its faults) of each case of a file."""
    module = importlib.import_module(path.stem)
    folders = {pathlib.Path(importlib.util.find_spec(package).origin).parents[1] for package in getattr(module, "PACKAGES", [])}
    installed = [word for found in sorted(folders) for word in ("--path", found)]
    for make in getattr(module, "CASES", []):
        name = make.__name__ if "(" in make.__name__ else make.__name__ + "()"
        yield f"{path.stem}:{name}", lambda: check(commands, f"{path}:{name}", folder, make, module.inputs(), installed)
        if make in getattr(module, "WRITTEN", []):
            yield f"{path.stem}:{name}", lambda: check_written(commands, f"{path}:{name}", folder, make, module.inputs())
    for function in getattr(module, "TEXTS", []):
        made = function in module.MADE
        text = lambda: str(torch.fx.Tracer().trace(function() if made else function))
        name = function.__name__ + "()" * made
        yield f"{path.stem}:{name}", lambda: check_text(commands, f"{path}:{name}", text())
    for function, words in getattr(module, "PRINTED", {}).items():
        name = function.__name__
        yield f"{path.stem}:{name}", lambda: check_printed(commands, f"{path}:{name}", words)
    for make, words in getattr(module, "REFUSED", {}).items():
        name = make.__name__ + "()"
        yield f"{path.stem}:{name}", lambda: check_refused(commands, f"{path}:{name}", folder, make, module.inputs(), words)
    for hooks in (torch.nn.modules.module._global_forward_pre_hooks, torch.nn.modules.module._global_forward_hooks):
        hooks.clear()  # those of one file


def main():
    commands, folder, wanted = Commands(sys.argv[1], OMP_NUM_THREADS="1"), pathlib.Path(sys.argv[2]), sys.argv[3:]
    folder.mkdir(parents=True, exist_ok=True)
    faults = count = 0
    for path in sorted(SOURCES.glob("*.py")):
        for name, found in checks(commands, folder, path):
            if wanted and not any(part in name for part in wanted):
                continue
            count += 1
            try:
                for fault in found():
                    faults += 1
                    print(f"{name}: {fault}")
            except Exception:
                faults += 1
                print(f"{name}: {traceback.format_exc()}")
    print(f"{count} models, {faults} faults")
    sys.exit(faults > 0 or count == 0)


if __name__ == "__main__":
    main()
