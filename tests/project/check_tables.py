#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# Fails when a table of core/torch/tables differs from what the scripts there make of the installed PyTorch.
# Usage: check_tables.py FOLDER
import difflib
import pathlib
import subprocess
import sys
import tempfile


def main(folder):
    folder = pathlib.Path(folder)
    with tempfile.TemporaryDirectory() as made:
        for script in sorted(folder.glob("make_*.py")):
            subprocess.run([sys.executable, script, made], check=True)
        fresh = sorted(pathlib.Path(made).iterdir())
        if [path.name for path in fresh] != sorted(path.name for path in folder.glob("*.txt")):
            sys.exit(f"{folder}: its scripts make other files: {[path.name for path in fresh]}")
        differences = [line for path in fresh for line in difference(folder / path.name, path)]
    if differences:
        sys.exit("\n".join(differences[:40]) + f"\nrun the scripts of {folder} with {folder}")


def difference(committed, fresh):
    return difflib.unified_diff(committed.read_text().splitlines(), fresh.read_text().splitlines(), str(committed),
                                "made now", lineterm="", n=0)


if __name__ == "__main__":
    main(*sys.argv[1:])
