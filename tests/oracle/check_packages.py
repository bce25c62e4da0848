# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens models straight from packages, and compares graph, code and errors with what the real torch.fx says of them.

    check_packages.py FORKED_CLI CASES FOLDER [PART_OF_A_CASE...]

FOLDER holds the packages; with `installed`, they are those of this Python, and packages that it lacks are left out. CASES has
a JSON object on each line, with fields as in make_traces.py. "path" names the source, below FOLDER, whose names `expr` is
written in, "package" a package instead. The last line says how many models are the same, and how long both sides took.
"""

import importlib
import importlib.util
import json
import os
import pathlib
import re
import sys
import sysconfig
import time
import warnings

warnings.filterwarnings("ignore")
sys.dont_write_bytecode = True
import torch
import torch.fx

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from commands import Commands

TRACER_ARGUMENTS = {"param_shapes_constant", "autowrap_functions", "autowrap_modules"}


def without_addresses(text):
    return re.sub(r"\b0x[0-9a-f]{6,}", "0x...", text)


def traced(case):
    """The graph and the code, or the error."""
    name = case.get("package") or ".".join(pathlib.Path(case["path"]).with_suffix("").parts)
    module = importlib.import_module(name)
    names = {**vars(sys.modules[name]), name.partition(".")[0]: module}
    if "package" in case:
        names = {**vars(getattr(module, "models", module)), **names}
        for word in re.findall(r"\w+", case["expr"]):
            if word not in names and hasattr(module, word):
                names[word] = getattr(module, word)
    torch.manual_seed(0)
    root = eval(case["expr"], names)
    if isinstance(root, torch.nn.Module):
        root.train(case.get("train", False))
    options = {key: eval(value, names) for key, value in case.get("tracer", {}).items()}
    base = eval(case["tracer_class"], names) if "tracer_class" in case else torch.fx.Tracer

    class LeafTracer(base):
        def is_leaf_module(self, module, path):
            return super().is_leaf_module(module, path) or type(module).__name__ in case.get("leaf", [])

    tracer = LeafTracer(**{key: value for key, value in options.items() if key in TRACER_ARGUMENTS})
    for key, value in options.items():
        if key not in TRACER_ARGUMENTS:
            setattr(tracer, key, value)
    concrete = {key: eval(text, {**names, "PH": torch.fx.PH, "torch": torch}) for key, text in case.get("concrete", {}).items()}
    graph = tracer.trace(root, concrete or None)
    return str(graph), torch.fx.GraphModule(tracer.root, graph).code


def in_child(work):
    """What packages do to torch as they are imported is not the next case's business."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        start = time.perf_counter()
        try:
            told = {"texts": work()}
        except Exception as error:
            told = {"error": f"{type(error).__name__}: {error}"}
        with os.fdopen(writer, "w") as pipe:
            json.dump({**told, "seconds": time.perf_counter() - start}, pipe)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return json.loads(text)


def options_of(case, folder):
    options = ["--path", folder, "--train" if case.get("train") else "--eval"]
    for leaf in case.get("leaf", []):
        options += ["--leaf", leaf]
    for name, text in case.get("concrete", {}).items():
        options += ["--concrete-args", f"{name}={text}"]
    for name, text in case.get("tracer", {}).items():
        if name == "autowrap_functions":
            options += [word for function in re.findall(r"[\w.]+", text) for word in ("--wrap", function)]
        elif text == "True":
            options.append("--" + name.replace("_", "-"))
    if "tracer_class" in case:
        options += ["--tracer", case["tracer_class"]]
    return options


def difference(commands, case, folder, ours):
    """Empty where both say the same."""
    model = f"{case['package']}:{case['expr']}" if "package" in case else f"{pathlib.Path(folder, case['path'])}:{case['expr']}"
    theirs = in_child(lambda: traced(case))
    texts = []
    for command in ("graph", "code"):
        done = commands(command, model, *options_of(case, folder))
        ours["seconds"] += done.seconds
        if done.code != 0:
            same = "error" in theirs and without_addresses(theirs["error"]).partition("\n")[0] in without_addresses(done.err)
            return "" if same else f"here: {done.err}there: {theirs.get('error', 'a graph')}"
        texts.append(done.out)
    ours["theirs"] += 2 * theirs["seconds"]
    if "error" in theirs:
        return f"here: a graph; there: {theirs['error']}"
    for got, expected in zip(texts, theirs["texts"]):
        if without_addresses(got).strip() != without_addresses(expected).strip():
            lines = [pair for pair in zip(got.strip().splitlines(), expected.strip().splitlines()) if pair[0] != pair[1]]
            return "here: {}\nthere: {}".format(*(lines or [("another length", "")])[0])
    return ""


def main():
    forked, cases, folder = sys.argv[1:4]
    torch.set_num_threads(1)
    commands = Commands(forked, OMP_NUM_THREADS="1")
    if folder == "installed":
        folder = sysconfig.get_paths()["purelib"]
    sys.path.insert(0, folder)
    ours, failed, count = {"seconds": 0.0, "theirs": 0.0}, 0, 0
    for line in pathlib.Path(cases).read_text().splitlines():
        case = json.loads(line)
        package = case.get("package") or case["path"].partition("/")[0]
        if any(part not in line for part in sys.argv[4:]) or importlib.util.find_spec(package.partition(".")[0]) is None:
            continue
        count += 1
        if text := difference(commands, case, folder, ours):
            failed += 1
            print(f"{case.get('path', package)}: {case['expr']}\n{text}\n", flush=True)
    print(f"{count - failed} of {count} models are the same; {ours['seconds']:.1f} s here, {ours['theirs']:.1f} s by torch.fx")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
