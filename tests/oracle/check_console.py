# SPDX-License-Identifier: GPL-3.0-or-later
"""Types lines about the graph into `fxscope debug`, and into Python's own prompt over the real torch.fx, and compares what each line prints.

    check_console.py FORKED_CLI

Python keeps what a line that fails has done until then; fxscope takes it back, which the lines after `!` show.
"""

import builtins
import contextlib
import io
import operator
import pathlib
import re
import sys
import tempfile

import torch
import torch.fx

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from commands import Commands

SOURCE = """
import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.act = nn.Linear(4, 4), nn.ReLU()
        self.scale = nn.Parameter(torch.ones(4))

    def forward(self, x):
        y = torch.relu(self.fc(x))
        return self.act(y + F.relu(x)) * self.scale + torch.relu(y).sum()
"""

SHOWN = ["print(graph)", "print(gm.code)"]
# Each talk begins with the model as it was opened. After "?" nothing may have changed, after "!" the line fails, and nothing has.
TALKS = {
    "looking": [
        "? gm.graph is graph", "? nodes['relu_1']", "? nodes['relu_1'].target", "? nodes['relu'].args, nodes['relu'].users", "? len(nodes), len(graph.nodes)",
        "? [n.name for n in nodes if n.op == 'call_module']", "? list(graph.nodes)[1].format_node()", "? nodes[-1].args", "? 'relu' in nodes",
        "? type(gm).__mro__[1].__name__", "? gm.fc", "? graph.find_nodes(op='call_function', target=torch.relu)", "? next(iter(graph.nodes))",
        "? nodes['fc'].meta.get('nothing')", "? for n in graph.nodes: print(n.op, n.name, n.target)", "? graph.lint()", "? sum(p.numel() for p in gm.parameters())",
        "? type(nodes['fc']), isinstance(graph, torch.fx.Graph)", "p nodes['add'].all_input_nodes", "? {n.op for n in graph.nodes} >= {'call_module'}",
    ],
    "retargeting": ["for n in graph.find_nodes(op='call_function', target=torch.relu): n.target = torch.nn.functional.gelu", *SHOWN],
    "erasing": ["r = nodes['relu_1']; r.replace_all_uses_with(r.args[0]); graph.erase_node(r)", *SHOWN, "len(nodes)"],
    "inserting": [
        "with graph.inserting_after(nodes['fc']): nodes['relu'].args = (graph.call_function(torch.neg, (nodes['fc'],)),)", *SHOWN,
        "nodes['neg']", "nodes['neg'].target = torch.abs", "nodes['neg'].prev, nodes['neg'].next", "print(graph)",
    ],
    "remembering": [
        "? a = nodes['fc']", "? a.op", "? import operator as op", "? def sums(): return [n for n in graph.nodes if n.target is op.add]", "? sums()",
        "sums()[0].target = op.sub", "a, a.next", "? n = nodes['relu']", "n.target = torch.tanh", "graph.python_code('self').src", "n.target",
    ],
    "new graphs": [
        "gm = torch.fx.Transformer(gm).transform()", *SHOWN, "graph.eliminate_dead_code()",
        "with graph.inserting_before(nodes['output']): graph.call_function(torch.zeros, (2,))", "graph.eliminate_dead_code()", "print(graph)",
    ],
    "replacing": [
        "? from torch.fx import replace_pattern", "replace_pattern(gm, lambda x: torch.relu(x), lambda x: torch.sigmoid(x)) and None", "print(graph)",
    ],
    "modules": [
        "gm.add_submodule('extra', torch.nn.Tanh())", "with graph.inserting_after(nodes['act']): print(graph.call_module('extra', (nodes['act'],)))",
        "print(graph)", "gm.extra", "gm.act = torch.nn.GELU(); print(gm.act)", "gm.act", "with torch.no_grad(): gm.fc.weight.fill_(0.5) is None", "gm.fc.weight.sum().item()",
    ],
    "failing": [
        "! graph.erase_node(nodes['relu'])", "! nodes['nothing']", "! graph.nothing", "! for n in graph.nodes: n.name = n.name + 1",
        "! nodes['fc'].target = 'act'; raise ValueError('no more')", "! for n in graph.nodes: print(n.name); 1 / 0", "? nodes['fc'].target", *SHOWN,
    ],
}


