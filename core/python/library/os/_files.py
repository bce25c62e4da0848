# SPDX-License-Identifier: GPL-3.0-or-later
# What os does with files: those that a program has in memory (_files.py).

from collections import namedtuple
from os.path import basename, join, split

stat_result = namedtuple("stat_result", "st_mode st_ino st_dev st_nlink st_uid st_gid st_size st_atime st_mtime st_ctime", module="os")
_FOLDER_MODE, _FILE_MODE = 0o040755, 0o100644


def _memory():
    import _files

    return _files


def listdir(path="."):
    return _memory().names_in(path)


def mkdir(path, mode=0o777, *, dir_fd=None):
    _memory().make_folder(path)


def makedirs(name, mode=0o777, exist_ok=False):
    files = _memory()
    above = split(files.place(name))[0]
    if files.owns(above) and not files.exists(above):
        makedirs(above, exist_ok=True)
    files.make_folder(name, exist_ok)


def remove(path, *, dir_fd=None):
    _memory().remove(path)


unlink = remove


def rmdir(path, *, dir_fd=None):
    _memory().remove_folder(path)


def rename(src, dst, *, src_dir_fd=None, dst_dir_fd=None):
    _memory().move(src, dst)


replace = rename


def stat(path, *, dir_fd=None, follow_symlinks=True):
    files = _memory()
    size = files.size(path)
    return stat_result(_FOLDER_MODE if files.is_folder(path) else _FILE_MODE, 0, 0, 1, 0, 0, size, 0.0, 0.0, 0.0)


lstat = stat


class DirEntry:
    def __init__(self, folder, name):
        self.name, self.path = name, join(folder, name)

    def is_dir(self, *, follow_symlinks=True):
        return _memory().is_folder(self.path)

    def is_file(self, *, follow_symlinks=True):
        return _memory().is_file(self.path)

    def is_symlink(self):
        return False

    def stat(self, *, follow_symlinks=True):
        return stat(self.path)

    def __fspath__(self):
        return self.path

    def __repr__(self):
        return f"<DirEntry {self.name!r}>"


class _Scan(list):
    def __enter__(self):
        return self

    def __exit__(self, *details):
        pass

    close = __exit__


def scandir(path="."):
    return _Scan([DirEntry(path, name) for name in listdir(path)])


def walk(top, topdown=True, onerror=None, followlinks=False):
    files = _memory()
    if not files.owns(top):
        files.names_in(top)  # refused
    if not files.is_folder(top):
        return
    folders, names = [], []
    for name in listdir(top):
        (folders if files.is_folder(join(top, name)) else names).append(name)
    if topdown:
        yield top, folders, names
    for name in folders:
        yield from walk(join(top, name), topdown)
    if not topdown:
        yield top, folders, names


def close(fd):
    _memory().descriptors.pop(fd)


def fdopen(fd, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None):
    return _memory().open(fd, mode, buffering, encoding, errors, newline)
