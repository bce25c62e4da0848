# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens .ipynb files with each command that takes Python sources. Graphs and values are held against torch.fx over the same cells, with what is
IPython's written as Python by hand.

    notebooks.py FORKED_CLI
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import torch
from torch import fx

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "support"))
from checks import Failures
from commands import Commands

commands = Commands(sys.argv[1])
FOLDER = pathlib.Path(tempfile.mkdtemp())
failures = Failures()
check = failures.check


def write(name, *cells, **more):
    """Code cells; a text that begins with "# " is a markdown cell."""
    kinds = ["markdown" if text.startswith("# ") else "code" for text in cells]
    found = [{"cell_type": kind, "source": text.splitlines(True), "metadata": {}} | ({"outputs": [], "execution_count": None} if kind == "code" else {})
             for kind, text in zip(kinds, cells)]
    content = {"cells": found, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5} | more
    path = FOLDER / f"{name}.ipynb"
    path.write_text(json.dumps(content))
    return path


def check_model(name, python, expression, *cells):
    """The model of a notebook computes what torch.fx finds in the Python, and has the same graph."""
    path = write(name, *cells)
    names = {"__name__": name}
    exec(python, names)
    traced = fx.symbolic_trace(eval(expression, names).eval())
    done = commands("graph", f"{path}:{expression}")
    check(f"{name}: graph", done.out.strip() == str(traced.graph).strip(), *done[:3])
    x, taken = torch.arange(6.0).reshape(2, 3), next(iter(traced.graph.nodes)).target
    done = commands("run", f"{path}:{expression}", "--input", f"{taken}=torch.arange(6.0).reshape(2, 3)", "--save", FOLDER / "saved.pt")
    check(f"{name}: values", done.code == 0 and torch.equal(torch.load(FOLDER / "saved.pt"), traced(x)), done.err)


def magics():
    head = "import torch\nfrom torch import nn\n"
    net = "class Net(nn.Module):\n    def forward(self, x):\n        return x * scale + 1\n"
    check_model("net", head + "scale = 3.0\n" + net, "Net()", "# A net", "%matplotlib inline\n!pip install torch\n" + head + "scale = 3.0\nscale?",
                "%%bash\nrm -rf /nowhere", net + "?Net\n")
    check_model("again", head + "scale = 5.0\n" + net, "Net()", head + "scale = 3.0", net, "scale = 5.0")
    check_model("texts", head + 'T = """Hello\nIs it ok?\n%time 1\n!ls\n"""\nscale = float(len(T))\n' + net, "Net()",
                head + 'T = """Hello\nIs it ok?\n%time 1\n!ls\n"""\nscale = float(len(T))', net)
    check_model("quotes", head + "a = '''is\nit? '\n'''; b = 'a\\\nb?'; c = '\\\\'; d = ''\nscale = float(len(a + b + c + d))\n" + net, "Net()",
                head + "a = '''is\nit? '\n'''; b = 'a\\\nb?'; c = '\\\\'; d = ''\nscale = float(len(a + b + c + d))\n!ls", net)
    check_model("brackets", head + 'name = 2\nscale = float("%d"\n%name) + (7 # ( ?\n%name)\nrest = 7 \\\n%name\nscale += rest\n' + net, "Net()",
                head + 'name = 2\nscale = float("%d"\n%name) + (7 # ( ?\n%name)\nrest = 7 \\\n%name\nscale += rest', net)
    check_model("assigned", head + "scale = 2.0\n" + net, "Net()",
                head + "files = !ls -l\nbest = %timeit -o sum(range(9))\nname, rest=!ls\nscale = 2.0\nif scale == 2.0:\n    files = !ls\n", net)
    check_model("continued", head + "scale = 4.0\n" + net, "Net()", head + "!pip install a \\\n   b \\\n   c\nscale = 4.0\n%env A=\\\nB\n" + net)
    check_model("timed", head + "scale = 2.0\n" + net + "m = Net()\nk = Net()", "nn.Sequential(m, k)",
                head + net, "%time scale = 2.0", "%time m = Net()\nk = %time Net()\n%time\n%timeit scale = 3.0\n%time !ls\nn = %time !ls")
    check_model("compared", head + "a, b = 1, 2\nc = a != b\nd = {'a': '!', 'b': '=!'}\nscale = float(c) # = !ls?\n" + net, "Net()",
                head + "a, b = 1, 2\nc = a != b\nd = {'a': '!', 'b': '=!'}\nscale = float(c) # = !ls?", net)
    check_model("future", "from __future__ import annotations\n" + head + "scale = 3.0\n" + net + "def g(a: Unknown): pass\n", "Net()",
                head + "scale = 3.0", net, "from __future__ import annotations\ndef g(a: Unknown): pass")
    check_model("future_lines", "from __future__ import (annotations,\n    division)\n" + head + "scale = 3.0\n" + net + "def g(a: Unknown): pass\n", "Net()",
                head + "scale = 3.0", net, "from __future__ import (annotations,\n    division)\ndef g(a: Unknown): pass")


