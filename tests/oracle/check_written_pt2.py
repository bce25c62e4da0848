# SPDX-License-Identifier: GPL-3.0-or-later
"""What `fxscope export` writes as .pt2, by the real torch.export.load.

    check_written_pt2.py FORKED_CLI ORACLE [PART_OF_A_NAME]

A .pt2 that is opened and written is the same program: its text, signature, ranges, guards, tensors, example and results. The
models are the oracle's (models.py), and those of the folder written. Then come programs that were edited.
"""

import contextlib
import copy
import io
import logging
import pathlib
import shutil
import sys
import tempfile
import traceback
import warnings

warnings.filterwarnings("ignore")
import torch
import torch.utils._pytree as pytree

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE / "written"), str(HERE.parent / "support")]
import edits
import more_models  # adds to the cases
from commands import Commands
from models import CASES

logging.disable(logging.WARNING)

ORACLE = pathlib.Path(sys.argv[2])  # what make.py has exported

# What an unedited program loses, and is told to lose: a pickle that names a class of the user's would import it.
NOTES = {"named_tuple": "note: the example that the model was saved with is left out"}


def text_of(program):
    with contextlib.redirect_stdout(io.StringIO()):
        return str(program)


def difference(one, other):
    for mine, theirs in zip(one.splitlines(), other.splitlines()):
        if mine != theirs:
            return f"\n  torch: {mine[:300]}\n  here:  {theirs[:300]}"
    return f"\n  {one.count(chr(10))} lines, {other.count(chr(10))} here"


def tensors_of(program):
    out = {}
    for name, value in [*program.state_dict.items(), *program.constants.items()]:
        if isinstance(value, torch.Tensor):
            out[name] = (type(value).__name__, value.requires_grad, value.dtype, tuple(value.shape), value.stride(), value.device)
    return out


def shared(program):
    """Which names share a storage."""
    groups = {}
    for name, value in [*program.state_dict.items(), *program.constants.items()]:
        if isinstance(value, torch.Tensor) and value.untyped_storage().nbytes():
            groups.setdefault(value.untyped_storage()._cdata, []).append(name)
    return sorted(sorted(names) for names in groups.values())


def same(one, other):
    if isinstance(one, torch.Tensor):
        raw = lambda value: value.detach().resolve_conj().resolve_neg().contiguous().reshape(-1).view(torch.uint8)
        return isinstance(other, torch.Tensor) and one.dtype == other.dtype and one.shape == other.shape and torch.equal(raw(one), raw(other))
    if isinstance(one, (list, tuple)):
        return type(one) is type(other) and len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return type(one) is type(other) and list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    return type(one) is type(other) and (one == other or one != one)


def run(program, args, kwargs):
    torch.manual_seed(7)
    torch.set_num_threads(1)
    module = program.module()
    args, kwargs = copy.deepcopy((args, kwargs))
    with torch.no_grad():
        result = module(*args, **kwargs)
    return [result, args, kwargs, dict(module.named_buffers())]


def compare(theirs, ours, args, kwargs, runs=True):
    """What differs between the program that torch saved and the one that was written here."""
    for name, view in {
        "print(ep)": text_of,
        "module().code": lambda ep: ep.module().code,
        "module().graph": lambda ep: str(ep.module().graph),
        "guards": lambda ep: "\n".join(ep._guards_code),
        "ranges": lambda ep: str(ep.range_constraints),
        "calls": lambda ep: str(ep.module_call_graph),
        "metadata": lambda ep: "\n".join(f"{n.name} {sorted((k, str(v)) for k, v in n.meta.items() if k not in ('val', 'from_node'))}" for n in ep.graph.nodes),
        "dialect": lambda ep: str(ep.verifiers),
        "tensors": lambda ep: "\n".join(map(str, sorted(tensors_of(ep).items(), key=str))),
        "shared": lambda ep: str(shared(ep)),
    }.items():
        one, other = view(theirs), view(ours)
        if one != other:
            yield f"{name}: {difference(one, other)}"
    for name in tensors_of(theirs):
        find = lambda ep: {**ep.state_dict, **ep.constants}.get(name)
        if not same(find(theirs), find(ours)):
            yield f"tensor {name}"
    if not same(theirs.example_inputs, ours.example_inputs):
        yield f"example {theirs.example_inputs} and {ours.example_inputs}"
    if runs:
        expected = run(theirs, args, kwargs)
        if not same(expected, run(ours, args, kwargs)):
            yield "results"


def export(case, file):
    if (ORACLE / file.name).exists():
        shutil.copyfile(ORACLE / file.name, file)
        return
    torch.manual_seed(0)
    model = case.build()
    program = torch.export.export(model, case.args, case.kwargs, dynamic_shapes=case.dynamic, strict=case.strict)
    if case.decompose:
        program = program.run_decompositions()
    torch.export.save(program, file)


def unedited(commands, case, folder):
    file, out = folder / f"{case.name}.pt2", folder / f"{case.name}.written.pt2"
    export(case, file)
    done = commands("export", file, out)
    if done.code:
        yield f"fails: {done.err.strip()}"
        return
    said = "".join(line for line in done.err.splitlines() if not line.startswith("note: the operator"))
    if said != NOTES.get(case.name, ""):
        yield f"says {said}"
    theirs, ours = torch.export.load(file), torch.export.load(out)
    if said:
        # torch checks guards on the example.
        theirs._example_inputs = None
    yield from compare(theirs, ours, case.args, case.kwargs, not case.clobbers)


def main():
    commands = Commands(sys.argv[1], OMP_NUM_THREADS="1")
    wanted = sys.argv[3] if len(sys.argv) > 3 else ""
    failures = count = 0
    with tempfile.TemporaryDirectory() as scratch:
        checks = [(name, lambda case=case: unedited(commands, case, pathlib.Path(scratch))) for name, case in CASES.items()]
        checks += [(name, lambda edit=edit: edit(commands, pathlib.Path(scratch))) for name, edit in edits.EDITS.items()]
        for name, check in checks:
            if wanted not in name:
                continue
            count += 1
            try:
                found = list(check())
            except Exception:
                found = [traceback.format_exc(limit=-3)]
            failures += bool(found)
            for text in found:
                print(f"{name}: {text}")
    print(f"{count - failures} of {count} programs are the same")
    sys.exit(1 if failures or not count else 0)


if __name__ == "__main__":
    main()
