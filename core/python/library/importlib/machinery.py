# SPDX-License-Identifier: GPL-3.0-or-later
# Names of Python's importlib.machinery. Nothing is found by its loaders.

SOURCE_SUFFIXES = [".py"]
BYTECODE_SUFFIXES = [".pyc"]
EXTENSION_SUFFIXES = [".cpython-311-x86_64-linux-gnu.so", ".abi3.so", ".so"]


def all_suffixes():
    return SOURCE_SUFFIXES + BYTECODE_SUFFIXES + EXTENSION_SUFFIXES


class ModuleSpec:
    def __init__(self, name, loader, *, origin=None, loader_state=None, is_package=None):
        self.name, self.loader, self.origin, self.loader_state = name, loader, origin, loader_state
        self.submodule_search_locations = [] if is_package else None
        self.has_location, self.cached = origin is not None, None

    @property
    def parent(self):
        return self.name if self.submodule_search_locations is not None else self.name.rpartition(".")[0]

    def __repr__(self):
        return f"ModuleSpec(name={self.name!r}, loader={self.loader!r}, origin={self.origin!r})"


class SourceFileLoader:
    def __init__(self, fullname, path):
        self.name, self.path = fullname, path

    def get_filename(self, name=None):
        return self.path


class ExtensionFileLoader(SourceFileLoader):
    pass


class SourcelessFileLoader(SourceFileLoader):
    pass


class PathFinder:
    @classmethod
    def find_spec(cls, fullname, path=None, target=None):
        return None


class FileFinder:
    def __init__(self, path, *loader_details):
        self.path = path

    def find_spec(self, fullname, target=None):
        return None
