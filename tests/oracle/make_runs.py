# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the graphs of tests/oracle/runs by PyTorch, and writes them with all that a run may show.

    make_runs.py FOLDER LIBRARY.so [NAME...]

A case is (name, model, inputs, how). How it runs: `seed`, `grad` (inference, no_grad, grad), `train`; how it is written:
`export` (torch.export, with `strict` or not, and `decompose`), `graph` (the nodes as they are: a pickled GraphModule is traced anew when
it is loaded), else a pickle of symbolic_trace.
LIBRARY.so registers the operators of tests/support/test_operators.cpp. FOLDER/runs.json has a row for each; result, inputs and state after the run lie beside it.
"""

import copy
import importlib
import json
import logging
import pathlib
import sys
import warnings

warnings.filterwarnings("ignore")
import torch

from make_replaces import module_json

torch.set_num_threads(1)
logging.disable(logging.WARNING)
SOURCES = pathlib.Path(__file__).resolve().parent / "runs"
MODES = {"inference": torch.inference_mode, "no_grad": torch.no_grad, "grad": torch.enable_grad}


def leaves(value):
    if isinstance(value, torch.Size):
        return [tuple(value)]
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in leaves(item)]
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in leaves(item)]
    return [value]


def shared(values):
    """For each tensor the first that has the same storage, by index."""
    known = {}
    return [known.setdefault(value.untyped_storage()._cdata, i) if isinstance(value, torch.Tensor) else -1
            for i, value in enumerate(values)]


def plain(values):
    """Copies, as torch.load gives them to anybody."""
    return [value.detach().clone() if isinstance(value, torch.Tensor) else value for value in values]


def captured(model, inputs, how):
    if how.get("export"):
        program = torch.export.export(model, tuple(copy.deepcopy(inputs)), strict=how.get("strict", False))
        return program.run_decompositions({}) if how.get("decompose") else program
    if isinstance(model, torch.fx.GraphModule):
        return model
    return torch.fx.symbolic_trace(model)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    torch.ops.load_library(sys.argv[2])
    sys.path.insert(0, str(SOURCES))
    rows = []
    for source in sorted(path.stem for path in SOURCES.glob("*.py")):
        torch.manual_seed(11)
        for name, model, inputs, how in importlib.import_module(source).cases():
            if sys.argv[3:] and name not in sys.argv[3:]:
                continue
            if isinstance(model, torch.nn.Module):
                model.train(how.get("train", False))
            graph = captured(model, inputs, how)
            stem = str(folder / name)
            if how.get("export"):
                torch.export.save(graph, stem + ".pt2")
                runs = graph.module()
            elif how.get("graph"):
                pathlib.Path(stem + ".json").write_text(json.dumps(module_json(graph)))
                torch.save({key: value.detach().clone() for key, value in graph.state_dict().items()}, stem + ".before.pt")
                runs = graph
            else:
                torch.save(graph, stem + ".pt")
                runs = graph
            torch.save(inputs, stem + ".inputs.pt")
            given = copy.deepcopy(inputs)
            with MODES[how.get("grad", "inference")]():
                if "seed" in how:
                    torch.manual_seed(how["seed"])
                result = leaves(runs(*given))
            torch.set_autocast_enabled("cpu", False)
            torch.set_grad_enabled(True)
            torch.save({"result": plain(result), "inputs": plain(given)}, stem + ".after.pt")
            torch.save({key: value.detach().clone() for key, value in runs.state_dict().items()}, stem + ".state.pt")
            rows.append({"name": name, "file": stem + (".pt2" if how.get("export") else ".json" if how.get("graph") else ".pt"), "stem": stem,
                         "seed": how.get("seed"), "grad": how.get("grad", "inference"),
                         "shared": shared([*result, *given]),
                         "requires_grad": [isinstance(r, torch.Tensor) and r.requires_grad for r in result]})
    (folder / "runs.json").write_text(json.dumps(rows))


main()
