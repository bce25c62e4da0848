# SPDX-License-Identifier: GPL-3.0-or-later
"""What `fxscope export` writes as torch.save does, by the real torch.load.

    check_written_modules.py FORKED_CLI [PART_OF_A_NAME]

A GraphModule that Python saved is opened and written: torch.load gives the same from both files. The same of models that were
traced from source here and by torch.fx, and of exported programs, whose results are compared. The cases are in the folder written.
"""

import contextlib
import copy
import logging
import pathlib
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
import names
from commands import Commands

logging.disable(logging.WARNING)

# What torch.fx keeps for itself: texts, line numbers, and what a file made here leaves to its defaults.
OWN = {"_lineno_map", "_prologue_start", "_graph", "shape_env", "_replace_hooks", "_create_node_hooks", "_erase_node_hooks", "_deepcopy_hooks",
       "meta", "_tracer_cls", "_tracer_extras", "_parameters", "_buffers", "_modules", "_flat_weight_refs"}


def same(one, other):
    one, other = pytree.tree_flatten(one), pytree.tree_flatten(other)
    if one[1] != other[1]:
        return False
    for a, b in zip(one[0], other[0]):
        if isinstance(a, torch.Tensor):
            if not isinstance(b, torch.Tensor) or a.dtype != b.dtype or a.shape != b.shape:
                return False
            if a.is_sparse or a.is_quantized:
                a, b = (x.to_dense() if x.is_sparse else x.int_repr() for x in (a, b))
            if not torch.equal(a.nan_to_num(7.25), b.nan_to_num(7.25)) or not torch.equal(a != a, b != b):
                return False
        elif a != b and a == a:
            return False
    return True


def ties(module):
    """Which names are one tensor or one module."""
    out = {}
    for name, value in [*module.named_modules(remove_duplicate=False), *module.named_parameters(remove_duplicate=False), *module.named_buffers(remove_duplicate=False)]:
        out.setdefault(id(value), []).append(name)
    return sorted(sorted(names) for names in out.values() if len(names) > 1)


def fields(module):
    return {key: value for key, value in vars(module).items() if key not in OWN and not isinstance(value, torch.Tensor)}


def compare(theirs, ours, inputs):
    if theirs.code != ours.code:
        yield f"code\n{theirs.code}\n{ours.code}"
    if str(theirs.graph) != str(ours.graph):
        yield f"graph\n{theirs.graph}\n{ours.graph}"
    traces = lambda module: [node.meta.get("stack_trace") for node in module.graph.nodes]
    if any(traces(theirs)) and traces(theirs) != traces(ours):
        yield "stack traces"
    if type(theirs).__name__ != type(ours).__name__:
        yield f"{type(theirs)} and {type(ours)}"
    one, other = dict(theirs.named_modules(remove_duplicate=False)), dict(ours.named_modules(remove_duplicate=False))
    if list(one) != list(other):
        yield f"modules {list(one)} and {list(other)}"
    for name in one.keys() & other.keys():
        a, b = one[name], other[name]
        if not name:
            continue
        if type(a).__name__ != type(b).__name__ or a.training != b.training or str(a) != str(b):
            yield f"{name}: {a} and {b}"
        mine, read = fields(a), fields(b)
        for key in mine.keys() | read.keys():
            if key not in mine or key not in read or str(mine[key]) != str(read[key]):
                yield f"{name}.{key}: {mine.get(key, 'missing')!r} and {read.get(key, 'missing')!r}"
    if list(theirs.state_dict()) != list(ours.state_dict()) or not same(dict(theirs.state_dict()), dict(ours.state_dict())):
        yield f"state_dict {list(theirs.state_dict())} and {list(ours.state_dict())}"
    grads = lambda module: {name: (type(value).__name__, value.requires_grad) for name, value in module.named_parameters()}
    if grads(theirs) != grads(ours):
        yield f"parameters {grads(theirs)} and {grads(ours)}"
    if ties(theirs) != ties(ours):
        yield f"ties {ties(theirs)} and {ties(ours)}"
    results = []
    for module in (theirs, ours):
        torch.manual_seed(5)
        args = copy.deepcopy(inputs)
        results.append((module(*args), args, dict(module.named_buffers())))
    if not same(*results):
        yield "results"


def load(file):
    return torch.load(file, weights_only=False)


