# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs whose texts, lists and dicts depend on sizes or are inputs: what they give is computed by the run."""

from typing import Dict, List, NamedTuple, Tuple, Union

import torch
from torch import nn


class Keys(nn.Module):
    def forward(self, x: torch.Tensor):
        table = {"k" + str(x.size(0)): x, "k" + str(x.size(1)): x + 1}
        table[f"{x.size(0)}x{x.size(1)}"] = x + 2
        table["k3"] = x + 3
        return table, len(table), "k3" in table, list(table.keys()), table["k" + str(x.size(1))]


class Formats(nn.Module):
    def forward(self, x: torch.Tensor, name: str):
        n, m = x.size(0), x.size(1)
        return ["%d" % n, "%d%% of %s" % (m, name), "{}".format(x.shape[0]), "{} {0} {{}}".format(n, m), f"{name}: {n}/{m}, {1.5}",
                "%s" % [n, m], str([n, m]), str((n, m > 2)), str(x.shape), "%s %f" % (name, 2.5), str(n > 2), "{} {}".format(1e-7, m)]


class Strings(nn.Module):
    def forward(self, x: torch.Tensor, name: str):
        text = name + "_" + str(x.size(0))
        return [text.upper(), ", ".join([name, text, str(x.dim())]), text.replace("a", "b", 1), text.strip("_"), text[:2], text[-1],
                text.split("_")[0], str(text.startswith("ab")), str(text.find("_")), str(len(text)), hex(x.size(1)), chr(x.size(1) + 64), text.zfill(9),
                str(int(str(x.size(0))) + 1), str(text == "abc_3"), text.rjust(8, "."), str(ord(text[0]))]


class Lists(nn.Module):
    def forward(self, x: torch.Tensor):
        n, m = x.size(0), x.size(1)
        sizes = [n, m, n]
        parts = [x, x + 1, x + 2, x + 3]
        found = sizes.index(m), sizes.count(n), sizes.count(3), m in sizes
        head, item = parts[:n], parts[n]
        zeros = [0] * n
        zeros.append(m)
        zeros += sizes
        zeros.insert(1, n)
        last = zeros.pop()
        zeros.remove(m)
        sizes.sort(reverse=True)
        table = [1, 2, 3, 4, 5]
        table[n] = m
        copy = list(x.shape)
        copy.extend([7, n])
        copy.reverse()
        return found, head, item, zeros, last, sizes, table, copy, sorted([n, m, 1]), max([n, m]), sum([n, m])


class Dicts(nn.Module):
    def forward(self, d: Dict[str, torch.Tensor], more: Dict[str, torch.Tensor]):
        got = d.get("a", d["b"]), d.get("zz", d["b"]), len(d), "b" in d, list(d.keys()), d.values()
        pairs = d.items()
        d["c"] = d["a"] + 1
        d.update(more)
        kept = d.copy()
        popped = d.pop("b")
        del d["a"]
        default = d.setdefault("e", popped)
        known = {"x": popped}
        known.update(d)
        first = kept.popitem()
        return got, pairs, d, list(d.keys()), kept, list(kept.keys()), popped, default, known, list(known.keys()), first


class Get(nn.Module):
    def forward(self, d: Dict[str, torch.Tensor]):
        return d.get("a")


class Counts(nn.Module):
    def forward(self, xs: List[torch.Tensor], n: List[int]):
        xs.append(xs[0] + 1)
        xs.insert(0, xs[-1])
        n.sort()
        n[0] = 5
        first = xs.pop(1)
        return xs, first, n, n.count(5), n.index(5), n[1:] + n[:1], n * 2, 5 in n


class Emptied(nn.Module):
    def forward(self, d: Dict[int, torch.Tensor]):
        kept = d
        d[4] = d[1]
        d.clear()
        d[7] = torch.ones(1)
        return kept, [k for k in d]


class Numbers(nn.Module):
    def forward(self, x: torch.Tensor, f: float):
        n = x.size(0)
        return n**2, round(f), max(n, 1.5), min(n, 7.5), pow(n, 3), abs(f), int(f), n // 2, n % 2, divmod(n, 2)


