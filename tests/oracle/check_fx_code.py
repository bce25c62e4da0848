# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes nodes out of graphs as FX code (`fxscope code MODEL --nodes A,B`) and runs that code with the real torch.fx: it must find the nodes, and
build the same calls in a graph that has only what they read.

    check_fx_code.py FORKED_CLI
"""

import pathlib
import random
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
sys.dont_write_bytecode = True
import torch
import torch.fx

sys.path[:0] = [str(pathlib.Path(__file__).parents[1] / "support"), str(pathlib.Path(__file__).parent / "captured")]
from commands import Commands
import models

ODD = '''
import operator
import torch

def helper(x):
    return x

torch.fx.wrap("helper")

class Odd(torch.nn.Module):
    def forward(self, x, graph, torch_=2.5):
        a = x.to(device=torch.device("cpu"), dtype=torch.float64) + graph
        b = torch.where(a > 0, a, float("-inf")).masked_fill(a < 0, float("nan"))
        c = operator.getitem(b, (slice(None), 0)) + b[..., 1:2, None].sum()
        d = torch.nn.functional.pad(c, [1, 1], mode="constant", value=torch_)
        return {"d": d, "e": [helper(d), d.shape]}
'''


def chosen(graph, generator):
    nodes = [node for node in graph.nodes]
    yield nodes
    for _ in range(3):
        start = generator.randrange(len(nodes))
        yield [node for node in nodes[start : start + 4] if generator.random() < 0.8] or [nodes[start]]


def fault(text, graph, nodes):
    """What is wrong with the code for these nodes of the graph; none: nothing."""
    scope = {"graph": graph, "__name__": "fx_code"}
    exec(text, scope)
    names = text.split("graph.nodes}\n")[1].split(" = nodes[")[0].split(", ")
    if [scope[name] for name in names] != nodes:
        return "finds other nodes"
    code = scope["build"].__code__
    taken = code.co_varnames[1 : code.co_argcount]
    read = []
    for node in nodes:
        read += [each for each in node.all_input_nodes if each not in nodes and each not in read]
    if len(taken) != len(read):
        return f"takes {taken}, where {read} are read"
    fresh = torch.fx.Graph()
    known = {node: fresh.placeholder(f"given_{number}") for number, node in enumerate(read)}
    before = len(fresh.nodes)
    scope["build"](fresh, *known.values())
    made = list(fresh.nodes)[before:]
    if len(made) != len(nodes):
        return f"builds {made}"
    for node, new in zip(nodes, made):
        known[node] = new
        args, kwargs = torch.fx.map_arg((node.args, node.kwargs), lambda each: known[each])
        if (new.op, new.target if new.op != "output" else "output", repr(new.args), repr(new.kwargs)) != (
                node.op, node.target, repr(args), repr(kwargs)):
            return f"builds {new.format_node()} for {node.format_node()}"
    return None


def main():
    commands, failures, generator, count = Commands(sys.argv[1]), [], random.Random(0), 0
    with tempfile.TemporaryDirectory() as scratch:
        odd = pathlib.Path(scratch, "odd.py")
        odd.write_text(ODD)
        sys.path.insert(0, scratch)
        import odd as odd_module

        cases = [(f"{models.__file__}:build('{name}')", make()[0]) for name, make in models.MODELS.items()]
        for model, module in [*cases, (f"{odd}:Odd()", odd_module.Odd())]:
            graph = torch.fx.symbolic_trace(module).graph
            for nodes in chosen(graph, generator):
                done = commands("code", model, "--nodes", ",".join(node.name for node in nodes),
                                "--train" if module.training else "--eval")
                count += 1
                try:
                    why = done.err if done.code else fault(done.out, graph, nodes)
                except Exception as error:
                    why = repr(error)
                if why:
                    failures.append(f"{model}: {[node.name for node in nodes]}: {why}\n{done.out}")
    for failure in failures:
        print(failure)
    print(f"{count - len(failures)} of {count} are right")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
