# SPDX-License-Identifier: GPL-3.0-or-later
"""Decomposes calls with the real torch.fx, by running functions on proxies, and writes what comes of it.

    make_decompositions.py FILE.json

Each file of decompositions/ has a `model` and a dict `rules` from functions to functions.
"""

import contextlib
import importlib.util
import inspect
import json
import pathlib
import sys
import warnings

warnings.filterwarnings("ignore")
import torch
from torch.fx.proxy import GraphAppendingTracer

HERE = pathlib.Path(__file__).parent


def taken(rule, node):
    """The keywords of a call for a rule: what it does not take is left out if it is the default."""
    parameters = inspect.signature(rule).parameters
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return node.kwargs
    with contextlib.suppress(ValueError):
        known = inspect.signature(node.target).parameters
        return {k: v for k, v in node.kwargs.items() if k in parameters or k not in known or v != known[k].default}
    return node.kwargs


def decompose(gm, rules):
    """A new graph in which each call that has a rule is what the rule does with proxies of its arguments."""
    graph, copies = torch.fx.Graph(), {}
    tracer = GraphAppendingTracer(graph)
    for node in gm.graph.nodes:
        if node.op == "call_function" and node.target in rules:
            as_proxies = lambda part: torch.fx.map_arg(part, lambda read: torch.fx.Proxy(copies[read], tracer))
            rule = rules[node.target]
            copies[node] = rule(*as_proxies(node.args), **as_proxies(taken(rule, node))).node
        else:
            copies[node] = graph.node_copy(node, lambda read: copies[read])
    return torch.fx.GraphModule(gm, graph)


def main():
    rows = []
    for path in sorted((HERE / "decompositions").glob("*.py")):
        spec = importlib.util.spec_from_file_location(path.stem, path)
        case = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(case)
        row = {"name": path.stem}
        try:
            gm = decompose(torch.fx.symbolic_trace(case.model), case.rules)
            row |= {"graph": str(gm.graph), "code": gm.code}
        except Exception as error:
            row["error"] = [type(error).__name__, str(error)]
        rows.append(row)
    pathlib.Path(sys.argv[1]).write_text(json.dumps(rows))
    print(f"{len(rows)} cases in {sys.argv[1]}")


if __name__ == "__main__":
    main()
