# SPDX-License-Identifier: GPL-3.0-or-later
# Python's pprint: repr with the keys of dicts in order, over several lines where one does not hold it.

import re

from collections import OrderedDict
from dataclasses import fields, is_dataclass

__all__ = ["pprint", "pformat", "isreadable", "isrecursive", "saferepr", "PrettyPrinter", "pp"]


class _Key:
    """Compares anything: what has no order goes by its class's name and its place."""

    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        try:
            return self.value < other.value
        except TypeError:
            return (str(type(self.value)), id(self.value)) < (str(type(other.value)), id(other.value))


def _pair_key(pair):
    return _Key(pair[0]), _Key(pair[1])


class PrettyPrinter:
    def __init__(self, indent=1, width=80, depth=None, stream=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
        if indent < 0:
            raise ValueError("indent must be >= 0")
        if depth is not None and depth <= 0:
            raise ValueError("depth must be > 0")
        if not width:
            raise ValueError("width must be != 0")
        self._indent, self._width, self._depth, self._stream = indent, width, depth, stream
        self._compact, self._sort, self._underscores = compact, sort_dicts, underscore_numbers

    def pprint(self, object):
        print(self.pformat(object), file=self._stream)

    def pformat(self, object):
        return self._format(object, 0, 0, (), 0)

    def _items(self, value):
        return sorted(value.items(), key=_pair_key) if self._sort else list(value.items())

    def _line(self, value, above, level):
        """On one line."""
        kind = type(value)
        if kind is int and self._underscores:
            return f"{value:_d}"
        if kind not in (dict, list, tuple) or kind.__repr__ not in (dict.__repr__, list.__repr__, tuple.__repr__):
            return repr(value)
        if id(value) in above:
            return f"<Recursion on {kind.__name__} with id={id(value)}>"
        marks = {dict: "{}", list: "[]", tuple: "()"}[kind]
        if not value:
            return marks
        level += 1
        if self._depth is not None and level > self._depth:
            return f"{marks[0]}...{marks[1]}"
        above = above + (id(value),)
        if kind is dict:
            parts = [f"{self._line(key, above, level)}: {self._line(item, above, level)}" for key, item in self._items(value)]
        else:
            parts = [self._line(item, above, level) for item in value]
        return marks[0] + ", ".join(parts) + ("," if kind is tuple and len(value) == 1 else "") + marks[1]

    def _format(self, value, indent, allowance, above, level):
        line = self._line(value, above, level)
        kind = type(value)
        if id(value) in above or len(line) <= self._width - indent - allowance:
            return line
        above = above + (id(value),)
        level += 1
        if kind is dict and value:
            return self._dict(value, indent, allowance, above, level)
        if kind is OrderedDict and value:
            pairs = list(value.items())
            return f"{kind.__name__}({self._format(pairs, indent + len(kind.__name__) + 1, allowance + 1, above, level)})"
        if kind in (list, tuple) and value:
            end = (",)" if len(value) == 1 else ")") if kind is tuple else "]"
            inner = self._list(value, indent, allowance + len(end), above, level)
            return ("(" if kind is tuple else "[") + self._lead() + inner + end
        if kind in (set, frozenset) and value:
            start, end = ("{", "}") if kind is set else (f"{kind.__name__}({{", "})")
            inner = self._list(sorted(value, key=_Key), indent + len(start) - 1, allowance + len(end), above, level)
            return start + self._lead() + inner + end
        if kind is str and value:
            return self._text(value, indent, allowance, level)
        if is_dataclass(value) and not isinstance(value, type) and getattr(kind.__repr__, "__wrapped__", None) is not None:
            names = [field.name for field in fields(value) if field.repr]
            return self._named(kind.__name__, [(name, getattr(value, name)) for name in names], indent, allowance, above, level)
        return line

    def _lead(self):
        return " " * (self._indent - 1)

    def _dict(self, value, indent, allowance, above, level):
        indent += self._indent
        parts = []
        pairs = self._items(value)
        for at, (key, item) in enumerate(pairs):
            text = self._line(key, above, level)
            rest = allowance + 1 if at == len(pairs) - 1 else 1
            parts.append(f"{text}: " + self._format(item, indent + len(text) + 2, rest, above, level))
        return "{" + self._lead() + (",\n" + " " * indent).join(parts) + "}"

    def _list(self, items, indent, allowance, above, level):
        indent += self._indent
        items = list(items)
        out, room = "", 0
        width = most = self._width - indent + 1
        for at, item in enumerate(items):
            is_last = at == len(items) - 1
            if is_last:
                width -= allowance
                most -= allowance
            if self._compact:
                line = self._line(item, above, level)
                need = len(line) + 2
                if out and room < need:
                    room = most
                    out += ",\n" + " " * indent
                elif out:
                    out += ", "
                elif not out:
                    room = width
                if room >= need:
                    room -= need
                    out += line
                    continue
            elif out:
                out += ",\n" + " " * indent
            out += self._format(item, indent, allowance if is_last else 1, above, level)
        return out

    def _named(self, name, pairs, indent, allowance, above, level):
        indent += len(name) + 1
        parts = []
        for at, (key, item) in enumerate(pairs):
            rest = allowance + 1 if at == len(pairs) - 1 else 1
            parts.append(f"{key}=" + self._format(item, indent + len(key) + 1, rest, above, level))
        return f"{name}(" + (",\n" + " " * indent).join(parts) + ")"

    def _text(self, value, indent, allowance, level):
        """A text in parts, which end where its lines or its words do."""
        lines = value.splitlines(True)
        if level == 1:
            indent += 1
            allowance += 1
        most = self._width - indent
        chunks = []
        for at, line in enumerate(lines):
            limit = most - allowance if at == len(lines) - 1 else most
            if len(repr(line)) <= limit:
                chunks.append(repr(line))
                continue
            words = [word for word in re.findall(r"\S*\s*", line) if word]
            current = ""
            for number, word in enumerate(words):
                is_end = number == len(words) - 1 and at == len(lines) - 1
                if len(repr(current + word)) > (most - allowance if is_end else most):
                    if current:
                        chunks.append(repr(current))
                    current = word
                else:
                    current += word
            if current:
                chunks.append(repr(current))
        if len(chunks) == 1:
            return chunks[0]
        text = ("\n" + " " * indent).join(chunks)
        return f"({text})" if level == 1 else text


def pformat(object, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
    return PrettyPrinter(indent, width, depth, compact=compact, sort_dicts=sort_dicts,
                         underscore_numbers=underscore_numbers).pformat(object)


def pprint(object, stream=None, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
    print(pformat(object, indent, width, depth, compact=compact, sort_dicts=sort_dicts,
                  underscore_numbers=underscore_numbers), file=stream)


def pp(object, *args, sort_dicts=False, **kwargs):
    pprint(object, *args, sort_dicts=sort_dicts, **kwargs)


def saferepr(object):
    return PrettyPrinter()._line(object, (), 0)


def isrecursive(object):
    return "<Recursion on" in saferepr(object)


def isreadable(object):
    return not isrecursive(object)
