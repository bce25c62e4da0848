# SPDX-License-Identifier: GPL-3.0-or-later
# Python's importlib: modules by name, as import statements have them.

from _native import _import_module


def import_module(name, package=None):
    if name.startswith("."):
        if not package:
            raise TypeError(f"the 'package' argument is required to perform a relative import for {name!r}")
        level = len(name) - len(name.lstrip("."))
        parts = package.split(".")
        if level > len(parts):
            raise ImportError("attempted relative import beyond top-level package")
        above = ".".join(parts[: len(parts) - level + 1])
        name = f"{above}.{name[level:]}" if name[level:] else above
    return _import_module(name)


def invalidate_caches():
    pass


def reload(module):
    return module
