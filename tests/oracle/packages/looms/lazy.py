# SPDX-License-Identifier: GPL-3.0-or-later
# Which class is defined in which file, read from the files.
import importlib
import os
import re
from types import ModuleType


def found_in(folder, prefix=""):
    table = {}
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.is_dir() and entry.name != "__pycache__":
            table.update(found_in(entry.path, f"{prefix}{entry.name}."))
        elif entry.name.endswith(".py") and not entry.name.startswith(("__", "modular_")):
            with open(entry.path, encoding="utf-8") as file:
                listed = re.search(r"__all__ = \[(.*?)\]", file.read(), re.DOTALL)
            if listed:
                table.update({name: prefix + entry.name[:-3] for name in re.findall(r'"(\w+)"', listed[1])})
    return table


class LazyModule(ModuleType):
    def __init__(self, name, file, table, spec):
        super().__init__(name)
        self.__file__ = file
        self.__spec__ = spec
        self.__path__ = [os.path.dirname(file)]
        self._table = table

    def __getattr__(self, name):
        if name not in self._table:
            raise AttributeError(f"module {self.__name__} has no attribute {name}")
        return getattr(importlib.import_module(f".{self._table[name]}", self.__name__), name)
