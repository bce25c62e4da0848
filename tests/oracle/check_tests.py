# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs files of unittest tests about torch.fx, with Python's unittest and by `fxscope test`, and compares the outcome of each test.

    check_tests.py FORKED_CLI FOLDER

Of the files in FOLDER those named test_*.py are run by both. What Python cannot run (tests that end only by our limits, or that
import what PyTorch's own tests need beyond torch) is in files named here_*.py, whose tests say what is to become of them in a comment
on their line: `# -> ok`, `# -> ERROR a part of the message`.
"""

import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from commands import Commands

LINE = re.compile(r"^(?P<name>test\w*) \((?P<home>[\w.]+)\)(?:\n[^\n]*?)? \.\.\. (?P<outcome>.*)$", re.MULTILINE)
WANTED = re.compile(r"^    def (?P<name>test\w*)\(.*?\):  # -> (?P<outcome>\w+) ?(?P<message>.*)$", re.MULTILINE)
LOGGED = re.compile(r"[VIWE]\d{4} [^\n]*\n")
LAST_LINE = re.compile(r"^(OK|FAILED)( \(.*\))?$", re.MULTILINE)


def outcomes(text):
    """{test: outcome}, and unittest's last line."""
    last = LAST_LINE.findall(text)
    return {f"{line['home']}.{line['name']}": line["outcome"] for line in LINE.finditer(text)}, "".join(last[-1]) if last else text[-500:]


def differences(path, commands, options=()):
    ours = commands("test", path, *options, folder=path.parent)
    if path.name.startswith("here_"):
        found, _ = outcomes(ours.out)
        by_name = {name.rpartition(".")[2]: outcome for name, outcome in found.items()}
        wanted = list(WANTED.finditer(path.read_text()))
        if not wanted:
            yield f"{path.name}: says of no test what is to become of it"
        for line in wanted:
            if by_name.get(line["name"]) != line["outcome"]:
                yield f"{line['name']}: {by_name.get(line['name'])}, not {line['outcome']}\n{ours.out[-1500:]}{ours.err}"
            if line["message"] and line["message"] not in ours.out:
                yield f"{line['name']}: nobody says {line['message']!r}\n{ours.out[-1500:]}"
        return
    theirs = subprocess.run([sys.executable, "-B", "-W", "ignore", "-m", "unittest", "-v", path.stem, *options], cwd=path.parent,
                            capture_output=True, text=True)
    mine, my_end = outcomes(ours.out)
    real, real_end = outcomes(LOGGED.sub("", theirs.stderr))
    if not real:
        yield f"{path.name}: Python runs no test\n{theirs.stderr}"
    for name in sorted(mine.keys() | real.keys()):
        if mine.get(name) != real.get(name):
            yield f"{name}: {mine.get(name)}, not {real.get(name)}\n{ours.out[-3000:]}{ours.err}"
    if my_end != real_end:
        yield f"{path.name}: ends with {my_end!r}, not {real_end!r}"
    if (ours.code == 0) != (theirs.returncode == 0):
        yield f"{path.name}: exit status {ours.code}, not {theirs.returncode}"


def main():
    commands = Commands(sys.argv[1])
    failures = []
    files = sorted(pathlib.Path(sys.argv[2]).resolve().glob("*_*.py"))
    for path in files:
        failures += differences(path, commands)
    failures += differences(next(path for path in files if path.name == "test_outcomes.py"), commands, ("-k", "fuse"))
    print("\n".join(failures) or f"{len(files)} files have the same outcomes")
    return bool(failures) or not files


if __name__ == "__main__":
    sys.exit(main())
