# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports every model of the manifest, and imports each folder in a process of its own that knows torch and nothing
else: what Python computes there must be what fxscope computes, and what the original did.

    check_exported.py EXPORT_BATCH FOLDER LIBRARY.so [PART_OF_A_NAME...]
"""

import gc
import importlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import warnings

warnings.filterwarnings("ignore")
import torch
import torch._dynamo  # what layers that are initialised on the meta device import: once for all children
import torch.fx

torch.set_num_threads(1)


def leaves(value):
    out = []
    for leaf in torch.utils._pytree.tree_leaves(value):
        out.extend(leaf if isinstance(leaf, torch.Size) else [leaf])
    return out


def plain(tensor):
    tensor = tensor.detach()
    if tensor.is_quantized:
        tensor = tensor.int_repr()
    if tensor.layout != torch.strided:
        tensor = tensor.to_dense()
    return tensor


def same(a, b):
    if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor):
        a, b = plain(a), plain(b)
        if a.dtype != b.dtype or a.shape != b.shape:
            return False
        if a.is_floating_point() or a.is_complex():
            # The last bits of some kernels differ with where their memory lies.
            return torch.equal(a, b) or torch.allclose(a, b, rtol=1e-6, atol=1e-7, equal_nan=True)
        return torch.equal(a, b)
    if isinstance(b, str) and not isinstance(a, str):
        return repr(a) == b or " object at 0x" in b  # written as text
    return type(a) is type(b) and (a == b or a != a and b != b)


def compare(actual, expected, what):
    assert len(actual) == len(expected), f"{len(actual)} outputs, {what} has {len(expected)}"
    for i, (a, b) in enumerate(zip(actual, expected)):
        assert same(a, b), f"output {i} differs from {what}:\n{a}\n{b}"


def run(row, outputs):
    folder = pathlib.Path(row["folder"])
    sys.path[:] = [str(folder.parent), *[p for p in sys.path if "site-packages" in p or "lib/python" in p]]
    net = __import__(folder.name).Net()
    if not outputs:
        return
    # Arguments may be of classes of the source, which the folder has brought along.
    for source in folder.glob("*.py"):
        if source.stem not in ("__init__", "module") and source.stem not in sys.modules:
            sys.modules[source.stem] = importlib.import_module(f"{folder.name}.{source.stem}")
    arguments = torch.load(row["arguments"], weights_only=False)
    torch.manual_seed(row["seed"])
    with torch.no_grad():
        actual = leaves(net(*arguments))
    compare(actual, torch.load(outputs), "fxscope's run")
    if row.get("expected"):
        compare(actual, torch.load(row["expected"]), "the original")


def warm_up():
    """What torch does at its first load, seed and run is done here, and not by each child."""
    torch.manual_seed(0)
    with torch.no_grad():
        saved = io.BytesIO()
        torch.save(torch.nn.Linear(2, 2)(torch.ones(2, 2)), saved)
        saved.seek(0)
        torch.load(saved)
    gc.freeze()


def checked(row, outputs):
    """In a child: what one package imports is not there for the next. Gives the error's text, or nothing."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        text = ""
        try:
            run(row, outputs)
        except BaseException as error:
            text = f"{type(error).__name__}: {str(error)[:600]}"
        os.write(writer, text.encode()[:4000])
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    status = os.waitpid(child, 0)[1]
    return text or (f"died: {status}" if status else "")


def main():
    batch, folder, library, *wanted = sys.argv[1:]
    folder = pathlib.Path(folder)
    rows = json.loads((folder / "manifest.json").read_text())
    rows = [row for row in rows if not wanted or any(part in row["name"] for part in wanted)]
    skipped = {row["name"]: row["skipped"] for row in rows if "skipped" in row}
    rows = [row for row in rows if "skipped" not in row]
    for row in rows:
        shutil.rmtree(row["folder"], ignore_errors=True)
    (folder / "chosen.json").write_text(json.dumps(rows))
    torch.ops.load_library(library)
    subprocess.run([batch, folder / "chosen.json", folder / "results.json", library], check=True)
    results = json.loads((folder / "results.json").read_text())
    failed, ran = [], 0
    warm_up()
    for row in rows:
        result = results[row["name"]]
        for step in ("opened", "exported", "verified", "ran"):
            if step in result and not row.get("run_error"):
                failed.append((row["name"], f"{step}: {result[step]}"))
        if "opened" not in result and "exported" not in result:
            ran += "outputs" in result
            if text := checked(row, result.get("outputs")):
                failed.append((row["name"], text))
    for name, text in failed:
        print(f"{name}: {text}\n", file=sys.stderr)
    for name, text in skipped.items():
        print(f"skipped {name}: {text}", file=sys.stderr)
    print(f"{len(rows)} models, {ran} run; {len(failed)} faults, {len(skipped)} skipped")
    return 1 if failed or skipped else 0


if __name__ == "__main__":
    sys.exit(main())
