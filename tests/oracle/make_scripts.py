# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the programs of tests/oracle/scripts as TorchScript files, and what torch.jit and torch.fx say of them.

    make_scripts.py FOLDER [NAME...]

A case is (name, module, inputs, modes, more): the modes are `script`, `trace` and `freeze`, each a file, and `same`: the
graph of the scripted program is that of symbolic_trace, byte for byte. More: `concrete` arguments as expressions,
`error` the words of the TraceError, `no_leaves`, `lines` of graph text.
FOLDER/scripts.json has a row for each file; inputs and outputs lie beside it.
"""

import importlib
import json
import logging
import pathlib
import sys
import warnings

warnings.filterwarnings("ignore")
import torch

torch.set_num_threads(1)
logging.disable(logging.WARNING)
SOURCES = pathlib.Path(__file__).resolve().parent / "scripts"


def leaves(value):
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in leaves(item)]
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in leaves(item)]
    return [value]


def program(module, inputs, mode):
    if mode == "trace":
        return torch.jit.trace(module, inputs, check_trace=False)
    scripted = torch.jit.script(module)
    return torch.jit.freeze(scripted) if mode == "freeze" else scripted


def state_rows(folder):
    """What load_state_dict makes of a program, or says of a state that does not fit."""
    stateful, rows = importlib.import_module("stateful"), []
    torch.jit.script(stateful.Stateful().eval()).save(folder / "stateful.pt")
    for name, state in stateful.states(torch.jit.load(folder / "stateful.pt")):
        program, x = torch.jit.load(folder / "stateful.pt"), torch.randn(2, 3)
        row = {"name": name, "state": str(folder / f"stateful_{name}.state"), "error": None}
        torch.save(state, row["state"])
        if name == "wrapped":
            state = {key.removeprefix("module."): value for key, value in state.items()}
        try:
            program.load_state_dict(state)
            with torch.no_grad():
                torch.save([x, program(x)], row["state"] + ".values")
        except RuntimeError as error:
            row["error"] = str(error)
        rows.append(row)
    return rows


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    sys.path.insert(0, str(SOURCES))
    rows = []
    for source in ("simple", "language", "networks", "shapes", "control", "containers", "missing", "searches"):
        torch.manual_seed(7)
        for name, module, inputs, modes, *more in importlib.import_module(source).cases():
            if sys.argv[2:] and name not in sys.argv[2:]:
                continue
            module = module.eval()
            more = more[0] if more else {}
            for mode in modes.split():
                if mode == "same":
                    continue
                stem = str(folder / f"{name}_{mode}")
                program(module, inputs, mode).save(stem + ".pt")
                row = {"name": f"{name}_{mode}", "file": stem + ".pt", "text": None, "error": more.get("error"), "origin": source + ".py",
                       "concrete": more.get("concrete", {}), "no_leaves": more.get("no_leaves", False), "lines": more.get("lines", 0), "close": more.get("close", False)}
                if not row["error"]:
                    with torch.no_grad():
                        outputs = torch.jit.load(stem + ".pt")(*[x.clone() if isinstance(x, torch.Tensor) else x for x in inputs])
                    row["inputs"], row["outputs"] = stem + "_in.pt", stem + "_out.pt"
                    torch.save(list(inputs), row["inputs"])
                    torch.save(leaves(outputs), row["outputs"])
                if mode == "script" and "same" in modes.split():
                    row["text"] = str(torch.fx.symbolic_trace(module).graph)
                rows.append(row)
    torch.jit.script(importlib.import_module("language").Restoring()).save(folder / "restoring.pt")
    torch.jit.script(torch.nn.Sequential(torch.nn.ReLU()))._save_for_lite_interpreter(str(folder / "mobile.ptl"))
    for name in ("restoring.pt", "mobile.ptl"):
        rows.append({"name": name.split(".")[0], "file": str(folder / name), "refused": True})
    (folder / "states.json").write_text(json.dumps(state_rows(folder), indent=1))
    (folder / "scripts.json").write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