class NodesByName:
    """What `nodes` is in the console."""

    def __init__(self, graph):
        self.graph = graph

    def __getitem__(self, key):
        return list(self.graph.nodes)[key] if isinstance(key, int) else {node.name: node for node in self.graph.nodes}[key]

    def __contains__(self, key):
        return key in [node.name for node in self.graph.nodes]

    def __iter__(self):
        return iter(self.graph.nodes)

    def __len__(self):
        return len(self.graph.nodes)


def plain(line):
    return line.removeprefix("p ").lstrip("?! ")


def fresh():
    torch.manual_seed(0)
    names = {}
    exec(SOURCE, names)
    return torch.fx.symbolic_trace(names["Net"]().eval())


def by_python(lines):
    """What each line prints, or the last line of what it raises."""
    gm = fresh()
    names = {"torch": torch, "operator": operator}
    said = []
    for line in lines:
        if not line.startswith("!"):
            kept = gm
        names |= {"gm": gm, "graph": gm.graph, "nodes": NodesByName(gm.graph)}
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            try:
                exec(compile(plain(line) + "\n", "console", "single"), names)
            except Exception as error:
                out.write(f"{type(error).__name__}: {error}")
        gm = names["gm"]
        if line.startswith("!"):
            gm = fresh()  # failing lines stand among those that change nothing
        elif not line.startswith("?") and kept is not None:
            gm.recompile()
        said.append(out.getvalue().strip("\n"))
    builtins.__dict__.pop("_", None)
    return said


def by_fxscope(commands, lines, folder):
    model, script, values = pathlib.Path(folder, "model.py"), pathlib.Path(folder, "script"), "x=linspace(-1,1,8).reshape(2,4)"
    model.write_text(SOURCE)
    script.write_text("".join(line.lstrip("?! ") + "\n" for line in lines))
    done = commands("debug", f"{model}:Net()", "--eval", "--input", values, "--commands", script)
    parts = re.split(r"^\(fx\) .*\n", done.out, flags=re.MULTILINE)[1:]
    if len(parts) != len(lines):
        sys.exit(f"{len(parts)} answers to {len(lines)} lines:\n{done.out}{done.err}")
    return [part.strip("\n") for part in parts]


def fault_of(line, here, there):
    here, there = (re.sub(r"\b0x[0-9a-f]{6,}", "0x...", text) for text in (here, there))
    changed = re.search(r"^the graph has changed: .*$", here, flags=re.MULTILINE)
    if changed:
        here = (here[: changed.start()] + here[changed.end() :]).strip("\n")
    if line.startswith("!"):
        if changed:
            return "it has changed the graph"
        return "" if here.rpartition("*** ")[1] and " ".join(there.splitlines()[-1].split()) in " ".join(here.split()) else "other fault"
    if line.startswith("?") and changed:
        return "it has changed the graph"
    return "" if here == there else "other text"


def main():
    commands = Commands(sys.argv[1], OMP_NUM_THREADS="1")
    torch.set_num_threads(1)
    count = same = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, lines in TALKS.items():
            for line, here, there in zip(lines, by_fxscope(commands, lines, folder), by_python(lines)):
                count += 1
                fault = fault_of(line, here, there)
                same += not fault
                if fault:
                    print(f"{name}: {line}: {fault}\n  here:  {here}\n  there: {there}")
    print(f"{same} of {count} lines say the same")
    return 0 if same == count else 1


if __name__ == "__main__":
    sys.exit(main())
