# SPDX-License-Identifier: GPL-3.0-or-later
"""Replaces patterns with the real torch.fx and writes what comes of it, with the graphs that went in.

    make_replaces.py FILE.json [COUNT]

Each file of replaces/ is a case with the names `model`, `pattern` and `replacement`: functions, modules or graphs, and perhaps
    OPTIONS  keyword arguments of replace_pattern_with_filters
    FILTER   {"placeholder": i, "is": value}: a match filter on what the pattern's input i stands for
    CHOICE   the same with "then" and "else", the replacements of a callback
    MATCH    keyword arguments of the SubgraphMatcher, which then runs alone
COUNT random cases follow. Graphs are written node by node and made again from that before anything is done with them, as
tests/core/rewrite/tst_replaces.cpp makes them, so that both begin with the same names.
"""

import importlib.util
import json
import operator
import pathlib
import random
import sys
import types
import warnings

warnings.filterwarnings("ignore")
import torch
from torch.fx.passes.utils.matcher_utils import SubgraphMatcher
from torch.fx.subgraph_rewriter import replace_pattern_with_filters

HERE = pathlib.Path(__file__).parent

# --- A graph with its modules as JSON.


def target_text(target):
    if isinstance(target, str):
        return target
    if isinstance(target, torch._ops.OpOverload):
        return f"torch.ops.{target}"
    name = torch.fx.node._get_qualified_name(target)
    return name.replace("_operator.", "operator.", 1) if name.startswith("_operator.") else name


def value_json(value, index):
    if isinstance(value, torch.fx.Node):
        return {"node": index[value]}
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return {"float": str(value)}
    if isinstance(value, (list, tuple)):
        return {"list" if isinstance(value, list) else "tuple": [value_json(v, index) for v in value]}
    if isinstance(value, dict):
        return {"dict": [[value_json(k, index), value_json(v, index)] for k, v in value.items()]}
    if isinstance(value, slice):
        return {"slice": [value_json(v, index) for v in (value.start, value.stop, value.step)]}
    for kind, tag in ((torch.dtype, "dtype"), (torch.device, "device"), (torch.memory_format, "memory_format")):
        if isinstance(value, kind):
            return {tag: str(value)}
    if value is Ellipsis:
        return {"ellipsis": True}
    assert value is None or isinstance(value, (bool, int, float, str)), value
    return value


def module_json(gm):
    index, nodes = {}, []
    for n in gm.graph.nodes:
        nodes.append({
            "op": n.op, "target": target_text(n.target), "name": n.name, "type": torch.fx.node._type_repr(n.type) if n.type else None,
            "args": [value_json(a, index) for a in n.args], "kwargs": [[k, value_json(v, index)] for k, v in n.kwargs.items()],
        })
        index[n] = len(index)
    return {"class": type(gm).__name__, "nodes": nodes, **tree(gm)}


def tree(gm):
    """The modules below the root, and what is registered or read by a node."""
    read = {n.target for n in gm.graph.nodes if n.op == "get_attr"}
    out = {"modules": [], "tensors": [], "values": []}
    for path, module in gm.named_modules():
        if path:
            out["modules"].append([path, f"{type(module).__module__}.{type(module).__qualname__}"])
        place = path + "." if path else ""
        out["tensors"] += [[place + name, "parameter"] for name, t in module._parameters.items() if t is not None]
        out["tensors"] += [[place + name, "buffer"] for name, t in module._buffers.items() if t is not None]
        for name, value in vars(module).items():
            if isinstance(value, torch.Tensor):
                out["tensors"].append([place + name, "constant"])
            elif place + name in read and isinstance(value, (int, float)):
                out["values"].append([place + name, value])
    return out


def rebuilt(gm):
    """The same graph as a loader of that JSON makes it: each node created in order with its name as a wish."""
    graph, copies = torch.fx.Graph(), {}
    for n in gm.graph.nodes:
        args, kwargs = (torch.fx.map_arg(part, lambda read: copies[read]) for part in (n.args, n.kwargs))
        copies[n] = graph.create_node(n.op, n.target, args, kwargs, n.name, n.type)
    gm.graph = graph
    return gm


