# SPDX-License-Identifier: GPL-3.0-or-later
"""Traces the sources of tests/oracle/sources with the real torch.fx, and writes what it says of each case.

    make_traces.py FOLDER [PART_OF_A_PATH...]

A case is a line "# case: JSON" in the head of a source:
    expr      what is traced, an expression in the names of the source: a module or a function
    inputs    arguments of a call of the traced module, as written between its parentheses
    concrete  concrete_args: {name: expression} or a list of expressions, by position
    leaf      class names that are leaves beside those of torch.nn
    train     true: the module stays in training mode
    tracer    attributes and arguments of the Tracer that differ from the default
    tracer_class  the class of the Tracer, by its name in the source
    fails     the error that is expected: "error", "code_error" (the code of torch.fx does not compile) or "run_error"
    inlines   true: it calls code that torch.fx has generated, whose lines and class have other names here
    ours      "KIND: words" of our own error, where they say more than those of torch.fx
A source in a folder with __init__.py is imported as part of that package, any other by its bare name.
FOLDER/traces.json has a row for each case; tensors lie beside it.
"""

import contextlib
import importlib
import inspect
import io
import json
import logging
import pathlib
import re
import sys
import tokenize
import traceback
import warnings

warnings.filterwarnings("ignore")
import torch
import torch.fx
from torch.fx._lazy_graph_module import _make_graph_module

logging.disable(logging.WARNING)
SOURCES = pathlib.Path(__file__).resolve().parent / "sources"
ARGUMENTS = {"param_shapes_constant", "autowrap_functions", "autowrap_modules"}


def user_frame():
    """Where in the sources the running call was written: file, line and column from 1."""
    frame = inspect.currentframe()
    while frame and (not frame.f_code.co_filename.startswith(str(SOURCES)) or frame.f_code.co_name == "trace"):
        frame = frame.f_back  # a trace() of the source calls that of torch.fx
    if not frame:
        return None
    line, _, column, _ = list(frame.f_code.co_positions())[frame.f_lasti // 2]
    return [frame.f_code.co_filename, line, column + 1]


def placed(base):
    """A tracer of that class, which keeps where each node was made, and takes more classes as leaves."""

    class PlacedTracer(base):
        def __init__(self, leaf, **arguments):
            super().__init__(**arguments)
            self.leaf, self.places = leaf, {}

        def is_leaf_module(self, module, path):
            return super().is_leaf_module(module, path) or type(module).__name__ in self.leaf

        def create_node(self, *args, **kwargs):
            node = super().create_node(*args, **kwargs)
            self.places[node.name] = user_frame()
            return node

    return PlacedTracer


def import_source(path):
    package = path.parent
    while (package / "__init__.py").exists():
        package = package.parent
    name = ".".join(path.relative_to(package).with_suffix("").parts)
    sys.path.insert(0, str(package))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(package))


def forget_sources():
    """Two folders may each have a file of the same name, and what one wraps is not the next one's business."""
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None)).startswith(str(SOURCES)):
            del sys.modules[name]
    wrapped = torch.fx._symbolic_trace._wrapped_fns_to_patch
    for key, names in list(wrapped.items()):
        if str(names.get("__file__")).startswith(str(SOURCES)):
            del wrapped[key]
    torch.fx.Tracer._qualname_counter.clear()


def concrete_arguments(concrete, names):
    names = {**names, "PH": torch.fx.PH, "torch": torch}
    if isinstance(concrete, list):
        return tuple(eval(text, names) for text in concrete)
    return {name: eval(text, names) for name, text in concrete.items()} if concrete else None


def error_of(error):
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.startswith(str(SOURCES))]
    place = [frames[-1].filename, frames[-1].lineno, frames[-1].colno + 1] if frames else None
    if isinstance(error, SyntaxError):
        place = [error.filename, error.lineno, error.offset]
    words = error.msg if isinstance(error, SyntaxError) else str(error)
    message = re.sub(r"\b0x[0-9a-f]{6,}", "0x...", words)
    return {"type": type(error).__name__, "message": message, "place": place}


def module_stack(node):
    return [
        [key, path, f"{cls.__module__}.{cls.__qualname__}"]
        for key, (path, cls) in node.meta.get("nn_module_stack", {}).items()
    ]


def flat(value):
    """The leaves of a result; a dtype, a device and an int that no tensor could hold as text."""
    leaves = []
    for leaf in torch.utils._pytree.tree_leaves(value):
        if isinstance(leaf, torch.Size):
            leaves.extend(leaf)
        elif isinstance(leaf, (torch.dtype, torch.device)) or type(leaf) is int and abs(leaf) >= 2**63:
            leaves.append(repr(leaf))
        else:
            leaves.append(leaf.detach().clone() if isinstance(leaf, torch.Tensor) else leaf)
    return tuple(leaves)


def same(left, right):
    return len(left) == len(right) and all(
        torch.equal(torch.nan_to_num(a), torch.nan_to_num(b)) if isinstance(a, torch.Tensor) else a == b
        for a, b in zip(left, right)
    )


