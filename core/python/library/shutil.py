# SPDX-License-Identifier: GPL-3.0-or-later
# Python's shutil, over the files that a program has in memory (_files.py). What asks of the machine is refused.

import os

import _files

from _refusal import refused_names

globals().update(refused_names("shutil", "a traced program reaches no files",
                           "chown disk_usage get_terminal_size make_archive unpack_archive which"))


class Error(OSError):
    pass


class SameFileError(Error):
    pass


def copyfileobj(fsrc, fdst, length=0):
    fdst.write(fsrc.read())


def copyfile(src, dst, *, follow_symlinks=True):
    if _files.place(src) == _files.place(dst):
        raise SameFileError(f"{src!r} and {dst!r} are the same file")
    with open(src, "rb") as source, open(dst, "wb") as target:
        copyfileobj(source, target)
    return dst


def copy(src, dst, *, follow_symlinks=True):
    return copyfile(src, os.path.join(dst, os.path.basename(src)) if os.path.isdir(dst) else dst)


def copymode(src, dst, *, follow_symlinks=True):
    pass


copy2, copystat = copy, copymode


def ignore_patterns(*patterns):
    from fnmatch import filter

    return lambda path, names: {name for pattern in patterns for name in filter(names, pattern)}


def copytree(src, dst, symlinks=False, ignore=None, copy_function=copy2, ignore_dangling_symlinks=False, dirs_exist_ok=False):
    names = os.listdir(src)
    left_out = ignore(os.fspath(src), names) if ignore else ()
    os.makedirs(dst, exist_ok=dirs_exist_ok)
    for name in names:
        if name not in left_out:
            source, target = os.path.join(src, name), os.path.join(dst, name)
            if os.path.isdir(source):
                copytree(source, target, symlinks, ignore, copy_function, ignore_dangling_symlinks, dirs_exist_ok)
            else:
                copy_function(source, target)
    return dst


def rmtree(path, ignore_errors=False, onerror=None, *, dir_fd=None):
    try:
        _files.names_in(path)
    except OSError:
        if not ignore_errors:
            raise
        return
    _files.drop_root(_files.place(path))


def move(src, dst, copy_function=copy2):
    target = os.path.join(dst, os.path.basename(os.fspath(src).rstrip("/"))) if os.path.isdir(dst) else dst
    os.rename(src, target)
    return target
