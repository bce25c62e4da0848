# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks at sources one by one with clang (16, as those before it lack parts of C++20), by the flags of a build.

    check_sources.py BUILD [--tidy] [--jobs N] [FILE...]

Each file, or all of core and of the command line, must compile by itself: a build compiles ten at a time, and so does not miss
an include that one of the others has. --tidy runs the checks of .clang-tidy, too, which takes some 15 seconds a file.
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
# What a header of the folder, or of one above it, is sure to include.
COMMON = {
    "core/base": [],
    "core/ir": [],
    "core/module": ["cmake/torch_pch.h"],
    "core/codegen": ["cmake/torch_pch.h"],
    "core/python": ["cmake/torch_pch.h"],
}
OTHERWISE = ["cmake/torch_pch.h", "core/ir/graph.h", "core/module/model.h", "core/python/value.h"]
FLAGS = ["-fsyntax-only", "-w", "-fpch-instantiate-templates"]


def flags_by_folder(build):
    """What the build passes for the sources of each folder, but for its precompiled headers and its outputs."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if target := re.search(r"-o (\S+)/CMakeFiles/(\w|-)+\.dir/", entry["command"]):
            words = re.findall(r"(-D\S+|-I\S+|-isystem \S+|-std=\S+|-f(?:PIC|PIE))(?=\s|$)", entry["command"])
            found.setdefault(target[1], [part.replace('\\"', '"') for word in words for part in word.split(" ")])
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


def check(path, flags, tidy):
    done = subprocess.run(["clang++-16", *FLAGS, *flags, path], cwd=ROOT, capture_output=True, text=True)
    if done.returncode == 0 and tidy:
        done = subprocess.run(["clang-tidy-16", "--quiet", path, "--", *flags], cwd=ROOT, capture_output=True, text=True)
        return done.stdout if done.returncode else ""
    return done.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--tidy", action="store_true")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_intermixed_args()
    files = [path.resolve().relative_to(ROOT) for path in options.files] or sorted(
        path.relative_to(ROOT) for top in ("core", "app/cli", "app/worker") for path in (ROOT / top).rglob("*.cpp"))
    flags = flags_by_folder(options.build)
    made, calls = {}, []
    for path in files:
        folder = folder_of(path, flags)
        headers = tuple(COMMON.get(folder, OTHERWISE))
        if headers and headers not in made:
            made[headers] = precompiled(options.build, headers, flags["core/interpret"])
        calls.append((path, flags[folder] + (["-include-pch", str(made[headers])] if headers else []), options.tidy))
    faults = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for said in pool.map(lambda call: check(*call), calls):
            faults += bool(said)
            print(said, end="", flush=True)
    print(f"{faults} of {len(files)} sources have faults" if faults else f"{len(files)} sources are sound")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
