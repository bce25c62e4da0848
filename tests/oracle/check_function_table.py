#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks the rules of core/torch/tables/functions.txt against torch.fx: every function in it is called while tracing, in
# several styles of passing arguments, and the node must have the target and the arguments that the rule foretells.
# Usage: check_function_table.py FUNCTIONS.TXT TENSOR_MEMBERS.TXT
import inspect
import random
import sys
import warnings

warnings.simplefilter("ignore")
import torch
import torch.signal.windows
import torch.sparse
from torch import fx, inf, nan  # noqa: F401  (defaults of signatures)
from torch.fx.node import _get_qualified_name as qualified_name

REFUSED = object()


def read_rows(path):
    """Each row as its words and its indented lines; a row that is the same as another points to its lines."""
    rows = {}
    for line in open(path):
        if line.startswith("#"):
            continue
        if line.startswith("  "):
            rows[name]["lines"].append(line.strip())
            continue
        words = line.split()
        name = words[1]
        rows[name] = {"kind": words[0], "name": name, "lines": []}
        rows[name]["target"] = words[2] if len(words) > 2 and words[2] != "=" else name
    for row in rows.values():
        if row["kind"] == "same":
            row.update(rows[row["target"]] | {"name": row["name"]})
    return rows


def signature_of(row):
    return inspect.signature(eval(f"lambda {row['lines'][0][1:-1]}: 0"))


def split_words(line, label):
    return [word for word in line.removeprefix(label).strip().split(", ") if word]


def foretold(row, args, kwargs):
    """Target, args and kwargs of the node by the rule of the row."""
    bound = signature_of(row).bind(*args, **kwargs)
    bound.apply_defaults()
    values = bound.arguments

    def value(word):
        return values[word] if word in values else eval(word)

    recorded_args, recorded_kwargs = [], {}
    for word in split_words(row["lines"][2], "records"):
        key, equals, name = word.partition("=")
        if word.startswith("*"):
            recorded_args += values[word[1:]]
        elif equals:
            recorded_kwargs[key] = value(name)
        else:
            recorded_args.append(value(word))
    return row["target"], tuple(recorded_args), recorded_kwargs


def resolve(rows, row, args, kwargs):
    """The row that a switch leads to with these arguments."""
    while row["kind"] == "switch":
        _, flag, position, default = row["lines"][0].split()
        position = int(position)
        on = kwargs.get(flag, args[position] if position < len(args) else eval(default))
        row = rows[row["lines"][1 if on else 2].split()[1]]
    return row


def traced(function, arrange):
    """The last call in the graph of `function` called with what `arrange` makes of a Proxy, and those arguments."""
    given = {}

    def forward(x):
        given["args"], given["kwargs"] = arrange(x)
        return function(*given["args"], **given["kwargs"])

    try:
        graph = fx.symbolic_trace(forward).graph
    except Exception:  # PyTorch refuses these arguments
        return REFUSED, None, None
    calls = [node for node in graph.nodes if node.op.startswith("call_")]
    if not calls:
        return REFUSED, None, None
    as_nodes = lambda tree: fx.node.map_aggregate(tree, lambda a: a.node.name if isinstance(a, fx.Proxy) else a)
    as_names = lambda tree: fx.node.map_aggregate(tree, lambda a: a.name if isinstance(a, fx.Node) else a)
    node = calls[-1]
    target = node.target if isinstance(node.target, str) else qualified_name(node.target)
    return (target, as_names(node.args), as_names(node.kwargs)), as_nodes(tuple(given["args"])), as_nodes(given["kwargs"])


def arrangements(row, parameters, checks, generator):
    """Ways of calling: a Proxy in each checked parameter and others in all of them; few, many and named arguments."""
    flags = ("return_indices",)

    def arrange(holders, style):
        seed = generator.random()

        def with_proxy(x):
            chance = random.Random(seed)
            args, kwargs, named = [], {}, False
            for number, p in enumerate(parameters):
                fresh = x if p.name in holders else chance.choice([True, False]) if p.name in flags else 100 + number
                if p.kind is p.VAR_POSITIONAL:
                    args += [x, 7, x] if p.name in holders else []
                    continue
                optional = p.default is not p.empty and p.name not in holders
                if p.kind is p.VAR_KEYWORD or optional and (style == "few" or chance.random() < 0.3):
                    named = True
                elif p.kind is p.KEYWORD_ONLY or (named or style == "named") and p.kind is not p.POSITIONAL_ONLY:
                    kwargs[p.name] = fresh
                    named = True
                else:
                    args.append(fresh)
            return args, kwargs

        return with_proxy

    for style in ("few", "many", "named", "many"):
        for holders in [{name} for name in checks] + [set(checks)]:
            yield arrange(holders, style)


def check_rule(rows, row, generator):
    """The number of calls compared; stops at the first that the rule does not foretell."""
    function = eval(row["name"])
    rule = resolve(rows, row, [], {})
    parameters = list(signature_of(rule).parameters.values())
    checks = [word.lstrip("*") for word in split_words(rule["lines"][1], "checks")]
    count = 0
    for arrange in arrangements(row, parameters, checks, generator):
        node, args, kwargs = traced(function, arrange)
        if node is REFUSED:
            continue
        expected = foretold(resolve(rows, row, args, kwargs), args, kwargs)
        if node != expected or repr(node) != repr(expected):
            sys.exit(f"{row['name']}: torch.fx records {node}, the table {expected}")
        count += 1
    if not count:
        sys.exit(f"{row['name']}: torch.fx accepts no call of it")
    return count


def check_builtin(row):
    """Whether some call of a function written in C is recorded, with the arguments as written and the target told."""
    function = eval(row["name"])
    for shape in (lambda x: x, lambda x: [x]):
        for count in range(1, 25):
            node, args, kwargs = traced(function, lambda x: ([shape(x)] * count, {}))
            if node is not REFUSED:
                if node != (row["target"], args, kwargs):
                    sys.exit(f"{row['name']}: torch.fx records {node}, not {row['target']} {args}")
                return 1
    return 0


def check_member(row):
    """Whether a method of a real tensor is recorded as told when a Proxy is an argument."""
    method = getattr(torch.ones(2), row["name"])
    if row["kind"] == "python" and split_words(row["lines"][1], "checks") == ["self"]:
        return 0
    for count in range(1, 5):
        node, args, _ = traced(method, lambda x: ([x] * count, {}))
        if node is not REFUSED:
            if row["kind"] == "python":
                expected = foretold(row, ("_tensor_constant0", *args), {})
            else:
                expected = row["target"], ("_tensor_constant0", *args), {}
            if node != expected:
                sys.exit(f"Tensor.{row['name']}: torch.fx records {node}, the table {expected}")
            return 1
    return 0


def main(functions_path, members_path):
    rows, generator, rules, calls, builtins = read_rows(functions_path), random.Random(4), 0, 0, 0
    members = sum(check_member(row) for row in read_rows(members_path).values() if row["kind"] in ("method", "python"))
    for row in rows.values():
        if row["kind"] in ("python", "switch"):
            calls += check_rule(rows, row, generator)
            rules += 1
        elif row["kind"] == "builtin":
            builtins += check_builtin(row)
    if rules < 150 or builtins < 1200 or members < 390:
        sys.exit(f"only {rules} rules, {builtins} functions in C and {members} methods could be compared")
    print(f"{rules} rules hold in {calls} calls; {builtins} functions in C and {members} methods are recorded as told")


if __name__ == "__main__":
    main(*sys.argv[1:])
