# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports every exported folder as a user would and compares what it computes with the recorded run, bit for bit.

    check_exports.py EXPORTS ORACLE
"""

import importlib
import logging
import pathlib
import sys
import warnings

warnings.filterwarnings("ignore")
import torch

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from models import CASES

logging.disable(logging.WARNING)


def leaves(value):
    return torch.utils._pytree.tree_leaves(value)


def comparable(tensor):
    if not tensor.is_floating_point():
        return tensor
    return tensor.view(torch.uint8) if tensor.element_size() == 1 else torch.nan_to_num(tensor, nan=12345.0)


def same(a, b):
    if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor):
        return a.dtype == b.dtype and a.shape == b.shape and torch.equal(comparable(a), comparable(b))
    return type(a) is type(b) and a == b


def check(name, oracle):
    case = CASES[name]
    Net = importlib.import_module(f"model_{name}").Net
    if not case.runs:
        return
    net = Net()
    recorded = torch.load(oracle / f"{name}.outputs.pt")
    call = torch.export.load(oracle / f"{name}.pt2").call_spec  # the order in which keywords were given
    torch.manual_seed(7)
    with torch.no_grad():
        result = net(*case.args, **{k: case.kwargs[k] for k in call.in_spec.child(1).context})
    outputs = leaves(result)
    assert len(outputs) == len(recorded["outputs"]), f"{len(outputs)} outputs, not {len(recorded['outputs'])}"
    for i, (actual, expected) in enumerate(zip(outputs, recorded["outputs"])):
        assert same(actual, expected), f"output {i} differs:\n{actual}\n{expected}"
    buffers = dict(net.named_buffers())
    for key, expected in recorded["buffers"].items():
        assert same(buffers[key], expected), f"buffer {key} differs:\n{buffers[key]}\n{expected}"


def main():
    exports, oracle = map(pathlib.Path, sys.argv[1:3])
    torch.set_num_threads(1)
    sys.path.insert(0, str(exports))
    names = sorted(path.name.removesuffix(".expected.json") for path in oracle.glob("*.expected.json"))
    failed = 0
    for name in names:
        try:
            check(name, oracle)
        except Exception as error:
            failed += 1
            print(f"{name}: {type(error).__name__}: {str(error)[:800]}", file=sys.stderr)
    print(f"{len(names) - failed} of {len(names)} exported folders compute what they should")
    return 1 if failed or len(names) < 25 else 0


if __name__ == "__main__":
    sys.exit(main())
