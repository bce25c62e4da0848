# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks at the sources of core and of the command line with clang (16, as those before it lack parts of C++20), by the flags
of a build.

    check_sources.py BUILD [--jobs N] [FILE...]     each must compile by itself: a build compiles many at once, and so does
                                                    not miss an include that one of the others has. Its warnings are errors.
    check_sources.py BUILD --tidy [--jobs N]        the checks of .clang-tidy, a third of the sources at a time, as most of
                                                    their time goes into LibTorch's headers

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
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

TOPS = ("core", "app/cli", "app/worker")
VALUE = ["cmake/torch_pch.h", "core/python/value.h"]
MODEL = ["cmake/torch_pch.h", "core/ir/graph.h", "core/module/model.h", "core/python/value.h"]
JSON = [*MODEL, "core/module/edit.h", "core/io/json.h"]
TRACER = [*MODEL, "core/trace/tracer.h"]
SCRIPT = [*TRACER, "torch/csrc/jit/api/module.h"]
RUN = [*JSON, "core/interpret/interpreter.h", "core/interpret/debug_types.h"]
# What a header of the folder, or of one above it, is sure to include, or many of its sources.
COMMON = {
    "core/base": [],
    "core/ir": ["core/ir/graph.h"],
    "core/module": VALUE,
    "core/codegen": VALUE,
    "core/python": VALUE,
    "core/torch/host": TRACER,
    "core/trace": TRACER,
    "core/trace/script": SCRIPT,
    "core/io": JSON,
    "core/io/script": SCRIPT,
    "core/interpret": RUN,
    "core/passes": RUN,
    "core/userpasses": RUN,
    "core/open": RUN,
    "core/compare": RUN,
    "core/export": RUN,
    "core/capture": RUN,
    "core/session": RUN,
    "app": RUN,
}
# Most of a source's time is that of templates which all of them use.
USED = {
    "core/ir/graph.h": "inline void used(fx::Argument& to, const fx::Argument& from) { to = from; }",
    "core/module/model.h": "inline void used(fx::Model& to, const fx::Model& from) { to = fx::Model(from); }",
    "core/python/value.h": "inline void used(fx::Value& to, const fx::Value& from) { to = fx::Value(from); }",
    "core/io/json.h": "inline void used(fx::Json& to, const fx::Json& from) { (to = fx::Json(from))[from.get<std::string>()] = from.dump(); }",
}
# For clang-tidy, which takes longer for LibTorch's headers than for our sources; the rest of the tree is the last part.
TIDIED_TOGETHER = (
    ("core/base", "core/ir", "core/module", "core/codegen", "core/python"),
    ("core/torch", "core/trace", "core/interpret", "core/console", "core/rewrite", "core/passes", "core/layout",
     "app/worker"))  # its main does not go together with the other programs'
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
    """Those of the target that has the most."""
    found = {}
    for entry in commands(build):
        if target := re.search(r"-o (\S+)/CMakeFiles/(\w|-)+\.dir/", entry["command"]):
            found[target[1]] = max(words_of(entry), found.get(target[1], []), key=len)
    return found


def folder_of(path, flags):
    return next(str(parent) for parent in path.parents if str(parent) in flags)


class Headers:
    """What sources of a folder are sure to include, compiled once, in a folder of this run: two may run side by side."""

    def __init__(self, made_in, flags):
        self.made_in, self.flags, self.made = made_in, flags, {}

    def words(self, path):
        nearest = next((str(folder) for folder in path.parents if str(folder) in COMMON), "")
        return self.included(tuple(COMMON.get(nearest, MODEL)))

    def included(self, headers):
        if headers and headers not in self.made:
            self.made[headers] = self.precompiled(headers)
        return ["-include-pch", self.made[headers]] if headers else []

    def precompiled(self, headers):
        name = self.made_in / f"{len(self.made)}.pch"
        text = "".join([f'#include "{header}"\n' for header in headers] + [f"{USED.get(header, '')}\n" for header in headers])
        subprocess.run(["clang++-16", *self.flags["core/interpret"], "-fpch-instantiate-templates", "-w", "-x", "c++-header", "-", "-o",
                        name], input=text, text=True, check=True, cwd=ROOT)
        return name


def all_sources():
    return sorted(path.relative_to(ROOT) for top in TOPS for path in (ROOT / top).rglob("*.cpp"))


def compiled_alone(build, files, made_in):
    """One call of clang for each file."""
    flags = flags_by_folder(build)
    headers = Headers(made_in, flags)
    for path in files:
        folder = folder_of(path, flags)
        yield ["clang++-16", "-fsyntax-only", "-fpch-instantiate-templates", *WARNINGS, *flags[folder], *headers.words(path), path]


def tidied(build, made_in):
    """One call of clang-tidy for each part of the tree."""
    parts = {}
    for entry in commands(build):
        path = pathlib.Path(entry["file"])
        folder = path.relative_to(build.resolve()).as_posix() if path.parent.name == "Unity" else ""
        if folder.startswith(TOPS):
            part = next((at for at, folders in enumerate(TIDIED_TOGETHER) if folder.startswith(folders)), len(TIDIED_TOGETHER))
            parts.setdefault(part, []).append(entry)
    headers = Headers(made_in, flags_by_folder(build)).included(tuple(MODEL))
    for part, entries in sorted(parts.items()):
        whole = made_in / f"part_{part}.cpp"
        whole.write_text("".join(f'#include "{entry["file"]}"\n' for entry in entries))
        flags = max((words_of(entry) for entry in entries), key=len)
        defines = sorted({word for entry in entries for word in words_of(entry) if word.startswith("-DFXSCOPE")})
        yield ["clang-tidy-16", "--quiet", whole, "--", "-fpch-instantiate-templates", *flags, *defines, *headers]


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
    files = [path.resolve().relative_to(ROOT) for path in options.files] or all_sources()
    faults = 0
    with tempfile.TemporaryDirectory(dir=options.build) as made_in, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        made_in = pathlib.Path(made_in).resolve()
        calls = list(tidied(options.build, made_in) if options.tidy else compiled_alone(options.build, files, made_in))
        for said in pool.map(fault, calls):
            faults += bool(said)
            print(said, end="", flush=True)
    print(f"{faults} of {len(calls)} have faults" if faults else f"{len(calls)} are sound")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
