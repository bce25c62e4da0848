# SPDX-License-Identifier: GPL-3.0-or-later
# What a pass prints, logs and tells of errors: output that is redirected, loggers, and tracebacks with their frames.
# case: output_redirected f redirected
# case: output_of_errors f traced_errors
# case: output_logged f logged

import contextlib
import io
import logging
import sys
import traceback

import torch
import torch.fx

INPUTS = (torch.tensor([1.0, -2.0]),)


def f(x):
    return torch.relu(x) + 1


class Tee:
    def __init__(self, target):
        self.target, self.lines = target, []

    def write(self, text):
        self.lines.append(text)
        return self.target.write(text)

    def flush(self):
        self.target.flush()


def redirected(gm):
    outer, inner = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(outer) as given:
        print("one")
        with contextlib.redirect_stdout(inner):
            print("two", end="!")
            sys.stdout.write("three")
        print("four", file=inner)
    print(given is outer, repr(outer.getvalue()), repr(inner.getvalue()))
    errors = io.StringIO()
    with contextlib.redirect_stderr(errors):
        print("bad", file=sys.stderr)
    print(errors.getvalue(), end="")
    before = sys.stdout
    sys.stdout = io.StringIO()
    try:
        print("hidden")
        text = sys.stdout.getvalue()
    finally:
        sys.stdout = before
    print(repr(text))
    tee = sys.stdout = Tee(before)
    print("both", 1)
    sys.stdout = before
    print(tee.lines)
    sys.stdout = None
    print("nowhere")
    sys.stdout = before
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        gm.graph.print_tabular()
        gm.print_readable()
    print(len(text.getvalue().splitlines()) > 5)


def inner(value):
    raise ValueError(f"bad {value}")


def middle(value):
    inner(value)


def traced_errors(gm):
    try:
        middle(3)
    except ValueError as error:
        print(traceback.format_exc())
        frames = traceback.extract_tb(error.__traceback__)
        print([(frame.name, frame.lineno, frame.line) for frame in frames], error.__traceback__.tb_lineno)
        print("".join(traceback.format_tb(error.__traceback__, limit=1)), traceback.format_list(frames[-1:]))
        traceback.print_exc(file=sys.stdout)
    try:
        try:
            middle(4)
        except ValueError as error:
            raise RuntimeError("again") from error
    except RuntimeError as error:
        traceback.print_exception(error, file=sys.stdout)
        print(len(traceback.TracebackException.from_exception(error).stack))
    try:
        try:
            middle(5)
        finally:
            print("finally")
    except ValueError as error:
        traceback.print_tb(error.__traceback__, file=sys.stdout)
    print(traceback.extract_stack()[-1].name, traceback.format_stack()[-1])


def logged(gm):
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(funcName)s %(lineno)d %(message)s", stream=sys.stdout, force=True)
    logging.getLogger("passes").info("node %s", gm.graph.output_node())
    logging.warning("warned")
    logging.debug("not told")
    try:
        middle(6)
    except ValueError:
        logging.exception("failed")
    logging.root.handlers.clear()
    logging.root.setLevel(logging.WARNING)
