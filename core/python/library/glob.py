# SPDX-License-Identifier: GPL-3.0-or-later
# Python's glob, over the files that a program has in memory (_files.py).

import os

import _files

from fnmatch import fnmatchcase


def has_magic(s):
    return any(letter in s for letter in "*?[")


def escape(pathname):
    return "".join([f"[{letter}]" if letter in "*?[" else letter for letter in pathname])


def _below(folder):
    """The folder, and all folders below it."""
    yield folder
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if os.path.isdir(path):
            yield from _below(path)


def _found(parts, at, is_recursive, shows_hidden):
    if not parts:
        yield at
        return
    first, *rest = parts
    if not has_magic(first):
        path = os.path.join(at, first)
        if os.path.lexists(path) or not _files.owns(path):
            yield from _found(rest, path, is_recursive, shows_hidden)
    elif not os.path.isdir(at):
        return
    elif first == "**" and is_recursive:
        for folder in _below(at):
            if rest:
                yield from _found(rest, folder, is_recursive, shows_hidden)
            else:
                yield os.path.join(folder, "") if folder == at else folder
                for name in os.listdir(folder):
                    if not os.path.isdir(os.path.join(folder, name)):
                        yield os.path.join(folder, name)
    else:
        for name in os.listdir(at):
            if fnmatchcase(name, first) and (shows_hidden or first.startswith(".") or not name.startswith(".")):
                path = os.path.join(at, name)
                if not rest or os.path.isdir(path):
                    yield from _found(rest, path, is_recursive, shows_hidden)


def iglob(pathname, *, root_dir=None, dir_fd=None, recursive=False, include_hidden=False):
    pathname = os.fspath(pathname)
    if root_dir is not None:
        pathname = os.path.join(root_dir, pathname)
    for path in _found([part for part in pathname.split("/") if part], "/", recursive, include_hidden):
        if _files.exists(path):
            yield path if root_dir is None else os.path.relpath(path, root_dir)


def glob(pathname, *, root_dir=None, dir_fd=None, recursive=False, include_hidden=False):
    return list(iglob(pathname, root_dir=root_dir, recursive=recursive, include_hidden=include_hidden))
