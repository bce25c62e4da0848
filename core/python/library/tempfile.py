# SPDX-License-Identifier: GPL-3.0-or-later
# Python's tempfile, in memory: the files and folders that it gives are the program's own (_files.py).

import _files

from os.path import join

tempdir = None
template = "tmp"
TMP_MAX = 10000
_count = 0


def gettempdir():
    return tempdir or "/tmp"


def gettempprefix():
    return template


def gettempdirb():
    return gettempdir().encode()


def mktemp(suffix="", prefix=template, dir=None):
    global _count
    _count += 1
    digits = ""
    number = _count * 7919
    for _ in range(8):
        number, at = divmod(number, 36)
        digits += "abcdefghijklmnopqrstuvwxyz_012345678"[at]
    return join(gettempdir() if dir is None else dir, f"{template if prefix is None else prefix}{digits}{suffix or ''}")


def _make(suffix, prefix, dir, is_folder):
    path = mktemp(suffix, prefix, dir)
    if dir is None or not _files.owns(dir):
        _files.make_root(path, is_folder)
    elif is_folder:
        _files.make_folder(path)
    else:
        _files.open(path, "x").close()
    return path


def _drop(path):
    if _files.exists(path):
        _files.drop_root(path)


def mkdtemp(suffix=None, prefix=None, dir=None):
    return _make(suffix, prefix, dir, True)


def mkstemp(suffix=None, prefix=None, dir=None, text=False):
    path = _make(suffix, prefix, dir, False)
    return _files.open(path, "r+b").fileno(), path


class TemporaryDirectory:
    def __init__(self, suffix=None, prefix=None, dir=None, ignore_cleanup_errors=False):
        self.name = mkdtemp(suffix, prefix, dir)

    def __repr__(self):
        return f"<{type(self).__name__} {self.name!r}>"

    def __enter__(self):
        return self.name

    def __exit__(self, exc, value, tb):
        self.cleanup()

    def cleanup(self):
        _drop(self.name)


class _TemporaryFileWrapper:
    def __init__(self, file, name, delete=True):
        self.file, self.name, self.delete = file, name, delete

    def __getattr__(self, name):
        return getattr(self.__dict__["file"], name)

    def __enter__(self):
        self.file.__enter__()
        return self

    def __exit__(self, exc, value, tb):
        self.close()

    def __iter__(self):
        return iter(self.file)

    def close(self):
        self.file.close()
        if self.delete:
            _drop(self.name)


def NamedTemporaryFile(mode="w+b", buffering=-1, encoding=None, newline=None, suffix=None, prefix=None, dir=None, delete=True, *,
                       errors=None):
    path = _make(suffix, prefix, dir, False)
    return _TemporaryFileWrapper(_files.open(path, mode, buffering, encoding, errors, newline), path, delete)


def TemporaryFile(mode="w+b", buffering=-1, encoding=None, newline=None, suffix=None, prefix=None, dir=None, *, errors=None):
    path = _make(suffix, prefix, dir, False)
    opened = _files.open(path, mode, buffering, encoding, errors, newline)
    _drop(path)
    return opened


def SpooledTemporaryFile(max_size=0, mode="w+b", buffering=-1, encoding=None, newline=None, suffix=None, prefix=None, dir=None, *,
                         errors=None):
    return TemporaryFile(mode, buffering, encoding, newline, suffix, prefix, dir, errors=errors)
