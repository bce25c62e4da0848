# SPDX-License-Identifier: GPL-3.0-or-later
"""Edits graphs at random with the real torch.fx and writes each step with what torch.fx then prints.

    make_edits.py FILE.json [COUNT]

A script is a list of steps {"verb", ...}; nodes are named by the order of their creation. After each step: "state" (the graph's
text and the users of each node), now and then "code" and "table", the "error" if the verb refused, the "result" of a question.
tests/core/module/tst_edit_scripts.cpp does the same with core.
"""

import collections
import contextlib
import json
import math
import operator
import pathlib
import random
import sys
import typing
import warnings

warnings.filterwarnings("ignore")
import torch

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from texts import table

Pair = collections.namedtuple("Pair", "left right")

FUNCTIONS = {
    "torch.relu": torch.relu, "torch.add": torch.add, "operator.add": operator.add, "operator.getitem": operator.getitem,
    "operator.iadd": operator.iadd, "operator.setitem": operator.setitem, "operator.neg": operator.neg,
    "operator.abs": operator.abs, "operator.not_": operator.not_,
    "math.sqrt": math.sqrt, "getattr": getattr, "sum": sum, "torch.nn.functional.relu": torch.nn.functional.relu,
    "torch._C._nn.linear": torch.nn.functional.linear, "torch.conv2d": torch.conv2d, "torch._assert": torch._assert,
    "torch.ops.aten.add.Tensor": torch.ops.aten.add.Tensor, "torch.ops.aten.sum.dim_IntList": torch.ops.aten.sum.dim_IntList,
    "torch.ops.aten.add_.Tensor": torch.ops.aten.add_.Tensor, "torch.ops.aten._assert_async.msg": torch.ops.aten._assert_async.msg,
    "torch.ops.higher_order.cond": torch.ops.higher_order.cond, "torch.Tensor.add": torch.Tensor.add,
}
METHODS = ["view", "relu", "add_", "__getitem__", "sum", "T"]
MODULES = ["sub.lin", "relu", "layers.0"]
ATTRIBUTES = ["w", "b", "sub.lin.weight", "sub"]
NAMES = ["x", "y", "add", "add_1", "x_01", "sum", "for", "1abc", "seq.0", "", "_", "_2", "inf", "input", "list", "foo_1_1",
         "BatchNorm2d", "torch", "__init__", "a b", "größe", "self_1", "getattr", "x_5", "_operator_abs", "math_sqrt"]
TYPES = {"int": int, "torch.Tensor": torch.Tensor, "typing.List[int]": typing.List[int],
         "typing.Dict[str, torch.Tensor]": typing.Dict[str, torch.Tensor], "typing.Optional[int]": typing.Optional[int]}
# (what Python holds, how core's JSON says it)
CONSTANTS = [
    (None, None), (True, True), (False, False), (0, 0), (-7, -7), (2**62, 2**62), (0.1, 0.1), (1e-5, 1e-5), (1e16, 1e16), (1e17, 1e17),
    (123456789.0, 123456789.0), (-0.0, -0.0), (1e22, 1e22), (3.0, 3.0), (math.inf, {"float": "inf"}), (-math.inf, {"float": "-inf"}),
    (math.nan, {"float": "nan"}), (2j, {"complex": [0.0, 2.0]}), (1 - 0.5j, {"complex": [1.0, -0.5]}), ("", ""), ("text", "text"),
    ("it's", "it's"), ('both \' and "', 'both \' and "'), ("back\\slash", "back\\slash"), ("ü\u200b\x07", "ü\u200b\x07"), ("shape", "shape"),
    (torch.float16, {"dtype": "torch.float16"}), (torch.bool, {"dtype": "torch.bool"}), (torch.float8_e5m2, {"dtype": "torch.float8_e5m2"}),
    (torch.device("cpu"), {"device": "cpu"}), (torch.device("cuda:1"), {"device": "cuda:1"}), (torch.strided, {"layout": "torch.strided"}),
    (torch.sparse_coo, {"layout": "torch.sparse_coo"}), (torch.channels_last, {"memory_format": "torch.channels_last"}),
    (Ellipsis, {"ellipsis": True}), (range(3), {"range": [0, 3, 1]}), (range(5, 0, -2), {"range": [5, 0, -2]}),
    (torch.ops.aten.add.Tensor, {"function": "torch.ops.aten.add.Tensor"}),
]


