# SPDX-License-Identifier: GPL-3.0-or-later
# Python's sys: constants, and what does nothing here.

from _native import _forget_module, _handled, _known_module, _known_modules, _set_module, _write_output
from _refusal import refuse
from collections import namedtuple
from collections.abc import MutableMapping

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


class _Modules(MutableMapping):
    """What was imported; a module put here is what an import of its name gives."""

    def __getitem__(self, name):
        module = _known_module(name, _Modules)
        if module is _Modules:
            raise KeyError(name)
        return module

    def __setitem__(self, name, module):
        _set_module(name, module)

    def __delitem__(self, name):
        self[name]
        _forget_module(name)

    def __iter__(self):
        return iter(_known_modules())

    def __len__(self):
        return len(_known_modules())


modules = _Modules()


class _Silence:
    def write(self, text):
        return len(text)

    def flush(self):
        pass

    def isatty(self):
        return False


class _Output(_Silence):
    def write(self, text):
        _write_output(text)
        return len(text)


stdout = __stdout__ = _Output()
stderr = __stderr__ = _Silence()


def exception():
    return _handled()


def exc_info():
    error = _handled()
    return (None, None, None) if error is None else (type(error), error, error.__traceback__)


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
