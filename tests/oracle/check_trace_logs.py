# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiles programs with torch.compile under TORCH_TRACE, opens the folders, and compares what is told of them with what the programs did: frames,
stages, breaks with their places, recompilations; and nodes of one stage with those of the next.

    check_trace_logs.py FORKED_CLI
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from commands import Commands

PROGRAMS = {
    "breaks": '''
import torch
def inner(x):
    y = x.relu()
    print("broken")
    return y * 2
@torch.compile(backend="aot_eager")
def outer(x):
    a = x + 1
    return inner(a) - 1
outer(torch.ones(3))
''',
    "recompiles": '''
import torch
@torch.compile(backend="eager", dynamic=False)
def scaled(x, n):
    return x * n
scaled(torch.ones(3), 2)
scaled(torch.ones(4), 2)
scaled(torch.ones(4), 3)
''',
    "trains": '''
import torch
model = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.GELU(), torch.nn.Linear(3, 2))
@torch.compile(backend="aot_eager")
def loss(x):
    return (model(x) ** 2).mean()
loss(torch.randn(2, 4)).backward()
''',
    "nothing": "import torch\n",
}


def main():
    commands = Commands(sys.argv[1])
    failures = []
    with tempfile.TemporaryDirectory() as scratch:
        folders = {}
        for name, program in PROGRAMS.items():
            source = pathlib.Path(scratch, f"{name}.py")
            source.write_text(program)
            folders[name] = pathlib.Path(scratch, f"{name}_log")
            folders[name].mkdir()
            subprocess.run([sys.executable, source], check=True, capture_output=True,
                           env={**os.environ, "TORCH_TRACE": str(folders[name]), "TORCHINDUCTOR_CACHE_DIR": scratch})

        def expect(what, isTrue, shown):
            if not isTrue:
                failures.append(f"{what}: {shown}")

        def overview(name):
            done = commands("graph", folders[name])
            expect(f"{name} opens", done.code == 0, done.err)
            return done.out, done.err

        text, notes = overview("breaks")
        expect("a break with its place", re.search(r"graph break at inner at breaks\.py:5: ", notes), notes)
        expect("what is left of inner comes after the break",
               re.search(r"%frame_\d_0_dynamo_output_graph : .*resume.*|dynamo_output_graph\]\(args = \(%graph_break_\d", text), text)
        for function in ("outer", "inner"):
            expect(f"the frame of {function}", re.search(rf"compilation \d/0 of {function} at breaks\.py:\d+: graph break", notes), notes)
        text, notes = overview("recompiles")
        expect("three compilations", notes.startswith("note: 3 compilations, 3 graphs, 0 graph breaks, 2 recompilations"), notes)
        expect("why it was compiled again", "size mismatch at index 0. expected 3, actual 4" in notes, notes)
        expect("guards are counted", re.search(r"%frame_0_0_guards : .*\(%frame_0_0_dynamo_output_graph, \d+\)", text), text)

        text, _ = overview("trains")
        order = re.findall(r"target=frame_0_0\.(\w+)\]\(args = \((%\w+)?", text)
        expect("the stages of training", [stage for stage, _ in order][:4] ==
               ["dynamo_output_graph", "aot_joint_graph", "aot_forward_graph", "aot_backward_graph"], text)
        expect("forward and backward come of the joint graph",
               [before for stage, before in order if stage in ("aot_forward_graph", "aot_backward_graph")] ==
               ["%frame_0_0_aot_joint_graph"] * 2, text)
        saved = pathlib.Path(scratch, "trains.fxg")
        done = commands("apply", folders["trains"], "-o", saved, "lint")
        expect("is saved", done.code == 0, done.err)
        for path in ("aot_forward_graph", "dynamo_output_graph"):
            done = commands("graph", saved, "--module", f"frame_0_0.{path}")
            expect(f"{path} opens", done.code == 0 and "return" in done.out, done.err + done.out)
        with zipfile.ZipFile(saved) as archive:
            held = "".join(archive.read(name).decode("utf-8", "replace") for name in archive.namelist() if name.endswith(".json"))
        links = re.findall(r'"frame_0_0\.(\w+)"', held)
        expect("nodes know their counterparts", links.count("aot_joint_graph") > 10 and links.count("aot_backward_graph") > 3,
               {name: links.count(name) for name in set(links)})

        log = next(folders["breaks"].glob("*.log"))
        done = commands("graph", log)
        expect("one log opens alone", done.code == 0 and "%graph_break_1" in done.out, done.err)
        cut = pathlib.Path(scratch, "cut.log")
        whole = log.read_bytes()
        for size in (len(whole) // 3, len(whole) - 40):
            cut.write_bytes(whole[:size])
            done = commands("graph", cut)
            expect(f"a log that was cut off at {size}", done.code == 0, done.err)
        printed = pathlib.Path(scratch, "printed.txt")
        printed.write_text('class GraphModule(torch.nn.Module):\n    def forward(self, x: "f32[2][1]cpu"):\n'
                           '        w: "f32[2][1]cpu" = self.w\n        y: "f32[2][1]cpu" = torch.add(x, w)\n        return y\n')
        mine = pathlib.Path(scratch, "mine.py")
        mine.write_text("def rename(gm):\n    print(gm.w.shape)\n    next(iter(gm.graph.nodes)).name = 'renamed'\n")
        done = commands("apply", printed, f"{mine}:rename")
        expect("a pass changes a graph whose weights have no values", done.code == 0 and "torch.Size([2])" in done.out, done.err)
        empty = commands("graph", folders["nothing"])
        expect("a folder without logs is refused", empty.code == 1 and "is a folder" in empty.err, empty.err)
        (folders["nothing"] / "dedicated_log_torch_trace_abcdefgh.log").write_text("V1125 18:02:49.303000 1 torch/x.py:1] {\"str\": [\"a.py\", 0]}\n")
        empty = commands("graph", folders["nothing"])
        expect("so is one that tells of nothing", empty.code == 1 and "tells of no compilation" in empty.err, empty.err)
    for failure in failures:
        print(failure)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