def as_module(what):
    """The graph module, and whether torch.fx is given it as a module."""
    if isinstance(what, torch.fx.GraphModule):
        return rebuilt(what), True
    if isinstance(what, torch.nn.Module):
        return rebuilt(torch.fx.symbolic_trace(what)), True
    if isinstance(what, torch.fx.Graph):
        return rebuilt(torch.fx.GraphModule(torch.nn.Module(), what)), False
    return rebuilt(torch.fx.symbolic_trace(what)), False


# --- One case.


def value_text(value):
    return value.name if isinstance(value, torch.fx.Node) else repr(value)


def match_json(anchor, nodes_map):
    return {"anchor": anchor.name, "nodes": [[n.name, value_text(v)] for n, v in nodes_map.items()]}


def condition(rule):
    def holds(match, *_):
        value = match.placeholder_nodes[rule["placeholder"]]
        return type(value) is type(rule["is"]) and value == rule["is"]

    return holds


def keeps_erased(graph):
    """torch.fx forgets that what a list holds may have been replaced; then the graph reads a node that is gone."""
    return any(read._erased for n in graph.nodes for read in n.all_input_nodes)


def is_source(case):
    """Whether `fxscope replace` can be asked for the case: functions and modules that it can trace, and no options."""
    parts = [getattr(case, name, None) for name in ("model", "pattern", "replacement")]
    is_traced = [isinstance(p, (types.FunctionType, torch.nn.Module)) and not isinstance(p, torch.fx.GraphModule) for p in parts]
    return all(is_traced) and not any(hasattr(case, name) for name in ("OPTIONS", "FILTER", "CHOICE", "MATCH"))


def run(name, case):
    model, _ = as_module(case.model)
    pattern, _ = as_module(case.pattern)
    row = {"name": name, "model": module_json(model), "pattern": module_json(pattern), "expected": {}}
    expected = row["expected"]
    row["is_source"] = is_source(case)
    options = dict(getattr(case, "OPTIONS", {}))
    row["options"] = dict(options)
    if hasattr(case, "MATCH"):
        row["match"] = case.MATCH
        try:
            matches = SubgraphMatcher(pattern.graph, **case.MATCH).match(model.graph)
            expected["matches"] = [match_json(m.anchors[0], m.nodes_map) for m in matches]
        except Exception as error:
            expected["error"] = [type(error).__name__, str(error)]
        return row
    replacement = getattr(case, "replacement", None)
    if replacement is not None:
        replacement, row["is_module"] = as_module(replacement)
        row["replacement"] = module_json(replacement)
        replacement = replacement if row["is_module"] else replacement.graph
    if hasattr(case, "FILTER"):
        row["filter"] = case.FILTER
        options["match_filters"] = [condition(case.FILTER)]
    if hasattr(case, "CHOICE"):
        graphs = {key: as_module(case.CHOICE[key])[0] for key in ("then", "else")}
        row["choice"] = case.CHOICE | {key: module_json(gm) for key, gm in graphs.items()}
        holds = condition(case.CHOICE)
        options["replacement_callback"] = lambda match, *_: graphs["then" if holds(match) else "else"].graph
    try:
        replaced = replace_pattern_with_filters(model, pattern, replacement, **options)
    except SyntaxError:
        return None  # the result is no Python, as `1.sum()`; torch.fx compiles it at once
    except Exception as error:
        expected["error"] = [type(error).__name__, str(error)]
        return row
    if keeps_erased(model.graph):
        return None
    expected["matches"] = [match_json(m.anchor, m.nodes_map) | {"replacements": [n.name for n in m.replacements]} for m in replaced]
    expected["graph"] = str(model.graph)
    expected["code"] = model.graph.python_code("self").src
    expected["users"] = [[u.name for u in n.users] for n in model.graph.nodes]
    if row.get("is_module"):
        expected["tree"] = tree(model)
    return row


def cases():
    for path in sorted((HERE / "replaces").glob("*.py")):
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        yield path.stem, module


# --- Random cases.

UNARY = [torch.relu, torch.neg]
BINARY = [torch.add, operator.mul]


