# SPDX-License-Identifier: GPL-3.0-or-later
"""Traces with --tracer meta, and compares with torch.fx: the text with what its MetaTracer gives where that can, the shapes
with what ShapeProp finds, and what the exported code computes with the model itself.

    check_meta_traces.py FORKED_CLI FOLDER PACKAGES

FOLDER/cases.txt has a JSON object on each line: `expr` makes the model from the names of FOLDER/sized.py, or of `path` in the
folder PACKAGES; `meta` has examples by argument, `concrete` values.
"""

import copy
import importlib
import json
import pathlib
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
sys.dont_write_bytecode = True
import torch
import torch.utils._pytree
from torch.fx.experimental.meta_tracer import MetaTracer

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from commands import Commands


def names_of(path):
    return vars(importlib.import_module(".".join(path.with_suffix("").parts)))


def made(case, names):
    torch.manual_seed(0)
    return eval(case["expr"], names).eval()


def by_torch(case, names, concrete):
    """MetaTracer's code; None where it cannot trace the model."""
    examples = {key: eval(text, {**vars(torch), "torch": torch}).to("meta") for key, text in case["meta"].items()}
    model = copy.deepcopy(made(case, names)).to("meta")
    tracer = MetaTracer()
    try:
        graph = tracer.trace(model, examples, concrete or None)
    except Exception as error:
        return None, f"{type(error).__name__}: {error}"
    return torch.fx.GraphModule(model, graph).code, ""


def leaves(value):
    return torch.utils._pytree.tree_leaves(value)


def shape_in(meta):
    """What a node's tensor_meta says of a tensor."""
    tensor = ((meta or {}).get("value") or {}).get("tensor", {})
    return [tensor.get("dtype"), tensor.get("shape")]


def shapes_by_torch(exported, inputs):
    """By the names of nodes; none where torch.fx cannot trace what MetaTracer has put into the code."""
    found = {}

    class Shapes(torch.fx.Interpreter):
        def run_node(self, node):
            value = super().run_node(node)
            if isinstance(value, torch.Tensor):
                found[node.name] = [str(value.dtype), list(value.shape)]
            return value

    try:
        traced = torch.fx.symbolic_trace(exported)
    except (KeyError, TypeError):
        return {}
    Shapes(traced).run(*inputs)
    return found


def difference(commands, case, folder, told):
    concrete = {key: eval(text) for key, text in case.get("concrete", {}).items()}
    path = pathlib.Path(case.get("path", "sized.py"))
    names = names_of(path)
    model = f"{next(here / path for here in folder if (here / path).exists())}:{case['expr']}"
    options = ["--tracer", "meta", "--eval", "--path", folder[1]]
    for key, text in case["meta"].items():
        options += ["--meta-args", f"{key}={text}"]
    for key, text in case.get("concrete", {}).items():
        options += ["--concrete-args", f"{key}={text}"]
    code, error = by_torch(case, names, concrete)
    ours = commands("code", model, *options)
    if ours.code != 0:
        if code is not None:
            return f"torch.fx traces it; here: {ours.err}"
        told["errors"] += 1
        return "" if error.partition("\n")[0] in ours.err else f"here: {ours.err}there: {error}"
    if code is not None:
        told["texts"] += 1
        if ours.out.strip() != code.strip():
            return f"here: {ours.out}there: {code}"
    with tempfile.TemporaryDirectory() as scratch:
        done = commands("export", model, scratch + "/exported", "--name", "Exported", *options)
        if done.code != 0:
            return done.err
        sys.path.insert(0, scratch)
        try:
            exported = __import__("exported").Exported().eval()
        finally:
            sys.path.remove(scratch)
            for name in [name for name in sys.modules if name.partition(".")[0] == "exported"]:
                del sys.modules[name]
        inputs = {key: eval(text, {**vars(torch), "torch": torch}) for key, text in case["meta"].items()}
        told["values"] += 1
        expected = leaves(made(case, names)(**inputs, **concrete))
        found = leaves(exported(*inputs.values()))
        if len(expected) != len(found) or not all(torch.equal(a, b) for a, b in zip(expected, found)):
            return "what the exported code computes differs"
        shapes = shapes_by_torch(exported, inputs.values())
    nodes = json.loads(commands("graph", model, *options, "--format", "json").out)["nodes"]
    for node in nodes:
        found = shape_in(node["meta"].get("tensor_meta"))
        told["shapes"] += node["name"] in shapes
        if node["name"] in shapes and found != shapes[node["name"]]:
            return f"{node['name']} is {shapes[node['name']]}, not {found}"
    return ""


def main():
    forked, folder = sys.argv[1], [pathlib.Path(given).resolve() for given in sys.argv[2:4]]
    sys.path[:0] = map(str, folder)
    torch.set_num_threads(1)
    commands = Commands(forked, OMP_NUM_THREADS="1")
    told = dict.fromkeys(("texts", "errors", "values", "shapes"), 0)
    failed = 0
    wrapped = torch.fx._symbolic_trace._wrapped_fns_to_patch
    known = dict(wrapped)
    for line in (folder[0] / "cases.txt").read_text().splitlines():
        case = json.loads(line)
        if text := difference(commands, case, folder, told):
            failed += 1
            print(f"{case['expr']} {case['meta']}\n{text}\n", flush=True)
        wrapped.clear()  # what exported code has wrapped is not there for the next case
        wrapped.update(known)
    print(f"{failed} cases differ; same were {told}")
    return 1 if failed or not all(told.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