def saved(commands, case, folder):
    """Python's own file, written again."""
    torch.manual_seed(0)
    module = case.build()
    file, out = folder / "theirs.pt", folder / "ours.pt"
    torch.save(module, file)
    options = ("--path", HERE / "written") if case.needs_source else ()
    done = commands("export", file, out, *options)
    if done.code or (done.err and not case.needs_source):
        yield f"fails: {done.err}"
        return
    yield from compare(load(file), load(out), case.inputs)


def traced(commands, text, folder, inputs):
    """Source that is traced here and by torch.fx."""
    torch.manual_seed(0)
    model = eval(text, vars(graph_modules))
    state, file, out = folder / "state.pt", folder / "theirs.pt", folder / "ours.pt"
    torch.save(model.state_dict(), state)
    torch.save(torch.fx.symbolic_trace(model), file)
    done = commands("export", f"{graph_modules.__file__}:{text}", out, "--state", state)
    if done.code or done.err:
        yield f"fails: {done.err}"
        return
    yield from compare(load(file), load(out), inputs)


def exported(commands, name, folder):
    torch.manual_seed(0)
    model, args, kwargs = graph_modules.EXPORTED[name]()
    file, out = folder / "model.pt2", folder / "ours.pt"
    torch.export.save(torch.export.export(model, args, kwargs), file)
    done = commands("export", file, out)
    if done.code:
        yield f"fails: {done.err}"
        return
    theirs, ours = torch.export.load(file).module(), load(out)
    results = []
    for module in (theirs, ours):
        given = copy.deepcopy((args, kwargs))
        results.append((module(*given[0], **given[1]), given))
    if not same(*results):
        yield f"results {results}"
    if not same(dict(theirs.named_parameters()), dict(ours.named_parameters())):
        yield "parameters"


def named(commands, text, folder):
    """What is loaded computes what the function or module does, whatever its inputs are called."""
    out = folder / "ours.pt"
    done = commands("export", f"{names.__file__}:{text}", out)
    if done.code:
        yield f"fails: {done.err}"
        return
    loaded, given = load(out), names.LOADED[text]
    if not same(loaded(*copy.deepcopy(given)), eval(text, vars(names))(*copy.deepcopy(given))):
        yield f"results\n{loaded.code}"


def unloadable(commands, text, folder):
    """The name is in the error, and nothing is written. torch.fx itself cannot load or make such a module."""
    out = folder / "none" / "out.pt"
    out.parent.mkdir()
    done = commands("export", f"{names.__file__}:{text}", out)
    if done.code != 1 or names.UNLOADABLE[text] not in done.err or list(out.parent.iterdir()):
        yield f"{done.code} {done.err} {list(out.parent.iterdir())}"
    try:
        torch.save(torch.fx.symbolic_trace(eval(text, vars(names))), folder / "theirs.pt")
        load(folder / "theirs.pt")(names.X)
    except Exception:
        return
    yield "torch.fx can"


def refused(commands, name, folder):
    """Nothing is left of what cannot be written."""
    arguments, said = graph_modules.REFUSED[name](commands, folder)
    out = folder / "none" / "out.pt"
    out.parent.mkdir()
    done = commands("export", *arguments, out)
    if done.code != 1 or said not in done.err or list(out.parent.iterdir()):
        yield f"{done.code} {done.err} {list(out.parent.iterdir())}"


def main():
    commands = Commands(sys.argv[1])
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    checks = {f"saved {name}": (saved, case) for name, case in graph_modules.CASES.items()}
    checks |= {f"traced {text}": (traced, text) for text in graph_modules.TRACED}
    checks |= {f"exported {name}": (exported, name) for name in graph_modules.EXPORTED}
    checks |= {f"named {text}": (named, text) for text in names.LOADED}
    checks |= {f"unloadable {text}": (unloadable, text) for text in names.UNLOADABLE}
    checks |= {f"refused {name}": (refused, name) for name in graph_modules.REFUSED}
    failures = count = 0
    for name, (check, what) in checks.items():
        if wanted not in name:
            continue
        count += 1
        with tempfile.TemporaryDirectory() as scratch:
            try:
                more = (graph_modules.TRACED[what],) if check is traced else ()
                found = list(check(commands, what, pathlib.Path(scratch), *more))
            except Exception:
                found = [traceback.format_exc(limit=-4)]
        failures += bool(found)
        for text in found:
            print(f"{name}: {text}")
    print(f"{count - failures} of {count} models are the same")
    sys.exit(1 if failures or not count else 0)


if __name__ == "__main__":
    main()
