# SPDX-License-Identifier: GPL-3.0-or-later
"""Gives the program the models of make_attacks.py and of ops/: nothing outside is touched, nothing of them runs in Python,
and each ends in an answer or in one line, within a bound of time and memory.

    check_attacks.py FORKED_CLI LIBRARY NO_GUARD [FUNCTION]

LIBRARY: fx_escaping_operators; NO_GUARD: no_guard, to be preloaded. FUNCTION: of this file, to be called alone.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import torch

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "support"))
from commands import Commands

commands = Commands(pathlib.Path(sys.argv[1]).resolve())
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="attacks-")) / "files"
LIBRARY, NO_GUARD = (pathlib.Path(path).resolve() for path in sys.argv[2:4])
VICTIM = FOLDER / "victim.txt"
MEGABYTES = 3 << 10  # for any one process that opens something
faults, peaks = [], []


def expect(holds, what):
    if not holds:
        faults.append(what)
        print("FAULT", what, flush=True)


def fxscope(*arguments, seconds=60):
    """(exit status, standard output, standard error) of the program, run in the folder of the attacks."""
    try:
        done = commands(*arguments, folder=FOLDER, timeout=seconds)
    except subprocess.TimeoutExpired:
        expect(False, f"{arguments}: no end within {seconds} s")
        return 1, "", ""
    label = " ".join(map(str, arguments)).replace(str(FOLDER) + "/", "")
    if arguments[0] != "run":  # which may take what the machine has
        peaks.append((done.megabytes, label))
    expect(done.code in (0, 1), f"{label}: exit status {done.code}: {done.err[-300:]}")
    errors = [line for line in done.err.splitlines() if not line.startswith(("note: ", "[W", "  "))]
    expect(done.code == 0 or (len(errors) >= 1 and errors[0].startswith("error: ")),
           f"{label}: no line says why: {done.err[-300:]!r}")
    return done.code, done.out, done.err


def program(*arguments, preload="", text="", seconds=60):
    """The same of the program itself, started anew."""
    done = subprocess.run([pathlib.Path(sys.argv[1]).with_name("fxscope").resolve(), *arguments], cwd=FOLDER, input=text, text=True,
                          capture_output=True, timeout=seconds, env={**os.environ, "LD_PRELOAD": str(preload)})
    return done.returncode, done.stdout, done.stderr


def outside():
    def untouched(what):
        expect(VICTIM.read_bytes() == b"A" * 11, f"{what} overwrote the file")
        VICTIM.write_bytes(b"A" * 11)
        expect(not (FOLDER / "PWNED").exists(), f"{what} wrote a file")
        (FOLDER / "PWNED").unlink(missing_ok=True)

    VICTIM.write_bytes(b"A" * 11)
    for path in sorted((FOLDER / "outside").iterdir()):
        for words in (["info", path], ["graph", path], ["code", path], ["apply", path, "dead-code"],
                        ["apply", path, "shape-prop"], ["run", path, "--input", "x=ones(2, 4)"],
                        ["export", path, FOLDER / "written" / path.stem, "--input", "x=ones(2, 4)"]):
            _, out, err = fxscope(*words)
            untouched(f"{words[0]} {path.name}")
            expect("PRINTED BY THE MODEL\n" not in out + err, f"{words[0]} {path.name} printed")
    # A node that touches files is named, and runs when it is allowed.
    status, _, err = fxscope("run", FOLDER / "outside" / "node.pt2")
    expect(status == 1 and "relu" in err and "from_file" in err and "--allow-files" in err, f"node.pt2 is refused by: {err}")
    status, _, err = fxscope("run", FOLDER / "outside" / "node.pt2", "--allow-files")
    expect(status == 0 and VICTIM.read_bytes() == b"X" * 11, f"node.pt2 with --allow-files: {err}")
    # Opening never does, whatever is allowed.
    VICTIM.write_bytes(b"A" * 11)
    status, _, err = fxscope("run", FOLDER / "outside" / "source.py", "--input", "x=ones(2)", "--allow-files")
    expect(status == 1, "source.py touched a file while it was opened")
    untouched("run --allow-files source.py")


def injection():
    for path in sorted((FOLDER / "injection").iterdir()):
        folder = FOLDER / "exported" / path.stem
        status, _, err = fxscope("export", path, folder, "--no-verify", "--name", "Net")
        if status == 0:
            subprocess.run([sys.executable, "-c", "import torch, sys\nsys.path.insert(0, sys.argv[1])\n"
                            "module = __import__(sys.argv[2])\nnet = module.Net()\n"
                            "try:\n    net(torch.ones(2, 4))\nexcept Exception as error:\n    print(type(error))\n",
                            str(folder.parent), folder.name], capture_output=True, timeout=120)
        else:
            expect(not folder.exists() or not any(folder.iterdir()), f"{path.name}: refused, and something is written")
        expect(not (FOLDER / "PWNED").exists(), f"{path.name}: what was exported ran a statement of the model")
        (FOLDER / "PWNED").unlink(missing_ok=True)
        for file, how in ((folder.with_suffix(".pt2"), "torch.export.load(sys.argv[1]).module()"),
                          (folder.with_suffix(".pt"), "torch.load(sys.argv[1], weights_only=False)")):
            status, _, err = fxscope("export", path, file)
            expect(file.exists() == (status == 0), f"{path.name}: {status}, and {file.name} is {file.exists()}")
            if status == 0:
                subprocess.run([sys.executable, "-c", f"import torch, sys\nnet = {how}\n"
                                "try:\n    net(torch.ones(2, 4))\nexcept Exception as error:\n    print(type(error))\n", str(file)],
                               capture_output=True, timeout=120)
            expect(not (FOLDER / "PWNED").exists(), f"{path.name}: {file.name} ran a statement of the model")
            (FOLDER / "PWNED").unlink(missing_ok=True)
    status, _, err = fxscope("export", FOLDER / "injection" / "os_system.pt2", FOLDER / "exported" / "again")
    expect(status == 1 and "relu" in err and "os.system" in err, f"os.system is refused by: {err}")


def bounds():
    """The graphs of bounds.py, by every way that runs them."""
    path = HERE / "bounds.py"
    for name, said in re.findall(r'^class (\w+).*\n    said = "(.*)"', path.read_text(), re.MULTILINE):
        model = f"{path}:{name}()"
        for words in (["run", model], ["export", model, FOLDER / "bounds" / name], ["export", model, FOLDER / f"{name}.ts", "--format", "torchscript"],
                      ["apply", model, "shape-prop"]):
            status, _, err = fxscope(*words, "--input", "x=randn(4)")
            expect("signal" not in err, f"{words[0]} {name} crashes: {err[-300:]}")
            if words[0] == "run":
                expect(status == bool(said) and said in err, f"run {name}: {err[-300:]}")


def crash():
    said = {"stack.pt": "crashed in torch._stack (signal 11)", "source.py": "crashed in torch._stack (signal 11)",
            "memory.pt": "would take 360.0 GB", "expanded.pt": "would take 4.00 TB", "tensors.py": "would take 2.15 GB",
            "endless.py": "took longer than 3 s, and was stopped in matmul", "products.pt": "took longer than 3 s",
            "doubling.py": "it takes too many bytes", "texts.py": ""}
    for path in sorted((FOLDER / "crash").iterdir()):
        # A busy machine takes long, too, for what is to end by something else than its time.
        limit = 3 if "took longer" in said.get(path.name, "took longer") else 20
        status, out, err = fxscope("info", path, "--time-limit", limit, seconds=40)
        words = out + err
        expect(said.get(path.name, "") in words, f"{path.name} says: {words[-300:]!r}")
    for path in sorted((HERE / "programs").glob("*.py")):
        fxscope("info", path)
    most, label = max(peaks)
    expect(most < MEGABYTES, f"{label} took {most:.0f} MB")
    # Kernels that do not stand their arguments: what they take before they crash is bounded by the address space alone.
    for path in sorted((HERE / "ops").glob("*.py")):
        fxscope("info", path)
        status, _, err = fxscope("run", path, "--input", "x=ones(2)")
        expect(status == 0 or err.count("error: ") == 1, f"run {path.name}: {err[-300:]!r}")


ESCAPING = """import torch
class Net(torch.nn.Module):
    def forward(self, x):
        return torch.ops.fxescape.attempt(x, %r) + 1
