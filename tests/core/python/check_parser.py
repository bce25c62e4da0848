# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the parser against CPython: trees, scopes and the text of errors.

    check_parser.py TEST_PARSER

Read are snippets.txt, syntax_errors.txt, and samples of the installed torch and of Python's own library with its tests.
"""
import os
import subprocess
import sys
import sysconfig
import tempfile
import unicodedata
import warnings

import tree_text

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLE = 500  # files of each, evenly spread


def sources_below(folder, skip=("site-packages",)):
    out = []
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in skip and name != "__pycache__")
        out += [os.path.join(place, name) for name in sorted(names) if name.endswith(".py")]
    return out


def files():
    import importlib.util
    both = [sources_below(os.path.dirname(importlib.util.find_spec("torch").origin)), sources_below(sysconfig.get_path("stdlib"))]
    return [path for found in both for path in found[::max(1, len(found) // SAMPLE)]]


def is_comparable(source):
    """What the parser leaves out knowingly: other encodings, rare characters by name, equal forms of letters."""
    try:
        text = source.decode("utf-8-sig")
    except UnicodeDecodeError:
        return False
    head = b"\n".join(source.split(b"\n")[:2]).lower()
    if b"coding" in head and (source.startswith(b"\xef\xbb\xbf") or
                              not any(name in head for name in (b"utf-8", b"utf8", b"ascii", b"latin-1"))):
        return False
    return "\\N{" not in text and unicodedata.is_normalized("NFKC", text)


def expectation(source):
    """("OK", tree, scopes), or ("ERROR", line, message)."""
    try:
        compile(source, "source", "exec", dont_inherit=True)
        return "OK", tree_text.tree_text(source), tree_text.scope_text(source)
    except SyntaxError as error:
        return "ERROR", str(error.lineno), f"{type(error).__name__}: {error.msg}"


def difference(ours, theirs):
    if ours[0] != theirs[0]:
        return f"ours: {' '.join(ours)[:300]}\n  CPython: {' '.join(theirs)[:300]}"
    for mine, other in zip(ours[1:], theirs[1:]):
        if mine != other:
            at = next((i for i, (a, b) in enumerate(zip(mine, other)) if a != b), min(len(mine), len(other)))
            start = max(0, at - 60)
            return f"ours: {mine[start:at + 60]}\n  CPython: {other[start:at + 60]}"
    return None


def trees(program, paths):
    run = subprocess.run([program], input="\n".join(paths) + "\n", capture_output=True, text=True,
                         encoding="utf-8", errors="surrogateescape")
    assert run.returncode == 0, f"{program} ended with {run.returncode}: {run.stderr[-1000:]}"
    answers = {}
    for line in run.stdout.split("\n")[:-1]:
        path, *answer = line.split("\t")
        answers[path] = tuple(answer)
    assert len(answers) == len(set(paths)), "not every file was answered"
    return answers


def main():
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(20000)
    program = sys.argv[1]
    faults = []
    counts = {"OK": 0, "ERROR": 0}
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name in ("snippets", "syntax_errors"):
            with open(os.path.join(HERE, name + ".txt"), encoding="utf-8") as file:
                for i, text in enumerate(file.read().split("----\n")):
                    paths.append(os.path.join(folder, f"{name}_{i}.py"))
                    with open(paths[-1], "w", encoding="utf-8") as out:
                        out.write(text)
        own = set(paths)
        paths += files()
        for path, ours in trees(program, paths).items():
            with open(path, "rb") as file:
                source = file.read()
            if path not in own and not is_comparable(source):
                continue
            theirs = expectation(source)
            if path in own:
                expected = "ERROR" if "syntax_errors" in path else "OK"
                assert theirs[0] == expected, f"{path}: CPython says {theirs}:\n{source.decode()}"
            elif theirs[0] == ours[0] == "ERROR":
                theirs = ours  # that both refuse will do
            if theirs[0] == "ERROR" and "type parameters" in (ours[1] if ours[0] == "OK" else ""):
                continue  # Python 3.12's, which is parsed but not evaluated
            counts[theirs[0]] += 1
            if fault := difference(ours, theirs):
                shown = source.decode() if path in own else path
                faults.append(f"{shown}\n  {fault}")
    print(f"{counts['OK']} sources with equal trees and scopes, {counts['ERROR']} refused by both; {len(faults)} differ")
    print("\n".join(faults[:20]))
    assert counts["OK"] > 1000 and counts["ERROR"] > 200
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
