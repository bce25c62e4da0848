# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules about the tree itself. Prints what breaks the rule, and fails if anything does.

    check_project.py RULE ROOT

    no-qt    core includes nothing of Qt
    paths    every path that CONTRIBUTING.md names in backticks is there
    folders  a folder includes only from those above it in CONTRIBUTING.md's table, which core/CMakeLists.txt follows
    lines    a source has at most 400 lines, or as many as long_files.txt allows it
    types    no type is defined twice in the namespace fx, as libraries would share what the compiler makes of it
    waits    a test waits for a state, not for a time; fixed_waits.txt counts those that do
"""

import itertools
import pathlib
import re
import sys


def sources(folder, endings=(".h", ".cpp")):
    return sorted(path for path in folder.rglob("*") if path.suffix in endings)


def includes(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if found := re.match(r"\s*#\s*include\s*([<\"])([^>\"]+)", line):
            yield number, found[1], found[2]


def qt_in_core(root):
    for path in sources(root / "core"):
        for number, bracket, name in includes(path):
            if re.match(r"Q[A-Z]|Qt|Qsci|q[a-z]+\.h", name):
                yield f"{path.relative_to(root)}:{number}: #include {bracket}{name}"


def missing_paths(root):
    text = root / "CONTRIBUTING.md"
    if not text.exists():
        return
    for number, line in enumerate(text.read_text().splitlines(), 1):
        for name in re.findall(r"`([\w./-]*/[\w./-]*)`", line):
            if not name.startswith(("/", "..", "build/")) and not (root / name).exists():
                yield f"CONTRIBUTING.md:{number}: {name} is not there"


def types_twice(root):
    """Compares the definitions in headers; a source file keeps its types in an unnamed namespace."""
    found = {}
    definition = re.compile(r"^(?:class|struct|enum class|enum|union) (\w+)(?: final)?(?: : [^;{]*)?\s*\{", re.MULTILINE)
    for top in ("app", "core", "plugins", "widgets"):
        for path in sources(root / top, (".h",)):
            for match in definition.finditer(path.read_text()):
                found.setdefault(match[1], []).append(path.relative_to(root))
    for name, paths in sorted(found.items()):
        if len(paths) > 1:
            yield f"{name}: {', '.join(map(str, paths))}"


def folder_order(root):
    _, _, table = (root / "CONTRIBUTING.md").read_text().partition("\n| folder |")
    rows = re.findall(r"^\| `([\w/]+)`", table.split("\n\n")[0], re.MULTILINE)
    ranks = {name.rstrip("/"): rank for rank, name in enumerate(rows)}
    if (built := root / "core/CMakeLists.txt").exists():
        built = re.findall(r"^add_subdirectory\((\w+)\)", built.read_text(), re.MULTILINE)
        for name, row in itertools.zip_longest(built, [row.removeprefix("core/") for row in rows if row.startswith("core/")]):
            if name != row:
                yield f"core/CMakeLists.txt: {name} is where CONTRIBUTING.md's table has {row}"
                break

    def folder(path):
        return next((str(parent) for parent in path.parents if str(parent) in ranks), None)

    for top in sorted({name.split("/")[0] for name in ranks}):
        for path in sources(root / top):
            inside = path.relative_to(root)
            here = folder(inside)
            if not here:
                yield f"{inside}: CONTRIBUTING.md's table has no row for its folder"
                continue
            for number, bracket, name in includes(path):
                there = folder(pathlib.Path(name)) if bracket == '"' else None
                if there and ranks[there] > ranks[here]:
                    yield f"{inside}:{number}: {here} may not use {there}, which is below it in CONTRIBUTING.md's table"


def exceptions(name):
    """The rows "path number reason" of a list beside this file; the number is as much as the path may have."""
    rows = {}
    path = pathlib.Path(__file__).with_name(name)
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line and not line.startswith("#"):
            source, limit, _reason = line.split(maxsplit=2)
            rows[source] = (int(limit), f"{path.name}:{number}")
    return rows


def beyond(root, counts, limit, rows, what):
    """Those counts (by path) that are over the limit or over their row; and rows that nothing needs."""
    for path, count in counts.items():
        allowed, _ = rows.get(str(path), (limit, ""))
        if count > allowed:
            yield f"{path}: {count} {what}, {allowed} allowed"
    for source, (_, place) in rows.items():
        if counts.get(pathlib.Path(source), 0) <= limit:
            yield f"{place}: {source} needs this row no longer"


def long_files(root, rows=None):
    counts = {path.relative_to(root): len(path.read_text().splitlines())
              for top in ("app", "core", "plugins", "tests", "widgets") for path in sources(root / top)}
    return beyond(root, counts, 400, exceptions("long_files.txt") if rows is None else rows, "lines")


def fixed_waits(root, rows=None):
    wait = re.compile(r"\bqWait\(|\bqSleep\(|\bsleep_(for|until)\(|\bu?sleep\(")
    counts = {path.relative_to(root): len(wait.findall(path.read_text(errors="replace")))
              for path in sources(root / "tests", (".h", ".cpp", ".py")) if path.parent.name != "project"}
    return beyond(root, counts, 0, exceptions("fixed_waits.txt") if rows is None else rows, "waits for a fixed time")


RULES = {"no-qt": qt_in_core, "paths": missing_paths, "folders": folder_order, "lines": long_files, "types": types_twice,
         "waits": fixed_waits}


def main():
    faults = list(RULES[sys.argv[1]](pathlib.Path(sys.argv[2])))
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
