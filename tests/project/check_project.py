# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules about the tree itself. Prints what breaks the rule, and fails if anything does.

    check_project.py RULE ROOT

    no-qt    core includes nothing of Qt
    paths    every path that CONTRIBUTING.md names in backticks is there
    folders  a folder includes only from those above it in CONTRIBUTING.md's table, which core/CMakeLists.txt follows
    methods  a class has at most 40 methods, or as many as large_classes.txt allows it
    spread   the methods of a class are in at most two sources, or in as many as spread_classes.txt allows it
    circles  no more sources of a folder include each other in a circle than circles.txt allows it
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
        if counts.get(pathlib.Path(source), counts.get(source, 0)) <= limit:
            yield f"{place}: {source} needs this row no longer"


CLASS = re.compile(r"^(?:class|struct) (\w+)(?: final)?(?: : [^;{]*)?\s*\{", re.MULTILINE)
METHOD = re.compile(r"(?:^|[\s&*>])(?:~?\w+|operator\S+)\s*\((?:[^()]|\([^()]*\))*\)\s*(?:const\b)?\s*(?:noexcept)?\s*(?:override)?"
                    r"\s*(?:= (?:0|default|delete)|&&|&)?(?:\s*:.*)?$")


def declarations(text, start):
    """The declarations of the class whose brace opens at `start`, without the bodies in it."""
    depth, out = 0, []
    for letter in text[start:]:
        depth += letter == "{"
        if depth == 1 and letter not in "{}":
            out.append(letter)
        elif letter in "{}":
            out.append(";")
        depth -= letter == "}"
        if depth == 0:
            break
    return [re.sub(r"^(?:(?:public|private|protected|Q_SIGNALS|Q_OBJECT)\s*:?\s*)+", "", " ".join(each.split()))
            for each in "".join(out).split(";")]


def classes(root):
    """The number of methods of each class of a header, by name."""
    found = {}
    for top in ("app", "core", "plugins", "widgets"):
        for path in sources(root / top, (".h",)):
            text = re.sub(r"//[^\n]*|=\s*\{\}", "", path.read_text())
            for match in CLASS.finditer(text):
                found[match[1]] = sum(1 for each in declarations(text, match.end() - 1)
                                      if METHOD.search(each) and not each.startswith(("using", "friend", "static_assert")))
    return found


def large_classes(root, rows=None):
    return beyond(root, classes(root), 40, exceptions("large_classes.txt") if rows is None else rows, "methods")


def spread_classes(root, rows=None):
    names, places = classes(root), {}
    for top in ("app", "core", "plugins", "widgets"):
        for path in sources(root / top, (".cpp",)):
            for name in set(re.findall(r"^\S(?:[^\n(]*[\s&*])?(\w+)::~?\w+\(", path.read_text(), re.MULTILINE)):
                places.setdefault(name, set()).add(path)
    counts = {name: len(paths) for name, paths in places.items() if name in names}
    return beyond(root, counts, 2, exceptions("spread_classes.txt") if rows is None else rows, "sources")


def circles(root, rows=None):
    """A header and its source count as one; a circle within a folder counts each of them."""
    counts = {}
    for top in ("app", "core", "plugins", "widgets"):
        for folder in sorted(path for path in (root / top).glob("*") if path.is_dir()):
            graph = {}
            for path in sources(folder):
                unit = path.relative_to(root).with_suffix("")
                there = (pathlib.Path(name).with_suffix("") for _, bracket, name in includes(path) if bracket == '"')
                graph.setdefault(unit, set()).update(each for each in there if each != unit)
            in_circles = sum(1 for unit in graph if unit in reached(graph, unit))
            if in_circles:
                counts[folder.relative_to(root)] = in_circles
    return beyond(root, counts, 0, exceptions("circles.txt") if rows is None else rows, "sources in circles")


def reached(graph, start):
    seen, waiting = set(), list(graph[start])
    while waiting:
        unit = waiting.pop()
        if unit in graph and unit not in seen:
            seen.add(unit)
            waiting += graph[unit]
    return seen


def fixed_waits(root, rows=None):
    wait = re.compile(r"\bqWait\(|\bqSleep\(|\bsleep_(for|until)\(|\bu?sleep\(")
    counts = {path.relative_to(root): len(wait.findall(path.read_text(errors="replace")))
              for path in sources(root / "tests", (".h", ".cpp", ".py")) if path.parent.name != "project"}
    return beyond(root, counts, 0, exceptions("fixed_waits.txt") if rows is None else rows, "waits for a fixed time")


RULES = {"no-qt": qt_in_core, "paths": missing_paths, "folders": folder_order, "methods": large_classes, "spread": spread_classes, "circles": circles, "types": types_twice,
         "waits": fixed_waits}


def main():
    faults = list(RULES[sys.argv[1]](pathlib.Path(sys.argv[2])))
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
