# SPDX-License-Identifier: GPL-3.0-or-later
"""Interpreters that run the model and tell of it."""
import torch
from torch.fx import Interpreter


def _shown(value):
    if isinstance(value, torch.Tensor):
        return f"{str(value.dtype).replace('torch.', '')}{list(value.shape)}"
    if isinstance(value, (list, tuple)):
        return "(" + ", ".join(_shown(item) for item in value) + ")"
    return type(value).__name__


class LogNodes(Interpreter):
    """Run the model, and print each node with the type and shape of what it gives."""

    def run_node(self, n):
        value = super().run_node(n)
        print(f"{n.op:<14} {n.name:<24} {_shown(value)}")
        return value


class CountWork(Interpreter):
    """Run the model, and print for each kind of call how often it ran and how many numbers it gave."""

    def __init__(self, gm, by: str = "numbers"):
        super().__init__(gm)
        if by not in ("numbers", "calls", "name"):
            raise ValueError(f"{by} is none of numbers, calls, name")
        self._by = by
        self._rows = {}

    def run_node(self, n):
        value = super().run_node(n)
        if n.op in ("call_function", "call_method", "call_module"):
            what = type(self.fetch_attr(n.target)).__name__ if n.op == "call_module" else n._pretty_print_target(n.target)
            calls, numbers = self._rows.get(what, (0, 0))
            self._rows[what] = calls + 1, numbers + (value.numel() if isinstance(value, torch.Tensor) else 0)
        return value

    def run(self, *args, **kwargs):
        result = super().run(*args, **kwargs)
        keys = {"numbers": lambda row: (-row[1][1], row[0]), "calls": lambda row: (-row[1][0], row[0]), "name": lambda row: row[0]}
        for what, (calls, numbers) in sorted(self._rows.items(), key=keys[self._by]):
            print(f"{what:<32} {calls:>6} {numbers:>12}")
        return result
