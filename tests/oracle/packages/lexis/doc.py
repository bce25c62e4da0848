# SPDX-License-Identifier: GPL-3.0-or-later
# Decorators that write the doc of a function from parts, and copies of functions that may be given docs of their own.
import functools
import inspect
import re
import types
from dataclasses import fields, is_dataclass


def _indent(line: str) -> str:
    found = re.search(r"^(\s*)\S", line)
    return "" if found is None else found.groups()[0]


def doc_before(*parts: str):
    def decorate(fn):
        fn.__doc__ = "".join(parts) + (fn.__doc__ if fn.__doc__ is not None else "")
        return fn

    return decorate


def doc_of_source(thing):
    """Tells how long the source is, for which Python reads the file again."""
    thing.__doc__ = f"{thing.__doc__ or ''} In {len(inspect.getsource(thing).splitlines())} lines."
    return thing


def doc_of_result(kind, config: str = ""):
    """Puts what is told of the result, field by field, where the doc has a line `Gives:`."""

    def decorate(fn):
        told = [f.name for f in fields(kind)] if is_dataclass(kind) else []
        lines = (fn.__doc__ or "").split("\n")
        at = 0
        while at < len(lines) and re.search(r"^\s*Gives?:\s*$", lines[at]) is None:
            at += 1
        if at < len(lines):
            space = " " * (len(_indent(lines[at])) + 4)
            body = re.sub(r"^", space, "\n".join(f"{name}: see {config or kind.__name__}" for name in told), flags=re.MULTILINE)
            lines[at] = f"{_indent(lines[at])}{kind.__name__} of\n{body}"
            fn.__doc__ = "\n".join(lines)
        else:
            raise ValueError(f"{fn.__qualname__} has a doc without a line 'Gives:'")
        return fn

    return decorate


def copy_of(fn):
    """The same code as a function of its own."""
    made = types.FunctionType(fn.__code__, fn.__globals__, name=fn.__name__, argdefs=fn.__defaults__, closure=fn.__closure__)
    made = functools.update_wrapper(made, fn)
    made.__kwdefaults__ = fn.__kwdefaults__
    return made