class RandomCase:
    """A graph of few functions, so that much is alike, and a pattern that is often a piece of it."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.model = self.graph(self.random.randrange(1, 4), self.random.randrange(4, 25), self.random.randrange(1, 4))
        self.pattern = self.piece() if self.random.random() < 0.75 else self.graph(self.random.randrange(1, 3), self.random.randrange(1, 4), self.random.choice([1, 1, 2]))
        inputs = sum(n.op == "placeholder" for n in self.pattern.nodes)
        output = next(iter(reversed(self.pattern.nodes)))
        results = len(output.all_input_nodes) if self.random.random() < 0.95 else 1
        if self.random.random() < 0.03:
            inputs += 1
        self.replacement = self.graph(inputs, self.random.randrange(0, 5), results, alive=False)
        self.OPTIONS = {"ignore_literals": True} if self.random.random() < 0.15 else {}
        if self.random.random() < 0.2:
            names = ["match_output", "match_placeholder", "remove_overlapping_matches", "ignore_literals"]
            self.MATCH = {name: self.random.random() < 0.5 for name in names}

    def call(self, graph, values):
        kind = self.random.random()
        pick = lambda: self.random.choice(values)
        other = lambda: pick() if self.random.random() < 0.8 else self.random.choice([1, 1.0, True, 2, None])
        if kind < 0.4:
            return graph.call_function(self.random.choice(UNARY), (pick(),))
        if kind < 0.75:
            return graph.call_function(self.random.choice(BINARY), (pick(), other()))
        if kind < 0.85:
            return graph.call_method("sum", (pick(),), {"dim": other()} if self.random.random() < 0.5 else {})
        if kind < 0.93:
            return graph.call_function(torch.cat, ([pick() for _ in range(self.random.choice([1, 2, 2]))],))
        return graph.call_function(torch.ops.aten.add.Tensor, (pick(), pick()), {"alpha": 1} if self.random.random() < 0.3 else {})

    def graph(self, inputs, calls, results, alive=True):
        graph = torch.fx.Graph()
        values = [graph.placeholder(f"x{i}") for i in range(inputs)] or [graph.call_function(torch.rand, (2,))]
        for _ in range(calls):
            values.append(self.call(graph, values[-8:]))
        unread = [v for v in values if not v.users and v.op != "placeholder"] if alive else []
        returned = (unread + self.random.sample(values, min(len(values), results)))[: max(results, len(unread))]
        graph.output(tuple(returned) if len(returned) > 1 or self.random.random() < 0.1 else returned[0])
        return graph

    def piece(self):
        """Some nodes of the model that hang together, with what they read as inputs."""
        chosen = {self.random.choice([n for n in self.model.nodes if n.op not in ("placeholder", "output")])}
        for _ in range(self.random.randrange(4)):
            near = {m for n in chosen for m in [*n.all_input_nodes, *(n.users if self.random.random() < 0.4 else ())]}
            near = [n for n in self.model.nodes if n in near and n not in chosen and n.op not in ("placeholder", "output")]
            if near:
                chosen.add(self.random.choice(near))
        graph, copies = torch.fx.Graph(), {}
        nodes = [n for n in self.model.nodes if n in chosen]
        for read in dict.fromkeys(m for n in nodes for m in n.all_input_nodes if m not in chosen):
            copies[read] = graph.placeholder(f"p{len(copies)}")
        for n in nodes:
            copies[n] = graph.node_copy(n, lambda m: copies[m])
            if len(n.args) == 2 and not isinstance(n.args[1], (torch.fx.Node, list)) and self.random.random() < 0.3:
                copies[n].update_arg(1, graph_input(graph))
        results = [copies[n] for n in nodes if not copies[n].users or (len(nodes) > 1 and self.random.random() < 0.2)]
        graph.output(tuple(results) if len(results) > 1 else results[0])
        return graph


def graph_input(graph):
    """One more input in place of a constant."""
    with graph.inserting_before(next(iter(graph.nodes))):
        return graph.placeholder(f"c{len(graph.nodes)}")


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 400
    rows = [run(name, case) for name, case in cases()]
    rows += [run(f"random_{seed}", RandomCase(seed)) for seed in range(count)]
    rows = [row for row in rows if row]
    pathlib.Path(sys.argv[1]).write_text(json.dumps(rows))
    found = [row for row in rows if row["expected"].get("matches")]
    refused = [row for row in rows if "error" in row["expected"]]
    print(f"{len(rows)} cases in {sys.argv[1]}: {len(found)} with matches, {len(refused)} refused")


if __name__ == "__main__":
    main()
