# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules about the tree itself.

    check_project.py no-qt ROOT   core includes nothing of Qt
    check_project.py paths ROOT   every path that CONTRIBUTING.md names in backticks is there
    check_project.py sizes ROOT   no source file has more than 600 lines
"""

import pathlib
import re
import sys


def sources(folder):
    return [path for path in folder.rglob("*") if path.suffix in (".h", ".cpp")]


def qt_in_core(root):
    for path in sources(root / "core"):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if re.match(r"\s*#\s*include\s*[<\"](Q[A-Z]|Qt|Qsci|q[a-z]+\.h)", line):
                yield f"{path.relative_to(root)}:{number}: {line}"


def missing_paths(root):
    text = root / "CONTRIBUTING.md"
    if not text.exists():
        return
    for number, line in enumerate(text.read_text().splitlines(), 1):
        for name in re.findall(r"`([\w./-]*/[\w./-]*)`", line):
            if not name.startswith(("/", "..", "build/")) and not (root / name).exists():
                yield f"CONTRIBUTING.md:{number}: {name} is not there"


def long_files(root):
    for folder in ("core", "widgets", "app", "tests"):
        for path in sources(root / folder):
            count = len(path.read_text().splitlines())
            if count > 600:
                yield f"{path.relative_to(root)}: {count} lines"


RULES = {"no-qt": qt_in_core, "paths": missing_paths, "sizes": long_files}


def main():
    faults = list(RULES[sys.argv[1]](pathlib.Path(sys.argv[2])))
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
