# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a script that makes what tests compare with, unless it was run before on the same things.

    fixture.py OUTPUT SCRIPT ARGUMENT...

OUTPUT is the argument that names the file or folder to make. What the script makes is kept in build/fixtures (or
$FXSCOPE_FIXTURES), where every preset finds it, together with what the script has read of this repository: its modules,
its cases, the folders it listed. While all of that, Python, PyTorch and the processor are the same, it is not run again.
"""

import fcntl
import hashlib
import importlib.metadata
import importlib.util
import json
import os
import pathlib
import runpy
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEPT = 3  # entries of one script: a branch or two, and what is newest


def digest(path):
    """Of a file's bytes, or of a folder's names."""
    if path.is_dir():
        names = sorted(name for name in os.listdir(path) if name != "__pycache__")
        return hashlib.sha256("\n".join(names).encode()).hexdigest()
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None


def surroundings():
    flags = [line for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("flags")][:1]
    return [sys.version, importlib.metadata.version("torch"), importlib.metadata.version("numpy"), flags]


class Reads:
    """The files and folders of the repository that were looked into, but for those of the output."""

    def __init__(self, output):
        self.found = set()
        self.output = output

    def __call__(self, event, arguments):
        if event not in ("open", "os.listdir", "os.scandir", "ctypes.dlopen") or not isinstance(arguments[0], (str, os.PathLike)):
            return
        if event == "os.listdir" and "importlib" in sys._getframe(1).f_code.co_filename:
            return  # an import lists the folder for what it does not ask for, too
        path = os.path.abspath(os.fspath(arguments[0]))
        if path.startswith(f"{ROOT}/"):
            self.found.add(path)

    def digests(self):
        paths = set()
        for path in self.found:
            if path.endswith(".pyc"):
                path = importlib.util.source_from_cache(path)
            if not path.startswith((sys.prefix + "/", str(self.output.parent) + "/")) and "__pycache__" not in path:
                paths.add(path)
        return {path: digest(pathlib.Path(path)) for path in sorted(paths)}


def run(script, arguments, output):
    """The exit status of the script, and what it has read."""
    reads = Reads(output)
    sys.addaudithook(reads)
    sys.argv = [script, *arguments]
    sys.path[0] = str(pathlib.Path(script).parent)
    status = 0
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as exit:
        status = exit.code if isinstance(exit.code, int) else 0 if exit.code is None else 1
        if isinstance(exit.code, str):
            print(exit.code, file=sys.stderr)
    reads.found.update([os.path.abspath(script), *(path for path in arguments if pathlib.Path(path).is_file())])
    return status, reads.digests()


def is_current(entry):
    try:
        manifest = json.loads((entry / "manifest.json").read_text())
    except (OSError, ValueError):
        return False
    return manifest["surroundings"] == surroundings() and all(
        digest(pathlib.Path(path)) == known for path, known in manifest["reads"].items())


def publish(made, output):
    """Puts the files where the tests look for them, as links if the file system can."""
    for path in [made] if made.is_file() else sorted(made.rglob("*")):
        to = output / path.relative_to(made) if path != made else output
        if path.is_dir():
            to.mkdir(parents=True, exist_ok=True)
            continue
        to.parent.mkdir(parents=True, exist_ok=True)
        to.unlink(missing_ok=True)
        try:
            os.link(path, to)
        except OSError:
            shutil.copyfile(path, to)


def main():
    output, script, arguments = pathlib.Path(sys.argv[1]).absolute(), sys.argv[2], sys.argv[3:]
    key = [os.path.relpath(script, ROOT), *("OUTPUT" if word == sys.argv[1] else os.path.basename(word) for word in arguments)]
    cache = pathlib.Path(os.environ.get("FXSCOPE_FIXTURES") or ROOT / "build/fixtures")
    home = cache / f"{pathlib.Path(script).stem}-{hashlib.sha256(json.dumps(key).encode()).hexdigest()[:8]}"
    home.mkdir(parents=True, exist_ok=True)
    with open(home / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        entries = sorted((path for path in home.iterdir() if path.is_dir()), key=lambda path: int(path.name))
        entry = next((path for path in reversed(entries) if is_current(path)), None)
        if entry:
            print(f"as made before, in {entry}")
        else:
            entry = home / str(int(entries[-1].name) + 1 if entries else 1)
            entry.mkdir()
            # The files name each other by their paths, so they are made where they stay.
            made = str(entry / output.name)
            status, reads = run(script, [made if word == sys.argv[1] else word for word in arguments], entry / output.name)
            if status:
                shutil.rmtree(entry)
                return status
            (entry / "manifest.json").write_text(json.dumps({"surroundings": surroundings(), "reads": reads}, indent=1))
            for old in entries[: max(0, len(entries) + 1 - KEPT)]:
                shutil.rmtree(old)
        publish(entry / output.name, output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
