# SPDX-License-Identifier: GPL-3.0-or-later
# Python's importlib.util: whether a module can be had.

import _files
import sys

from _native import _find_source, _run_source
from _refusal import refuse
from importlib import import_module
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import ModuleType

__getattr__ = refuse("importlib.util", "modules are imported by their names alone")


class _MemoryLoader(SourceFileLoader):
    """Of a file that the program has made for itself."""

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        with open(self.path) as file:
            _run_source(file.read(), self.path, module.__dict__)


def spec_from_file_location(name, location=None, *, loader=None, submodule_search_locations=None):
    if not _files.owns(location):
        raise NotImplementedError("not supported: importlib.util.spec_from_file_location; modules are imported by their names alone")
    path = _files.place(location)
    spec = ModuleSpec(name, _MemoryLoader(name, path), origin=path, is_package=submodule_search_locations is not None)
    return spec


def module_from_spec(spec):
    made = ModuleType(spec.name)
    made.__spec__, made.__file__, made.__loader__ = spec, spec.origin, spec.loader
    return made


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