class Pair(NamedTuple):
    left: torch.Tensor
    right: torch.Tensor


class Named(nn.Module):
    def forward(self, pair: Pair, pairs: List[Tuple[str, torch.Tensor]]):
        first, second = pairs[0], pairs[1]
        return pair.left - pair.right, first[0] + second[0], second[1]


class Message(nn.Module):
    def forward(self, x: torch.Tensor):
        note = "mean {} of {}".format(x.mean(), x.size(0))
        print(note)
        if x.dim() != 2:
            raise ValueError("expected 2 dimensions, got {}: {}".format(x.dim(), x))
        return x + 1


class FloatText(nn.Module):
    def forward(self, x: torch.Tensor, f: float):
        return x, str(f)


class TensorText(nn.Module):
    def forward(self, x: torch.Tensor):
        return x, "{}".format(x)


class HexText(nn.Module):
    def forward(self, x: torch.Tensor):
        return x, "%x" % x.size(0)


class NestedChange(nn.Module):
    def forward(self, d: Dict[str, List[torch.Tensor]]):
        d["a"].append(d["b"][0])
        return d


class FrozenChange(nn.Module):
    def forward(self, x: torch.Tensor):
        inner = [x]
        table = {str(x.size(0)): inner}
        inner.append(x + 1)
        return table


class Either(nn.Module):
    def forward(self, x: torch.Tensor, by: Union[int, str]):
        if isinstance(by, int):
            return x * by
        return x


class Absent(nn.Module):
    def forward(self, d: Dict[str, torch.Tensor]):
        value = d.get("a")
        if value is None:
            return d["b"]
        return value


def cases():
    x = torch.randn(3, 4)
    d = {"b": torch.randn(2), "a": torch.randn(2)}
    yield "text_keys", Keys(), (x,), "script"
    yield "text_keys_equal", Keys(), (torch.randn(2, 2),), "script"
    yield "text_keys_known", Keys(), (x,), "script", {"concrete": {"x": "torch.zeros(3, 4)"}}
    yield "text_formats", Formats(), (x, "ab"), "script"
    yield "text_methods", Strings(), (x, "abc"), "script"
    yield "lists_of_sizes", Lists(), (x,), "script"
    yield "lists_of_equal_sizes", Lists(), (torch.randn(2, 2),), "script"
    yield "dict_inputs", Dicts(), (d, {"d": x, "a": x}), "script"
    yield "dict_get", Get(), (d,), "script"
    yield "dict_get_none", Get(), ({"b": x},), "script"
    yield "list_inputs", Counts(), ([x, x + 1], [3, 1, 2]), "script"
    yield "dict_cleared", Emptied(), ({1: x},), "script"
    yield "numbers_of_sizes", Numbers(), (x, 2.5), "script"
    yield "named_tuple_inputs", Named(), ((x, x + 1), [("a", x), ("b", x + 2)]), "script"
    yield "messages", Message(), (x,), "script"
    yield "message_raised", Message(), (x,), "script", {"concrete": {"x": "torch.zeros(3)"}, "error": "expected 2 dimensions, got"}
    yield "text_of_float", FloatText(), (x, 1.5), "script", {"error": "a text is made of a value of type float"}
    yield "text_of_tensor", TensorText(), (x,), "script", {"error": "a text is made of a value of type Tensor"}
    yield "text_in_hex", HexText(), (x,), "script", {"error": "the specifier %x"}
    yield "nested_change", NestedChange(), ({"a": [x], "b": [x]},), "script", {"error": "changes a list or dict that is part of another value"}
    yield "frozen_change", FrozenChange(), (x,), "script", {"error": "already part of a value of the graph"}
    yield "union_input", Either(), (x, 2), "script", {"error": "symbolically traced variables cannot be used as inputs to control flow"}
    yield "dict_get_absent", Absent(), (d,), "script", {"error": "symbolically traced variables cannot be used as inputs to control flow"}
