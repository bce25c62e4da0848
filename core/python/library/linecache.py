# SPDX-License-Identifier: GPL-3.0-or-later
# Python's linecache, of files that are not read: it knows the lines that a program puts into its cache.

cache = {}


def getlines(filename, module_globals=None):
    entry = cache.get(filename)
    return entry[2] if entry is not None and len(entry) != 1 else []


def getline(filename, lineno, module_globals=None):
    lines = getlines(filename, module_globals)
    return lines[lineno - 1] if 1 <= lineno <= len(lines) else ""


def updatecache(filename, module_globals=None):
    return []


def checkcache(filename=None):
    return None


def clearcache():
    cache.clear()


def lazycache(filename, module_globals):
    return False