"""


def escape():
    """Each process that runs a graph of a file is confined: an operator that tries each way out finds none."""
    place = FOLDER / "escape"
    (place / "folder").mkdir(parents=True)
    (place / "victim").write_text("old")
    (place / "out.pt.old").write_text("old")
    (place / "empty").touch()
    (place / "link").symlink_to("victim")
    source = place / "net.py"
    source.write_text(ESCAPING % str(place))
    (place / "plain.py").write_text("import torch\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return x + 1\n")
    before = sorted(place.iterdir())
    given = [f"{source}:Net()", "--load-library", LIBRARY, "--input", "x=ones(2)"]
    written = FOLDER / "outputs"
    written.mkdir()
    console = place / "console"
    console.write_text("c\nq\n")
    before.append(console)
    for words, shown in ((["run"], "[2., 2.]"), (["run", "--save", written / "value.pt", "--save-state", written / "state.pt"], ""),
                         (["run", "--grad"], ""), (["shapes"], "[2]"), (["analyze", "--run"], "measured"),
                         (["export", written / "package"], "outputs equal bit for bit"),
                         (["apply", "--verify", "dead-code", "-o", written / "model.fxg"], "equal"),
                         (["apply", "shape-prop"], ""), (["compare", f"{place}/plain.py:Net()", "--html", written / "page.html"], "equal"),
                         (["reduce", "--failing", "out.max() > 0", "-o", written / "small.fxg"], ""),
                         (["debug", "--commands", console], "[2., 2.]"), (["debug", "--worker", "--commands", console], "[2., 2.]")):
        model, *further = given
        positional = [word for word in words[1:2] if words[0] in ("export", "compare")]
        status, out, err = fxscope(words[0], model, *positional, *further, *words[1 + len(positional):])
        label = " ".join(map(str, words))
        expect(status == 0 and "ways out" not in out + err, f"{label}: {(out + err)[-600:]}")
        expect(shown in out + err, f"{label} says {out + err!r}, not {shown}")
        expect(sorted(place.iterdir()) == sorted(before) and (place / "victim").read_text() == "old", f"{label}: {sorted(place.iterdir())}")
    outputs = {"value.pt", "state.pt", "package", "model.fxg", "page.html", "small.fxg"}
    expect({path.name for path in written.iterdir()} == outputs, f"the outputs are {list(written.iterdir())}")
    # An output is where its path leads: the kernel goes back from where a link leads to.
    (FOLDER / "far" / "deep").mkdir(parents=True)
    (place / "aside").symlink_to(FOLDER / "far" / "deep")
    status, out, err = fxscope("run", *given, "--save", place / "aside" / ".." / "value.pt")
    expect(status == 0 and "ways out" not in out + err and (FOLDER / "far" / "value.pt").exists(), f"--save link/../value.pt: {out + err}")
    # What the user allows opens so much and no more.
    status, out, err = fxscope("run", *given, "--allow-files")
    ways = {way.split(" (")[0] for way in err.partition("ways out: ")[2].partition(";")[0].split(", ")}
    allowed = {"open for writing", "open for both", "open and truncate", "open to append", "open and create", "creat", "open a link",
               "from a folder"}
    expect(status == 1 and ways == allowed, f"--allow-files opens {sorted(ways)}: {err[-600:]}")


LEAVING = """import torch
class Net(torch.nn.Module):
    def forward(self, x):
        return torch.ops.fxescape.leave_child(x, %d)
