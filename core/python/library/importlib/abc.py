# SPDX-License-Identifier: GPL-3.0-or-later
# Names of Python's importlib.abc, for annotations and as bases.


class Loader:
    pass


class MetaPathFinder:
    pass


class PathEntryFinder:
    pass


class InspectLoader(Loader):
    pass


class SourceLoader(InspectLoader):
    pass
