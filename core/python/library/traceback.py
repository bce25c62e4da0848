# SPDX-License-Identifier: GPL-3.0-or-later
# Python's traceback: errors without the lines that they come from.

from _refusal import refused_names

globals().update(refused_names("traceback", "there are no frames here", "walk_stack walk_tb",
                           "FrameSummary StackSummary TracebackException"))


def format_exception_only(exc, /, value=None):
    value = exc if value is None else value
    if value is None:
        return ["NoneType: None\n"]
    kind = type(value)
    name = kind.__qualname__
    if kind.__module__ not in ("builtins", "__main__"):
        name = f"{kind.__module__}.{name}"
    text = str(value)
    return [f"{name}: {text}\n" if text else f"{name}\n"]


def format_exception(exc, /, value=None, tb=None, limit=None, chain=True):
    return format_exception_only(exc, value)


def format_exc(limit=None, chain=True):
    return ""


def _none(*args, **kwargs):
    return []


def _silent(*args, **kwargs):
    pass


extract_stack = extract_tb = format_list = format_stack = format_tb = _none
clear_frames = print_exc = print_exception = print_last = print_list = print_stack = print_tb = _silent
