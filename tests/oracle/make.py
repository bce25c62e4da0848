# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports the oracle's models with the real torch.export, and writes what the real torch.fx says of each.

    make.py FOLDER [NAME...]

For each case: NAME.pt2, the inputs, and NAME.expected.json with graph text, code (of nested graphs too), table, and the
shapes that ShapeProp sees; outputs, and the buffers after the run, are in NAME.outputs.pt.
"""

import copy
import json
import logging
import pathlib
import sys
import warnings

warnings.filterwarnings("ignore")
import torch
from torch.fx.passes.shape_prop import ShapeProp, TensorMetadata

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from models import CASES
from texts import table

logging.disable(logging.WARNING)


def line_owners(graph):
    """For each line of the code the name of the node that torch.fx would blame for an error there."""
    code, nodes = graph.python_code("self"), list(graph.nodes)
    owners = [None] * code.src.count("\n")
    for line, index in code._lineno_map.items():
        if index is not None and line + code._prologue_start - 1 < len(owners):
            owners[line + code._prologue_start - 1] = nodes[index].name
    return owners


def describe(gm):
    lines = [n.format_node(include_tensor_metadata=True) for n in gm.graph.nodes]
    return {
        "graph": str(gm.graph),
        "code": gm.code,
        "table": table(gm.graph),
        "with_tensors": "\n".join(lines),
        "owners": line_owners(gm.graph),
    }


def nested(gm):
    return {
        name: {"graph": str(child.graph), "code": child.code}
        for name, child in gm.named_modules()
        if name and isinstance(child, torch.fx.GraphModule)
    }


def leaves(value):
    return torch.utils._pytree.tree_leaves(value)


def shapes(gm, inputs):
    """What torch.fx's ShapeProp records, by node: [dtype, shape, stride] for each tensor of the value."""
    ShapeProp(gm).run(*inputs, enable_io_processing=False)

    def tensors(meta):
        if isinstance(meta, TensorMetadata):
            return [[str(meta.dtype), list(meta.shape), list(meta.stride)]]
        return [t for item in meta for t in tensors(item)] if isinstance(meta, (tuple, list)) else []

    return {n.name: tensors(n.meta["tensor_meta"]) for n in gm.graph.nodes if "tensor_meta" in n.meta}


def make(case, folder):
    torch.manual_seed(0)
    model = case.build()
    ep = torch.export.export(model, case.args, case.kwargs, dynamic_shapes=case.dynamic, strict=case.strict)
    if case.decompose:
        ep = ep.run_decompositions()
    path = folder / f"{case.name}.pt2"
    torch.export.save(ep, path)
    ep = torch.export.load(path)
    gm = ep.module(check_guards=False)
    expected = {"module": describe(gm), "nested": nested(gm), "lifted": describe(ep.graph_module), "runs": case.runs}
    expected["placeholders"] = [n.name for n in gm.graph.nodes if n.op == "placeholder"]
    args, kwargs = copy.deepcopy(case.args), copy.deepcopy(case.kwargs)
    inputs = leaves((args, {k: kwargs[k] for k in ep.call_spec.in_spec.child(1).context}))
    torch.save(copy.deepcopy(inputs), folder / f"{case.name}.inputs.pt")
    torch.manual_seed(7)
    torch.set_num_threads(1)
    with torch.no_grad():
        outputs = leaves(torch.fx.Interpreter(gm).run(*args) if case.clobbers else gm(*args, **kwargs))
    state = {k: v for k, v in gm.named_buffers()}
    torch.save({"outputs": outputs, "buffers": state}, folder / f"{case.name}.outputs.pt")
    with torch.no_grad():
        expected["shapes"] = shapes(torch.export.load(path).module(check_guards=False), copy.deepcopy(inputs))
    (folder / f"{case.name}.expected.json").write_text(json.dumps(expected))


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    failed = 0
    for name in sys.argv[2:] or CASES:
        try:
            make(CASES[name], folder)
        except Exception as error:
            failed += 1
            print(f"{name}: {type(error).__name__}: {str(error)[:600]}", file=sys.stderr)
    print(f"{len(sys.argv[2:] or CASES) - failed} models in {folder}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