"""


def orphans():
    """What an operator forks and leaves behind keeps no command waiting, and ends with it."""
    def names():
        return [path.read_text().strip() for path in pathlib.Path("/proc").glob("[0-9]*/comm") if path.exists()]

    for number, said in ((0, "[1., 1.]"), (11, "signal 11"), (9, "signal 9")):
        source = FOLDER / f"leaving{number}.py"
        source.write_text(LEAVING % number)
        _, out, err = program("run", f"{source}:Net()", "--load-library", LIBRARY, "--input", "x=ones(2)")
        expect(said in out + err, f"run that leaves a child, {number}: {(out + err)[-300:]}")
        _, out, err = program("debug", f"{source}:Net()", "--worker", "--load-library", LIBRARY, "--input", "x=ones(2)", text="c\nq\n")
        expect("no child can be made" in out + err, f"a worker that leaves a child: {(out + err)[-300:]}")
    expect("fxscope-orphan" not in names(), "a child goes on")


def no_guard():
    """Where no process may look at another one, commands write what they are to write, and say what is not kept."""
    place = FOLDER / "unguarded"
    place.mkdir()
    source = place / "plain.py"
    source.write_text("import torch\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return x + 1\n")
    console = place / "console"
    console.write_text(f"c\np add\nsave add {place}/value.npy\nq\n")
    for words, written in ((["run", "--save", place / "value.pt"], "value.pt"), (["export", place / "package"], "package"),
                           (["apply", "dead-code", "-o", place / "model.fxg"], "model.fxg"), (["run"], "")):
        positional = [word for word in words[1:2] if words[0] == "export"]
        status, out, err = program(words[0], f"{source}:Net()", *positional, "--input", "x=ones(2)", *words[1 + len(positional):], preload=NO_GUARD)
        expect(status == 0 and (not written or (place / written).exists()), f"without a guard {words}: {(out + err)[-300:]}")
        expect(("not kept from files" in err) == bool(written), f"without a guard {words}: {err[-300:]}")


def pass_files():
    """A file with passes is evaluated in a process of its own, which may crash, before any model is opened."""
    path = FOLDER / "crashing_pass.py"
    path.write_text("import torch\ntorch._stack([])\ndef act(gm):\n    return gm\n")
    recipe = FOLDER / "crashing.fxrecipe"
    model = FOLDER / "plain_net.py"
    model.write_text("import torch\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return x + 1\n")
    good = FOLDER / "good_pass.py"
    good.write_text("def act(gm):\n    return gm\n")
    fxscope("apply", f"{model}:Net()", f"{good}:act", "--save-recipe", recipe)
    recipe.write_text(recipe.read_text().replace("good_pass.py", "crashing_pass.py"))
    for words in (["passes", path], ["passes", f"{path}:act"], ["apply", f"{model}:Net()", f"{path}:act"],
                  ["apply", f"{model}:Net()", path], ["apply", f"{model}:Net()", "--recipe", recipe]):
        status, _, err = fxscope(*words)
        expect(status == 1 and f"{path}" in err and "its code crashed in torch._stack (signal 11)" in err, f"{words}: {err[-300:]}")
class Touch:
    def __reduce__(self):
        return os.system, (f"touch {FOLDER / 'PWNED'}",)


def beside():
    """A source may load weights that lie beside it, and nothing else: no other file, and no object of another kind."""
    place, secret = FOLDER / "beside", FOLDER / "secret.pt"
    (place / "in").mkdir(parents=True)
    torch.save({"w": torch.ones(2)}, secret)
    (place / "link.pt").symlink_to(secret)
    (place / "linked").symlink_to(FOLDER)
    (place / "zero.pt").symlink_to("/dev/zero")
    (place / "loop.pt").symlink_to("loop.pt")
    os.mkfifo(place / "pipe.pt")
    torch.save({"w": torch.ones(2)}, place / "in" / "own.pt")
    (place / "own.pt").symlink_to("in/own.pt")
    for name, value in {"code.pt": Touch(), "deep.pt": {"w": torch.ones(2), "more": [(Touch(),)]}, "module.pt": torch.nn.Linear(1, 1),
                        "class.pt": {"w": Touch}, "function.pt": {"w": torch.relu}}.items():
        torch.save(value, place / name)
    torch.save({"w": torch.ones(2), "more": Touch()}, place / "old.pt", _use_new_zipfile_serialization=False)
    (place / "cut.pt").write_bytes(secret.read_bytes()[:200])
    (place / "empty.pt").touch()
    (place / "raw.pt").write_bytes(b"cos\nsystem\n(S'touch " + bytes(FOLDER / "PWNED") + b"'\ntR.")
    out, kind = "is not beside the source", "is not an allowed global"
    refused = {"../secret.pt": out, str(secret): out, "link.pt": out, "linked/secret.pt": out, "in/../../secret.pt": out, "zero.pt": out,
               "/proc/self/environ": out, "/proc/self/cwd/../secret.pt": out, "/dev/stdin": out, "~/secret.pt": "", "file://" + str(secret): "",
               "pipe.pt": "No such file", "missing.pt": "No such file", "in": "No such file", ".": "No such file", "": "", "..": out,
               "loop.pt": "", "own.pt\0": "embedded null byte", "link.pt\0/../own.pt": "embedded null byte", "x" * 5000: "", "code.pt": kind, "deep.pt": kind, "module.pt": kind, "class.pt": kind,
               "function.pt": kind, "old.pt": kind, "raw.pt": "", "cut.pt": "", "empty.pt": ""}
    for name, words in refused.items():
        for how in ("    w = torch.load({!r})\n", "    w = torch.load({!r}, map_location='cpu', weights_only=False)\n",
                    "    try:\n        w = torch.load({!r})\n    except Exception:\n        w = None\n"):
            (place / "net.py").write_text("import torch\ndef f(x):\n" + how.format(name) + "    return x if w is None else x + w['w']\n")
            status, _, err = fxscope("graph", f"{place}/net.py:f", seconds=20)
            if "try" not in how:
                expect(status == 1 and words in err and len(err) < 5000, f"torch.load({name[:60]!r}): {err[-300:]}")
            expect(not (FOLDER / "PWNED").exists(), f"torch.load({name[:60]!r}) ran a program")
            (FOLDER / "PWNED").unlink(missing_ok=True)
    for name in ("own.pt", "in/own.pt", "in/../own.pt", str(place / "own.pt"), "linked/beside/own.pt"):
        (place / "net.py").write_text(f"import torch\ndef f(x):\n    return x + torch.load({name!r})['w'][0].item()\n")
        status, out, err = fxscope("graph", f"{place}/net.py:f", seconds=20)
        expect(status == 0 and "1.0" in out, f"torch.load({name!r}) is refused: {err[-300:]}")


# Bytes of a line and of all that one command says: of 40 or fewer values, errors and notes.
LONGEST_LINE, LONGEST = 20_000, 200_000


def long_texts():
    """What is shown of a file is short, however long its texts are; what it is written into holds all of it."""
    for path in sorted((FOLDER / "long").iterdir()):
        model = f"{path}:M()" if path.suffix == ".py" else path
        svg, report = FOLDER / "long.svg", FOLDER / "long.html"
        opens = fxscope("info", model)[0] == 0
        for words in (["info", model], ["shapes", model, "--input", "x=ones(2, 4)"], ["run", model, "--input", "x=ones(2, 4)"],
                      ["analyze", model], ["graph", model, "--format", "tabular"], ["draw", model, "--out", svg],
                      ["compare", model, model, "--input", "x=ones(2, 4)"], ["diff", model, model], ["apply", model, "lint"],
                      ["debug", model, "--input", "x=ones(2, 4)"]) if opens else (["info", model],):
            _, out, err = fxscope(*words)
            lines = [line for text in (out, err) for line in text.split("\n")]
            label = f"{words[0]} {path.name}"
            longest = max(len(line.encode("utf-8", "surrogateescape")) for line in lines)
            expect(longest <= LONGEST_LINE, f"{label}: a line of {longest} bytes")
            expect(len(out + err) <= LONGEST, f"{label}: {len(out + err)} letters in {len(lines)} lines")
            expect(not any("\udc80" <= letter <= "\udcff" for letter in set(out + err)), f"{label}: a letter is divided")
        if svg.exists():
            expect(svg.stat().st_size <= LONGEST, f"{path.name}: its picture has {svg.stat().st_size} bytes")
            svg.unlink()
    _, _, err = fxscope("info", FOLDER / "long" / "megabytes.py:M()")
    expect("x... 20.0 MB more" in err, f"an error says how much is left out: {err[-200:]}")
    _, _, err = fxscope("info", FOLDER / "long" / "lines.py:M()")
    expect(len(err.splitlines()) < 60 and "more lines" in err, f"an error of many lines has few: {err[-200:]}")
    _, out, _ = fxscope("code", FOLDER / "long" / "name.pt2")
    expect("r" * 300_000 in out, "code is whole")


if __name__ == "__main__":
    subprocess.run([sys.executable, HERE / "make_attacks.py", FOLDER], check=True)
    if len(sys.argv) > 4:
        globals()[sys.argv[4]]()
    else:
        outside(), injection(), bounds(), crash(), escape(), orphans(), no_guard(), pass_files(), beside(), long_texts()
    shutil.rmtree(FOLDER.parent)
    sys.exit(f"{len(faults)} faults" if faults else 0)