def is_from_sources(module):
    return str(getattr(sys.modules.get(module), "__file__", None)).startswith(str(SOURCES))


def own_calls(gm):
    """What the graph calls of the source itself: leaves and wrapped functions that only Python can run."""
    functions = {n.target for n in gm.graph.nodes if n.op == "call_function"}
    modules = {type(gm.get_submodule(n.target)) for n in gm.graph.nodes if n.op == "call_module"}
    return sorted(c.__qualname__ for c in functions | modules if is_from_sources(getattr(c, "__module__", None)))


def run(gm, case, names, save):
    """Keeps what an interpreter is given, one value for each positional input, and the leaves of what it gives."""

    def arguments():
        torch.manual_seed(3)
        return eval(f"(lambda *args: args)({case['inputs']})", {**names, "torch": torch})

    save("inputs", tuple(gm.graph.process_inputs(*arguments())))
    save("arguments", arguments())
    results = []
    for seed in (1, 2):
        buffers = {k: v.clone() for k, v in gm.state_dict().items()}
        inputs = arguments()
        torch.manual_seed(seed)
        with torch.no_grad(), contextlib.redirect_stderr(io.StringIO()):
            results.append(flat(gm(*inputs)))
        gm.load_state_dict(buffers)
    plain = (torch.Tensor, int, float, complex, str, type(None))
    if all(isinstance(value, plain) for value in results[0]) and same(*results):
        save("outputs", results[0])


def trace(path, case, save):
    row = {"file": str(path), "expression": case["expr"], "concrete": case.get("concrete"), "train": False}
    row["inlines"] = case.get("inlines", False)
    row.update({"leaf": case.get("leaf", []), "tracer": case.get("tracer", {}), "tracer_class": case.get("tracer_class", ""), "train": case.get("train", False), "ours": case.get("ours")})
    row.update({"text": None, "code": None, "error": None, "state": None, "inputs": None, "arguments": None, "outputs": None})
    row.update({"code_error": None, "run_error": None, "own": []})
    row.update({"class": None, "stack": {}, "places": {}})

    def keep(kind, value):
        row[kind] = save(kind, value)

    try:
        names = vars(import_source(path))
        torch.manual_seed(0)
        root = eval(case["expr"], names)
        if isinstance(root, torch.nn.Module):
            root.train(case.get("train", False))
            if root.state_dict():
                keep("state", root.state_dict())
        options = {k: eval(v, names) for k, v in row["tracer"].items()}
        base = eval(row["tracer_class"], names) if row["tracer_class"] else torch.fx.Tracer
        tracer = placed(base)(row["leaf"], **{k: v for k, v in options.items() if k in ARGUMENTS})
        for name, value in options.items():
            if name not in ARGUMENTS:
                setattr(tracer, name, value)
        graph = tracer.trace(root, concrete_arguments(case.get("concrete"), names))
        row["text"] = str(graph)
        row["stack"] = {node.name: module_stack(node) for node in graph.nodes}
        row["places"] = {name: place for name, place in tracer.places.items() if place}
        row["class"] = type(root).__name__ if isinstance(root, torch.nn.Module) else root.__name__
    except Exception as error:
        row["error"] = error_of(error)
        return row
    try:
        gm = _make_graph_module(tracer.root, graph, row["class"])
    except SyntaxError as error:  # torch.fx writes code that is not Python for some graphs
        row["code_error"] = error_of(error)
        return row
    row["code"], row["own"] = gm.code, own_calls(gm)
    row["modules"] = [name for name, _ in gm.named_modules(remove_duplicate=False)]
    row["tensors"] = [name for name, _ in gm.named_parameters(remove_duplicate=False)]
    if "inputs" in case:
        try:
            run(gm, case, names, keep)
        except Exception as error:
            row["run_error"] = error_of(error)
    return row


def cases_of(path):
    with tokenize.open(path) as file:
        lines = file.read().splitlines()
    return [json.loads(line[len("# case: ") :]) for line in lines if line.startswith("# case: ")]


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    sys.dont_write_bytecode = True
    rows, mistakes = [], 0
    for path in sorted(SOURCES.rglob("*.py")):
        relative = path.relative_to(SOURCES)
        if sys.argv[2:] and not any(part in str(relative) for part in sys.argv[2:]):
            continue
        for number, case in enumerate(cases_of(path)):
            stem = "-".join(relative.with_suffix("").parts) + f"-{number}"

            def save(kind, value):
                torch.save(value, folder / f"{stem}.{kind}.pt")
                return str(folder / f"{stem}.{kind}.pt")

            row = trace(path, case, save)
            row["name"] = str(relative.with_suffix("")) + (f"#{number}" if number else "")
            forget_sources()
            for kind in ("error", "code_error", "run_error"):
                if bool(row[kind]) != (case.get("fails") == kind):
                    mistakes += 1
                    print(f"{row['name']}: {case['expr']}: {kind} {row[kind]}", file=sys.stderr)
            rows.append(row)
    (folder / "traces.json").write_text(json.dumps(rows, indent=1))
    print(f"{len(rows)} cases, {sum(bool(row['error']) for row in rows)} of them errors, in {folder}")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
