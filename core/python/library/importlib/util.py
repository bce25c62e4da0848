# SPDX-License-Identifier: GPL-3.0-or-later
# Python's importlib.util: whether a module can be had.

import sys
from _native import _find_source
from _refusal import refuse
from importlib import import_module
from importlib.machinery import ModuleSpec, SourceFileLoader

__getattr__ = refuse("importlib.util", "modules are imported by their names alone")


def resolve_name(name, package):
    if not name.startswith("."):
        return name
    level = len(name) - len(name.lstrip("."))
    return ".".join(package.split(".")[: len(package.split(".")) - level + 1] + ([name[level:]] if name[level:] else []))


def find_spec(name, package=None):
    name = resolve_name(name, package)
    parent = name.rpartition(".")[0]
    if parent:
        import_module(parent)
    found = _find_source(name)
    if found is None:
        module = sys.modules.get(name)
        if module is None and name.partition(".")[0] != "torch":
            return None
        if module is None:
            try:
                import_module(name)
            except ImportError:
                return None
        return ModuleSpec(name, None)
    origin, is_package = found
    return ModuleSpec(name, SourceFileLoader(name, origin), origin=origin, is_package=is_package)
