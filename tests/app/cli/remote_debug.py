# SPDX-License-Identifier: GPL-3.0-or-later
"""fxscope serve and fxscope debug --connect: the console says what it says of a model here. Arguments: the program fxscope, and
the library of tests/support/escaping_operators.cpp."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

FXSCOPE, ESCAPING = sys.argv[1:]
NET = """
import torch
import part

class Net(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first = torch.nn.Linear(width, width)

    def forward(self, x):
        return part.bent(self.first(x)) * 2
"""
ONE_FILE = NET.replace("import part\n", "").replace("part.bent", "torch.relu")
SCRIPT = "s\np x.shape, float(x.sum())\ns\nb mul\nw\nc\np relu.mean() > 0\nrelu = relu * 0\nc\np mul.sum()\n"
# The run goes on after the edit, then runs anew: both give the same.
SCRIPT += "nodes['mul'].args = (nodes['relu'], 3)\nc\nc\np float(mul.sum()), 'sum'\nrun\nc\nc\np float(mul.sum()), 'sum'\nrerun mul\nc\n"
RUN = ["--input", "x=torch.ones(2, 8)", "--seed", "7"]


def fxscope(*arguments, **more):
    return subprocess.run([FXSCOPE, *arguments], capture_output=True, text=True, timeout=120, **more)


def check(condition, what):
    if not condition:
        raise SystemExit(f"failed: {what}")


def serve(*arguments):
    server = subprocess.Popen([FXSCOPE, "serve", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    line = server.stdout.readline()
    check(line.startswith("listening at "), f"one line, not {line!r}")
    return server, line.split()[2].rstrip(","), line


def main(folder):
    (folder / "net.py").write_text(NET)
    (folder / "part.py").write_text("import torch\n\ndef bent(x):\n    return torch.relu(x)\n")
    (folder / "one.py").write_text(ONE_FILE)
    script = folder / "script"
    script.write_text(SCRIPT)
    token = folder / "token"
    model = f"{folder}/net.py:Net(8)"
    here = fxscope("debug", model, *RUN, "--commands", script)
    check(here.returncode == 0 and "finished" in here.stdout, here.stderr)
    check(here.stdout.count(" keep their values") == 2, here.stdout)
    sums = re.findall(r"^\(.*, 'sum'\)$", here.stdout, re.MULTILINE)
    check(len(sums) == 2 and sums[0] == sums[1], here.stdout)
    worker = fxscope("debug", model, *RUN, "--worker", "--commands", script)
    check(worker.stdout == here.stdout, f"{worker.stdout}{worker.stderr}\nis not\n{here.stdout}")

    server, address, line = serve("--token-file", token)
    try:
        check(token.stat().st_mode & 0o777 == 0o600, "the token is its owner's")
        check(token.read_text().strip() not in line, "a token in a file is not printed")
        to = ["--connect", address, "--token-file", token]
        there = fxscope("debug", model, *RUN, *to, "--commands", script)
        check(there.stdout == here.stdout, f"{there.stdout}{there.stderr}\nis not\n{here.stdout}")
        named = fxscope("debug", model, *RUN, "--connect", address, "--commands", script,
                        env={**os.environ, "FXSCOPE_TOKEN": token.read_text().strip()})
        check(named.stdout == here.stdout, named.stderr)
        uploaded = fxscope("debug", f"{folder}/one.py:Net(8)", *RUN, *to, "--upload", "--commands", script)
        check(uploaded.returncode == 0 and "finished" in uploaded.stdout, uploaded.stderr)

        # The process that runs a model on the host is confined.
        (folder / "escape.py").write_text(f"""import torch
class Net(torch.nn.Module):
    def forward(self, x):
        return torch.ops.fxescape.attempt(x, {str(folder)!r}) + 1
""")
        (folder / "console").write_text("c\n")
        (folder / "folder").mkdir()
        for name in ("victim", "empty"):
            (folder / name).touch()
        escape = fxscope("debug", f"{folder}/escape.py:Net()", "--load-library", ESCAPING, "--input", "x=ones(2)", *to,
                         "--commands", folder / "console")
        check(escape.returncode == 0 and "[2., 2.]" in escape.stdout, escape.stdout + escape.stderr)

        # A client that is killed leaves its session, and another one finds the run where it was.
        with subprocess.Popen([FXSCOPE, "debug", model, *RUN, *to], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as client:
            client.stdin.write("s\np x.shape\n")
            client.stdin.flush()
            for words in client.stdout:
                if "torch.Size" in words:
                    break
            session = client.stderr.readline().split()[2]
            for process in pathlib.Path(f"/proc/{client.pid}/task/{client.pid}/children").read_text().split():
                os.kill(int(process), 9)
        back = fxscope("debug", *to, "--session", session, input="p float(x.sum())\nc\n")
        check(back.returncode == 0 and "16.0" in back.stdout and "finished" in back.stdout, back.stdout + back.stderr)
        check("first node" not in back.stdout and "> " in back.stdout, f"the run is not begun anew: {back.stdout}")
        gone = fxscope("debug", *to, "--session", session, input="")
        check(gone.returncode == 1 and f"has no session {session}" in gone.stderr, gone.stderr)

        token.write_text("wrong")
        wrong = fxscope("debug", model, *to, input="")
        check(wrong.returncode == 1 and wrong.stderr.startswith(f"error: {address}: the token is wrong"), wrong.stderr)
        missing = fxscope("debug", f"{folder}/none.pt2", "--connect", address, input="")
        check(missing.returncode == 1 and "needs the token" in missing.stderr, missing.stderr)
        for arguments in (["debug", *to], ["debug", model, "--upload"], ["debug", model, *to, "--session", "1"]):
            check(fxscope(*arguments, input="").returncode == 2, arguments)
    finally:
        server.terminate()
    check(server.wait(60) == 0, "a server that is told to end does")
    check(fxscope("debug", model, *to, input="").stderr.startswith(f"error: {address}: cannot be connected to"), "nobody is there")

    server, address, line = serve("--listen", "0.0.0.0:0")
    server.terminate()
    check(", token " in line and len(line.split()[-1]) == 32, line)
    check("can be reached from other machines" in server.stderr.read(), "an open port is warned of")
    server.wait(60)


with tempfile.TemporaryDirectory() as name:
    main(pathlib.Path(name))
