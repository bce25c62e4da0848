# SPDX-License-Identifier: GPL-3.0-or-later
# Python's textwrap: dedent and indent.


def dedent(text):
    lines = [line if line.strip() else line.lstrip(" \t\r") for line in text.split("\n")]
    margin = None
    for line in lines:
        if line:
            lead = line[:len(line) - len(line.lstrip(" \t"))]
            if margin is None:
                margin = lead
            while not lead.startswith(margin):
                margin = margin[:-1]
    return "\n".join(line[len(margin or ""):] if line else line for line in lines)


def indent(text, prefix, predicate=None):
    predicate = predicate or str.strip
    return "".join(prefix + line if predicate(line) else line for line in text.splitlines(True))
