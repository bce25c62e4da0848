# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks at the sources of core and of the command line with clang (16, as those before it lack parts of C++20), by the flags
of a build.

    check_sources.py BUILD [--jobs N] [FILE...]     each must compile by itself: a build compiles ten at a time, and so does
                                                    not miss an include that one of the others has. Its warnings are errors.
    check_sources.py BUILD --tidy [--jobs N]        the checks of .clang-tidy, ten sources at a time as in the build, as most
                                                    of their time goes into LibTorch's headers

What nearly all files include is compiled once before, so a missing include of that is not seen.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOPS = ("core", "app/cli", "app/worker")
# What a header of the folder, or of one above it, is sure to include.
COMMON = {
    "core/base": [],
    "core/ir": [],
    "core/module": ["cmake/torch_pch.h"],
    "core/codegen": ["cmake/torch_pch.h"],
    "core/python": ["cmake/torch_pch.h"],
}
OTHERWISE = ["cmake/torch_pch.h", "core/ir/graph.h", "core/module/model.h", "core/python/value.h"]
WARNINGS = ["-Wno-everything"] + [f"-Werror={name}" for name in (
    "zero-as-null-pointer-constant", "suggest-override", "pessimizing-move", "redundant-move", "self-move", "range-loop-construct",
    "dangling", "return-stack-address", "uninitialized", "conditional-uninitialized", "unused-variable", "unused-function",
    "unused-private-field", "delete-non-virtual-dtor", "reorder-ctor", "switch", "extra-semi")]


def commands(build):
    return json.loads((build / "compile_commands.json").read_text())


def words_of(entry):
    """What the build passes for a source, but for its precompiled headers and its outputs."""
    words = re.findall(r"(-D\S+|-I\S+|-isystem \S+|-std=\S+)(?=\s|$)", entry["command"])
    return [part.replace('\\"', '"') for word in words for part in word.split(" ")]


def flags_by_folder(build):
    found = {}
    for entry in commands(build):
        if target := re.search(r"-o (\S+)/CMakeFiles/(\w|-)+\.dir/", entry["command"]):
            found.setdefault(target[1], words_of(entry))
    return found


def folder_of(path, flags):
    return next(str(parent) for parent in path.parents if str(parent) in flags)


def precompiled(build, headers, flags):
    """A file for -include-pch."""
    name = build / f"checked_{len(headers)}.pch"
    text = "".join(f'#include "{header}"\n' for header in headers)
    subprocess.run(["clang++-16", *flags, "-fpch-instantiate-templates", "-w", "-x", "c++-header", "-", "-o", name], input=text, text=True,
                   check=True, cwd=ROOT)
    return name


def compiled_alone(build, files):
    """One call of clang for each file."""
    files = files or sorted(path.relative_to(ROOT) for top in TOPS for path in (ROOT / top).rglob("*.cpp"))
    flags = flags_by_folder(build)
    made = {}
    for path in files:
        folder = folder_of(path, flags)
        headers = tuple(COMMON.get(folder, OTHERWISE))
        if headers and headers not in made:
            made[headers] = precompiled(build, headers, flags["core/interpret"])
        first = ["-include-pch", str(made[headers])] if headers else []
        yield ["clang++-16", "-fsyntax-only", "-fpch-instantiate-templates", *WARNINGS, *flags[folder], *first, path]


def tidied(build):
    """One call of clang-tidy for each of the build's units."""
    for entry in commands(build):
        if "/Unity/unity_" in entry["file"] and pathlib.Path(entry["file"]).relative_to(build.resolve()).as_posix().startswith(TOPS):
            yield ["clang-tidy-16", "--quiet", entry["file"], "--", *words_of(entry)]


def fault(call):
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True)
    return (done.stdout + done.stderr or f"{call[0]} failed\n") if done.returncode else ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--tidy", action="store_true")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_intermixed_args()
    files = [path.resolve().relative_to(ROOT) for path in options.files]
    calls = list(tidied(options.build) if options.tidy else compiled_alone(options.build, files))
    faults = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for said in pool.map(fault, calls):
            faults += bool(said)
            print(said, end="", flush=True)
    print(f"{faults} of {len(calls)} have faults" if faults else f"{len(calls)} are sound")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