class Script:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.gm = torch.fx.GraphModule({}, torch.fx.Graph())
        self.gm.add_submodule("sub.lin", torch.nn.Linear(2, 2))
        self.gm.add_submodule("relu", torch.nn.ReLU())
        self.gm.add_submodule("layers.0", torch.nn.Tanh())
        self.gm.w = torch.nn.Parameter(torch.zeros(2))
        self.gm.register_buffer("b", torch.zeros(2))
        self.graph = self.gm.graph
        self.nodes, self.index = [], {}
        self.has_named_tuples = seed % 5 == 0
        self.steps = []

    # --- Parts of steps: each gives Python's form and core's.

    def live(self):
        return [n for n in self.graph.nodes]

    def pick(self):
        return self.random.choice(self.live())

    def node(self):
        n = self.pick()
        return n, {"node": self.index[n]}

    def argument(self, depth=0):
        kind = self.random.randrange(12 if depth < 3 else 8)
        if kind < 5 and self.live():
            return self.node()
        if kind < 8:
            return self.random.choice(CONSTANTS)
        items = [self.argument(depth + 1) for _ in range(self.random.randrange(4))]
        values, forms = [v for v, _ in items], [f for _, f in items]
        if kind == 8:
            return values, {"list": forms}
        if kind == 9:
            return tuple(values), {"tuple": forms}
        if kind == 10:
            keys = ["k", "other key", 3, "f"][: len(items)]
            return dict(zip(keys, values)), {"dict": [[k, f] for k, f in zip(keys, forms)]}
        if self.has_named_tuples and len(items) == 2 and depth == 0:
            return Pair(*values), {"named_tuple": [f"{Pair.__module__}.Pair", forms]}
        parts = (items + [(None, None)] * 3)[:3]
        return slice(*[v for v, _ in parts]), {"slice": [f for _, f in parts]}

    def arguments(self, least=0):
        items = [self.argument() for _ in range(self.random.randrange(least, 4))]
        return tuple(v for v, _ in items), [f for _, f in items]

    def keywords(self):
        items = {k: self.argument() for k in self.random.sample(["dim", "alpha", "out", "input"], self.random.choice([0, 0, 0, 1, 2]))}
        return {k: v for k, (v, _) in items.items()}, [[k, f] for k, (_, f) in items.items()]

    def operator_arguments(self, name):
        """Enough of them for the functions that are printed as operators."""
        least = {"operator.setitem": 3, "getattr": 2, "operator.neg": 1, "operator.abs": 1, "operator.not_": 1}.get(name, 2)
        items = [self.argument() for _ in range(least)]
        if name in ("operator.iadd", "operator.setitem", "getattr") and self.live():
            items[0] = self.node()
        if name == "getattr":
            items[1] = ("shape", "shape")
        return tuple(v for v, _ in items), [f for _, f in items]

    # --- Verbs: each gives the step and a function that does it.

    def create(self):
        op = self.random.choice(["placeholder", "get_attr", "call_function", "call_function", "call_function", "call_method", "call_module"])
        name = self.random.choice(NAMES) if self.random.random() < 0.4 else None
        type_text = self.random.choice([None, None, None, *TYPES])
        args, arg_forms = self.arguments()
        kwargs, kwarg_forms = self.keywords()
        if op == "call_function":
            text = self.random.choice(list(FUNCTIONS))
            target = FUNCTIONS[text]
            if text.startswith("operator.") or text == "getattr":
                args, arg_forms = self.operator_arguments(text)
                kwargs, kwarg_forms = {}, []
        elif op == "call_method":
            target = text = self.random.choice(METHODS)
            args, arg_forms = self.arguments(1)
            if not args:
                args, arg_forms = (1,), [1]
        else:
            target = text = self.random.choice({"placeholder": ["x", "*args", "**kw", "self_2", "for_"], "get_attr": ATTRIBUTES, "call_module": MODULES}[op])
        if op in ("placeholder", "get_attr"):
            kwargs, kwarg_forms = {}, []
            args, arg_forms = ((3,), [3]) if op == "placeholder" and self.random.random() < 0.3 and "*" not in text else ((), [])
        step = {"verb": "create", "op": op, "target": text, "args": arg_forms, "kwargs": kwarg_forms, "name": name, "type": type_text}
        return step, lambda: self.graph.create_node(op, target, args, kwargs, name, TYPES.get(type_text))

    def shorthand(self):
        kind = self.random.choice(["placeholder", "get_attr", "call_function", "call_method", "call_module", "output"])
        args, arg_forms = self.arguments(1)
        if kind == "output" and any(n.op == "output" for n in self.live()):
            kind = "call_function"
        step = {"verb": "shorthand", "op": kind, "args": arg_forms}
        if kind == "placeholder":
            step["target"] = self.random.choice(NAMES[:6])
            has_default = self.random.random() < 0.3
            step["args"] = [7] if has_default else []
            return step, lambda: self.graph.placeholder(step["target"], default_value=7) if has_default else self.graph.placeholder(step["target"])
        if kind == "get_attr":
            step["target"], step["args"] = self.random.choice(ATTRIBUTES), []
            return step, lambda: self.graph.get_attr(step["target"])
        if kind == "call_method":
            step["target"], step["args"] = "relu", arg_forms or [1]
            return step, lambda: self.graph.call_method("relu", args or (1,))
        if kind == "call_module":
            step["target"] = self.random.choice([*MODULES, "gone", "sub.gone", "sub.lin.gone"])
            return step, lambda: self.graph.call_module(step["target"], args)
        if kind == "output":
            step["target"] = "output"
            value, step["args"] = (args[0], arg_forms[:1]) if args and not isinstance(args[0], Pair) else (None, [None])
            return step, lambda: self.graph.output(value)
        step["target"] = "torch.relu"
        return step, lambda: self.graph.call_function(torch.relu, args)

    def erase(self):
        unread = [n for n in self.live() if not n.users]
        n = self.random.choice(unread) if unread and self.random.random() < 0.7 else self.pick()
        return {"verb": "erase", "node": self.index[n]}, lambda: self.graph.erase_node(n)

    def move(self):
        n, other = self.pick(), self.pick()
        if self.random.random() < 0.5:
            return {"verb": "move_before", "node": self.index[n], "other": self.index[other]}, lambda: other.prepend(n)
        return {"verb": "move_after", "node": self.index[n], "other": self.index[other]}, lambda: other.append(n)

    def replace_uses(self):
        old, new = self.pick(), self.pick()
        kept = [u for u in old.users if self.random.random() < 0.2]
        step = {"verb": "replace_uses", "node": self.index[old], "other": self.index[new], "except": [self.index[u] for u in kept]}
        return step, lambda: old.replace_all_uses_with(new, lambda u: u not in kept)

    def replace_input(self):
        n, new = self.pick(), self.pick()
        old = self.random.choice(n.all_input_nodes) if n.all_input_nodes else self.pick()
        return {"verb": "replace_input", "node": self.index[n], "old": self.index[old], "other": self.index[new]}, lambda: n.replace_input_with(old, new)

    def change_arguments(self):
        n = self.random.choice([n for n in self.live() if n.op in ("call_module", "call_function", "call_method")] or self.live())
        if n.op not in ("call_module", "call_function", "call_method") or "operator" in str(n.target) or n.target in (getattr, operator.add, operator.iadd, operator.setitem, operator.getitem, operator.neg):
            return self.create()
        value, form = self.argument()
        at = self.random.randrange(len(n.args) + 1)
        kind = self.random.choice(["set_args", "set_kwargs", "update_arg", "insert_arg", "update_kwarg"])
        if kind == "update_arg" and n.args:
            at %= len(n.args)
        if kind == "set_args":
            args, forms = self.arguments(1)
            args, forms = args or (1,), forms or [1]
            return {"verb": kind, "node": self.index[n], "args": forms}, lambda: setattr(n, "args", args)
        if kind == "set_kwargs":
            kwargs, forms = self.keywords()
            return {"verb": kind, "node": self.index[n], "kwargs": forms}, lambda: setattr(n, "kwargs", kwargs)
        if kind == "update_kwarg":
            key = self.random.choice(["dim", "alpha", "new"])
            return {"verb": kind, "node": self.index[n], "key": key, "value": form}, lambda: n.update_kwarg(key, value)
        method = n.update_arg if kind == "update_arg" else n.insert_arg
        return {"verb": kind, "node": self.index[n], "at": at, "value": form}, lambda: method(at, value)

    def rename(self):
        n, name = self.pick(), self.random.choice(NAMES)
        if self.random.random() < 0.85:
            return {"verb": "rename", "node": self.index[n], "name": name}, lambda: n._rename(name)
        name = "set_" + str(self.random.randrange(3))
        return {"verb": "set_name", "node": self.index[n], "name": name}, lambda: setattr(n, "name", name)

    def set_type(self):
        n, text = self.pick(), self.random.choice([None, *TYPES])
        return {"verb": "set_type", "node": self.index[n], "type": text}, lambda: setattr(n, "type", TYPES.get(text))

    def copy_node(self):
        n = self.random.choice([n for n in self.live() if n.op != "output"] or [None])
        if n is None:
            return self.create()
        return {"verb": "copy_node", "node": self.index[n]}, lambda: self.graph.node_copy(n, lambda x: x)

    def is_sorted(self):
        place = {n: i for i, n in enumerate(self.live())}
        return all(place[i] < place[n] for n in place for i in n.all_input_nodes)

    def copy_graph(self):
        if not self.is_sorted() or len(self.live()) > 12 or any(n.op == "output" for n in self.live()):
            return self.create()

        def do():
            other = torch.fx.Graph()
            other.graph_copy(self.graph, {})
            self.graph.graph_copy(other, {})

        return {"verb": "copy_graph"}, do

    def ask(self):
        kind = self.random.choice(["lint", "dead_code", "find"])
        if kind == "lint":
            return {"verb": kind}, lambda: self.graph.lint()
        if kind == "dead_code":
            return {"verb": kind}, lambda: self.graph.eliminate_dead_code()
        op, text = self.random.choice([("call_function", "torch.relu"), ("placeholder", None), ("call_module", "sub.lin"), ("output", None)])
        target = FUNCTIONS.get(text, text)
        return {"verb": kind, "op": op, "target": text}, lambda: [self.index[n] for n in self.graph.find_nodes(op=op, target=target)]

    # --- Doing.

    def place(self, step, do):
        """Some new nodes go before or after another."""
        if step["verb"] not in ("create", "shorthand", "copy_node") or self.random.random() < 0.5:
            return do
        where = self.random.choice(["before", "after"])
        anchor = self.random.choice([*self.live(), None])
        step[where] = self.index[anchor] if anchor else -1

        def placed():
            with getattr(self.graph, f"inserting_{where}")(anchor):
                return do()

        return placed

    def state(self):
        users = [" ".join(str(self.index[u]) for u in n.users) for n in self.graph.nodes]
        return str(self.graph) + "\n" + "|".join(users)

    def run(self, count):
        verbs = [self.create] * 6 + [self.shorthand] * 3 + [self.erase] * 3 + [self.move] * 3 + [self.replace_uses] * 2
        verbs += [self.replace_input, self.change_arguments, self.change_arguments, self.rename, self.set_type, self.copy_node, self.ask]
        verbs += [self.copy_graph] if self.random.random() < 0.2 else []
        for i in range(count):
            step, do = (self.random.choice(verbs) if len(self.live()) > 2 else self.create)()
            do = self.place(step, do)
            try:
                result = do()
                if isinstance(result, (bool, list)) and step["verb"] in ("dead_code", "find"):
                    step["result"] = result
            except (RuntimeError, AttributeError, ValueError, IndexError, AssertionError) as error:
                step["error"] = str(error)
            for n in self.live():
                if n not in self.index:
                    self.index[n] = len(self.nodes)
                    self.nodes.append(n)
            step["state"] = self.state()
            if i % 4 == 3 and self.is_sorted():
                with contextlib.suppress(Exception):
                    step["code"] = self.graph.python_code("self").src
            self.steps.append(step)
        if not self.has_named_tuples:
            self.steps[-1]["table"] = table(self.graph)
        return self.steps


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    scripts = [Script(seed).run(30) for seed in range(count)]
    pathlib.Path(sys.argv[1]).write_text(json.dumps(scripts))
    print(f"{count} scripts in {sys.argv[1]}")


if __name__ == "__main__":
    main()
