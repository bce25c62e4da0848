# SPDX-License-Identifier: GPL-3.0-or-later
"""Passes that mean harm, or break off half-way: each ends in one error in good time, nothing is written, and the files that it names are as
they were.

    hostile_passes.py FORKED_CLI
"""

import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "support"))
from commands import Commands

commands = Commands(sys.argv[1])
FOLDER = pathlib.Path(tempfile.mkdtemp())
SECRET, MARK = FOLDER / "secret.txt", FOLDER / "mark.txt"
SECRET.write_text("a word that nobody may print")

# The body of each pass, and a part of its error.
CASES = {
    "loop": ("while True: pass", "steps"),
    "loop_that_catches": ("while True:\n        try:\n            while True: pass\n        except BaseException: pass", "steps"),
    "growing_graph": ("for node in gm.graph.nodes:\n        with gm.graph.inserting_after(node): gm.graph.call_function(torch.relu, (node,))",
                      "steps"),
    "half_way_loop": ("gm.graph.find_nodes(op='call_function', target=torch.relu)[0].name = 'half'\n    while True: pass", "steps"),
    "memory": ("held = []\n    while True: held.append('x' * 10_000_000)", "bytes"),
    "one_big_text": ("text = 'x' * 10**12", "one value would take"),
    "joined": ("('x' * 10**6).join(['y'] * 10**6)", "bytes"),
    "joined_bytes": ("(b'x' * 10**6).join([b'y'] * 10**6)", "bytes"),
    "translated": ("('x' * 10**6).translate({120: 'y' * 10**6})", "bytes"),
    "formatted": ("('{0}' * 10**6).format('y' * 10**6)", "bytes"),
    "by_percent": ("('%(a)s' * 10**6) % {'a': 'y' * 10**6}", "bytes"),
    "as_long_as_its_list": ("torch.ones(1).expand(10**12).tolist()", "one value would take"),
    "one_big_tensor": ("torch.zeros(10**12)", "memory"),
    "depth": ("def f(): return f()\n    f()", "recursion"),
    "regular_expression": ("import re\n    re.match('(a*)*b', 'a' * 10_000)", "the pattern takes too long"),
    "reads_a_file": (f"print(open({str(SECRET)!r}).read())", "nothing outside"),
    "writes_a_file": (f"open({str(MARK)!r}, 'w').write('x')", "nothing outside"),
    "saves_a_tensor": (f"torch.save(torch.ones(1), {str(MARK)!r})", "touches no files"),
    "loads_a_file": (f"torch.load({str(SECRET)!r})", "touches no files"),
    "removes_a_file": (f"import os\n    os.remove({str(SECRET)!r})", "nothing outside"),
    "removes_by_path": (f"import pathlib\n    pathlib.Path({str(SECRET)!r}).unlink()", "nothing outside"),
    "writes_a_folder": (f"gm.to_folder({str(FOLDER / 'folder')!r})", "nothing outside"),
    "out_of_its_own_files": (f"import tempfile\n    with tempfile.TemporaryDirectory() as d: print(open(d + '/../..{SECRET}').read())", "nothing outside"),
    "process": ("import subprocess\n    subprocess.run(['touch', '" + str(MARK) + "'])", "no processes"),
    "shell": (f"import os\n    os.system('touch {MARK}')", "no files and processes"),
    "connects": ("import socket\n    socket.create_connection(('127.0.0.1', 9))", "no network"),
    "native_code": ("import ctypes\n    ctypes.CDLL('libc.so.6').abort()", "ctypes"),
    "evaluates": (f"path = {str(SECRET)!r}\n    eval('__import__(\"os\").remove(path)')", "nothing outside"),
    "runs_itself": ("text = 'exec(text)'\n    exec(text, {'text': text})", "recursion"),
    "runs_a_file": (f"path = {str(SECRET)!r}\n    exec('print(open(path).read())')", "nothing outside"),
    "runs_much_text": ("exec('x = 1\\n' * 10**8)", "one value would take"),
    "operator_of_files": (f"torch.ops.aten.from_file({str(SECRET)!r}, False, 4, dtype=torch.uint8)", "from_file"),
    "kernel_of_torch": ("torch.library.impl('aten::relu', 'cpu', lambda x: x)", "has not defined"),
    "overload_of_torch": ("torch.library.define('aten::from_file.mine', '(Tensor x) -> Tensor')", "has not defined"),
    "own_operator_that_reads": ("torch.library.define('mine::reads', '(Tensor x) -> Tensor')\n    "
                                f"torch.library.impl('mine::reads', 'cpu', lambda x: open({str(SECRET)!r}).read())\n    "
                                "torch.ops.mine.reads(torch.ones(1))", "nothing outside"),
    "own_operator_in_itself": ("torch.library.define('mine::again', '(Tensor x) -> Tensor')\n    "
                               "torch.library.impl('mine::again', 'cpu', lambda x: torch.ops.mine.again(x))\n    "
                               "torch.ops.mine.again(torch.ones(1))", "recursion"),
    "half_way": ("gm.graph.find_nodes(op='call_function', target=torch.relu)[0].target = torch.tanh\n    raise KeyError('half')", "half"),
    "half_way_erased": ("gm.graph.erase_node(gm.graph.output_node())\n    raise ValueError('without an end')", "without an end"),
    "exits": ("import sys\n    sys.exit(0)", "SystemExit"),
    "aborts": ("import os\n    os._exit(0)", "no files and processes"),
}


def main():
    (FOLDER / "net.py").write_text("import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return torch.relu(x) + 1\n")
    passes = FOLDER / "passes.py"
    passes.write_text("import torch\n\n\n" + "\n\n".join(f"def {name}(gm):\n    {body}\n" for name, (body, _) in CASES.items()))
    model, out = FOLDER / "net.fxg", FOLDER / "out.fxg"
    made = commands("apply", f"{FOLDER / 'net.py'}:Net()", "-o", model, "lint")
    assert made.code == 0, made.err
    before = model.read_bytes()
    failures = []
    for name, (_, part) in CASES.items():
        done = commands("apply", model, f"{passes}:{name}", "-o", out)
        found = []
        if done.code != 1:
            found.append(f"ends with {done.code}, not 1")
        if "error: " not in done.err or part not in done.err or "SyntaxError" in done.err:
            found.append(f"says {done.err.strip()!r}")
        if "a word that nobody" in done.out + done.err:
            found.append("tells what is in a file")
        if out.exists() or MARK.exists() or (FOLDER / "folder").exists() or not SECRET.exists() or model.read_bytes() != before:
            found.append("leaves something, or has taken something away")
            for each in (out, MARK):
                each.unlink(missing_ok=True)
        failures += [f"{name}: {text}" for text in found]
    for failure in failures:
        print(failure)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
