# SPDX-License-Identifier: GPL-3.0-or-later
# Python's os can be imported; only what works on texts alone can be used.

from _refusal import refuse
from os import path

__getattr__ = refuse("os", "a traced program reaches no files, processes or environment")

name = "posix"
sep, linesep, curdir, pardir, extsep = "/", "\n", ".", "..", "."


def fspath(path):
    return path if isinstance(path, (str, bytes)) else path.__fspath__()