def commands_of_sources():
    path = write("made", "import torch\nfrom torch import nn", "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
                 "        self.layer = nn.Linear(3, 2)\n    def forward(self, x):\n        return self.layer(x)\n", "%time\ndef twice(x):\n    return x + x")
    done = commands("export", f"{path}:Net()", FOLDER / "out")
    check("export", done.code == 0, *done[:3])
    text = "import torch, out\nprint(out.FxModule()(torch.ones(1, 3)).shape)"
    done = subprocess.run([sys.executable, "-B", "-c", text], cwd=FOLDER, capture_output=True, text=True)
    check("exported", done.returncode == 0 and "[1, 2]" in done.stdout, done.stdout, done.stderr[-300:])
    done = commands("info", path)
    check(f"info: {done}", "it has Net(), twice" in done.err)
    done = commands("graph", f"{path}:twice")
    check(f"a function: {done}", done.code == 0 and "add" in done.out)
    done = commands("graph", path)
    check(f"no name: {done}", done.code == 1 and done.err.count("made.ipynb") >= 1)


def faults():
    path = write("faulty", "import torch", "# Text", "def f(x):\n    y = x + 1\n    return y.no_such(1, 2) + unknown")
    done = commands("graph", f"{path}:f")
    check(f"a fault's place: {done}", "faulty.ipynb:6" in done.err and "unknown" in done.err)
    path = write("wrong", "x = 1", "def f(x:\n    return x")
    done = commands("graph", f"{path}:f")
    check(f"a fault of syntax: {done}", done.code == 1 and "wrong.ipynb:" in done.err and "SyntaxError" in done.err)
    path = write("missing", "files = !ls", "def f(x):\n    return x + len(files)")
    done = commands("graph", f"{path}:f")
    check(f"what a command gave: {done}", "name 'files' is not defined" in done.err)
    for name, path, words in [
            ("another language", write("r", "x <- 1", metadata={"language_info": {"name": "R"}}), "is a notebook for R, not for Python"),
            ("no cells", write("empty"), ""), ("old", write("old", cells=3), "is no Jupyter notebook with cells")]:
        done = commands("graph", f"{path}:f")
        check(f"{name}: {done}", done.code == 1 and words in done.err and done.err.count("\n") < 6)
    for name, data in [("bytes", b"\xff\xfe\x00"), ("latin", '{"cells": [{"cell_type": "code", "source": "x = \'é\'"}]}'.encode("latin-1")), ("cut", b'{"cells": [')]:
        (FOLDER / f"{name}.ipynb").write_bytes(data)
        done = commands("graph", f"{FOLDER / name}.ipynb:f")
        check(f"{name}: {done}", done.code == 1 and f"{name}.ipynb" in done.err and done.err.count("\n") < 6)


def large():
    path = write("large", "def f(x):\n    return x + 1")
    content = json.loads(path.read_text())
    content["cells"][0]["outputs"] = [{"output_type": "display_data", "data": {"image/png": "A" * 40_000_000}, "metadata": {}}]
    path.write_text(json.dumps(content))
    done = commands("graph", f"{path}:f")
    check(f"a large output: {done}", done.code == 0 and "add" in done.out)


failures.end_after([magics, commands_of_sources, faults, large])
