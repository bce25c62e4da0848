# SPDX-License-Identifier: GPL-3.0-or-later
# Python's sys: constants, and what does nothing here.

from _refusal import refuse
from collections import namedtuple

__getattr__ = refuse("sys", "a traced program cannot reach the interpreter")

version_info = namedtuple("version_info", "major minor micro releaselevel serial", module="sys")(3, 11, 7, "final", 0)
version = "3.11.7"
hexversion = 0x030B07F0
maxsize = 2**63 - 1
maxunicode = 0x10FFFF
byteorder = "little"
platform = "linux"
argv = [""]
path = []
warnoptions = []
float_info = namedtuple("float_info", "max min epsilon dig mant_dig", module="sys")(
    1.7976931348623157e308, 2.2250738585072014e-308, 2.220446049250313e-16, 15, 53)


class _Silence:
    def write(self, text):
        return len(text)

    def flush(self):
        pass

    def isatty(self):
        return False


class _Output(_Silence):
    def write(self, text):
        print(text, end="")
        return len(text)


stdout = _Output()
stderr = _Silence()


def exit(status=None):
    raise SystemExit(status)


def getrecursionlimit():
    return 1000


def setrecursionlimit(limit):
    pass


def intern(string):
    return string


def getsizeof(object, default=0):
    return default
