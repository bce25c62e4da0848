# SPDX-License-Identifier: GPL-3.0-or-later
"""Methods of texts that TorchScript defines otherwise than Python."""

import torch
from torch import nn


class Zeros(nn.Module):
    def forward(self, x: torch.Tensor, s: str):
        return [s.zfill(6), s.zfill(1), (s + "a").zfill(x.size(0) + 5), s.rjust(5, "0")]


class Ends(nn.Module):
    def forward(self, x: torch.Tensor, s: str):
        return [s.find("b", 0, -2), s.find("b", 1, -2), s.find("b", -3, -1), s.find("b", x.size(0) - 2, -3), s.rfind("b", 0, -2),
                s.rfind("b", 0, -3), s.count("b", 0, -2), s.count("a", 1, -3), s.index("a", 0, -2), s.rindex("a", 0, -4), s.find("b", 0, 2),
                s.find("b", 2, 9), s.rfind("b", 1), s.count("b")]


class Tests(nn.Module):
    def forward(self, x: torch.Tensor, s: str):
        return [s.startswith("ab", 0, -2), s.startswith("ab", 0, -4), s.endswith("b", 0, -2), s.endswith("a", 0, -3), s.endswith("ca", 1, 4),
                s.startswith("b", 1), s.startswith("b", 1, 2), s.endswith("b", 2)]


class UnknownEnd(nn.Module):
    def forward(self, x: torch.Tensor, s: str):
        return x, s.find("b", 0, x.size(0) - 5)


class UnknownStart(nn.Module):
    def forward(self, x: torch.Tensor, s: str):
        return x, s.startswith("b", x.size(0), -2)


class EmptyRange(nn.Module):
    def forward(self, x: torch.Tensor, s: str):
        return x, s.endswith("b", 4, 2)


class EmptyText(nn.Module):
    def forward(self, x: torch.Tensor, s: str):
        return x, s.rfind("", 1, -2)


class Lines(nn.Module):
    def forward(self, x: torch.Tensor, s: str):
        return x, s.splitlines()


class Identifier(nn.Module):
    def forward(self, x: torch.Tensor, s: str):
        return x, s.isidentifier()


def cases():
    x = torch.ones(3)
    for name, text in {"negative": "-5", "positive": "+5", "plain": "7", "two": "--5"}.items():
        yield f"zfill_{name}", Zeros(), (x, text), "script"
    for name, text in {"once": "abcab", "twice": "abab", "longer": "xxabcabyy"}.items():
        yield f"ends_{name}", Ends(), (x, text), "script"
        yield f"tests_{name}", Tests(), (x, text), "script"
    yield "search_unknown_end", UnknownEnd(), (x, "abc"), "script", {"error": "has an end that depends on the input"}
    yield "search_unknown_start", UnknownStart(), (x, "abc"), "script", {"error": "may begin after its end"}
    yield "search_empty_range", EmptyRange(), (x, "abc"), "script", {"error": "may begin after its end"}
    yield "search_empty_text", EmptyText(), (x, "abc"), "script", {"error": "searches for an empty text within bounds"}
    yield "search_lines", Lines(), (x, "a\r\nb"), "script", {"error": "splitlines() of a text of the graph"}
    yield "search_identifier", Identifier(), (x, "_a"), "script", {"error": "isidentifier() of a text of the graph"}
