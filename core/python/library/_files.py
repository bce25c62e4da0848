# SPDX-License-Identifier: GPL-3.0-or-later
# Files that a program makes for itself, in memory: all that is below the places that tempfile gives. Nothing else is reached.

import sys

from io import BytesIO, StringIO, UnsupportedOperation
from os import fspath
from os.path import abspath, basename, dirname

_FOLDER = object()
_entries = {}  # _FOLDER, or the content of a file, by its path
_roots = set()
descriptors = {}


class _Content:
    def __init__(self):
        self.data = bytearray()


def place(path):
    path = fspath(path)
    return abspath(path.decode() if isinstance(path, bytes) else path)


def owns(path):
    """Whether the path is one of those in memory, be there something or not."""
    path = place(path)
    while path not in _roots:
        if path == "/":
            return False
        path = dirname(path)
    return True


def make_root(path, is_folder):
    _roots.add(path)
    _entries[path] = _FOLDER if is_folder else _Content()


def drop_root(path):
    for each in [each for each in _entries if each == path or each.startswith(path + "/")]:
        del _entries[each]
    _roots.discard(path)


def exists(path):
    return place(path) in _entries


def is_folder(path):
    return _entries.get(place(path)) is _FOLDER


def is_file(path):
    return exists(path) and not is_folder(path)


def _refuse(name):
    raise NotImplementedError(f"not supported: '{name}': nothing outside of the source is touched")


def _fail(code, path):
    from os import strerror

    raise OSError(code, strerror(code), path)


def _entry(path, name):
    if not owns(path):
        _refuse(name)
    if not exists(path):
        _fail(2, fspath(path))
    return _entries[place(path)]


def size(path):
    entry = _entry(path, "os.stat")
    return 4096 if entry is _FOLDER else len(entry.data)


def names_in(path):
    if _entry(path, "os.listdir") is not _FOLDER:
        _fail(20, fspath(path))
    above = place(path)
    return [basename(each) for each in _entries if dirname(each) == above and each != above]


def make_folder(path, exist_ok=False):
    if not owns(path):
        _refuse("os.mkdir")
    if exists(path):
        if exist_ok and is_folder(path):
            return
        _fail(17, fspath(path))
    if not is_folder(dirname(place(path))):
        _fail(2, fspath(path))
    _entries[place(path)] = _FOLDER


def remove(path):
    if _entry(path, "os.remove") is _FOLDER:
        _fail(21, fspath(path))
    del _entries[place(path)]


def remove_folder(path):
    if names_in(path):
        _fail(39, fspath(path))
    del _entries[place(path)]


def move(source, target):
    _entry(source, "os.rename")
    if not owns(target):
        _refuse("os.rename")
    start, end = place(source), place(target)
    if not is_folder(dirname(end)):
        _fail(2, fspath(source))
    for each in [each for each in _entries if each == start or each.startswith(start + "/")]:
        _entries[end + each[len(start):]] = _entries.pop(each)


def find_source(name):
    """A module in one of the folders of sys.path: its path, its text, and whether it is a package."""
    for folder in sys.path:
        if isinstance(folder, str) and owns(folder):
            at = place(folder) + "/" + name.replace(".", "/")
            for path, is_package in ((at + "/__init__.py", True), (at + ".py", False)):
                if is_file(path):
                    return path, _entries[path].data.decode(), is_package
    return None


class _Opened:
    """What both kinds of file know: which content they are of, and what may be done to it."""

    def _set_up(self, content, path, mode):
        self._content, self.name, self.mode = content, path, mode
        self._reads, self._writes = "r" in mode or "+" in mode, "r" not in mode or "+" in mode
        self._appends = "a" in mode

    def readable(self):
        return self._reads

    def writable(self):
        return self._writes

    def fileno(self):
        descriptors[len(descriptors) + 3] = self
        return len(descriptors) + 2

    def _check_reads(self):
        self._check_open()
        if not self._reads:
            raise UnsupportedOperation("not readable" if "b" not in self.mode else "read")

    def _check_writes(self, name):
        self._check_open()
        if not self._writes:
            raise UnsupportedOperation("not writable" if "b" not in self.mode else name)

    def __repr__(self):
        return f"<{type(self).__name__} name={self.name!r} mode={self.mode!r}>"


class _BytesFile(_Opened, BytesIO):
    def __init__(self, content, path, mode):
        self._set_up(content, path, mode)
        if self._appends:
            self._at = len(content.data)

    @property
    def _data(self):
        return self._content.data

    @_data.setter
    def _data(self, data):
        self._content.data = data

    def read(self, size=-1, /):
        self._check_reads()
        return super().read(size)

    read1 = read

    def readline(self, size=-1, /):
        self._check_reads()
        return super().readline(size)

    def write(self, b, /):
        self._check_writes("write")
        if self._appends:
            self._at = len(self._data)
        return super().write(b)

    def truncate(self, size=None, /):
        self._check_writes("truncate")
        return super().truncate(size)


class _TextFile(_Opened, StringIO):
    _dot = "."

    def __init__(self, content, path, mode, encoding, errors, newline):
        self._set_up(content, path, mode)
        self.encoding, self.errors, self._reading = encoding or "UTF-8", errors or "strict", newline
        super().__init__("", "\n" if newline is None else newline)
        self._load()
        if self._appends:
            self._at = len(self._data)

    def _load(self):
        text = self._content.data.decode(self.encoding, self.errors)
        self._data = text.replace("\r\n", "\n").replace("\r", "\n") if self._reading is None else text

    def read(self, size=-1, /):
        self._check_reads()
        return super().read(size)

    def readline(self, size=-1, /):
        self._check_reads()
        return super().readline(size)

    def write(self, s, /):
        self._check_writes("write")
        if self._appends:
            self._at = len(self._data)
        is_end = self._at == len(self._data)
        before = len(self._data)
        count = super().write(s)
        if is_end:
            self._content.data += self._data[before:].encode(self.encoding, self.errors)
        else:
            self._content.data = bytearray(self._data.encode(self.encoding, self.errors))
        return count

    def truncate(self, size=None, /):
        self._check_writes("truncate")
        size = super().truncate(size)
        self._content.data = bytearray(self._data.encode(self.encoding, self.errors))
        return size

    def seek(self, pos, whence=0, /):
        self._load()
        return super().seek(pos, whence)


def _check_mode(mode):
    if not isinstance(mode, str):
        raise TypeError(f"open() argument 'mode' must be str, not {type(mode).__name__}")
    if len(set(mode)) != len(mode) or set(mode) - set("rwaxbt+"):
        raise ValueError(f"invalid mode: {mode!r}")
    if "b" in mode and "t" in mode:
        raise ValueError("can't have text and binary mode at once")
    if len([letter for letter in mode if letter in "rwax"]) != 1:
        raise ValueError("must have exactly one of create/read/write/append mode")


def open(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None):
    _check_mode(mode)
    if isinstance(file, int):
        if file not in descriptors:
            _refuse("open")
        found = descriptors[file]
        content, path = found._content, found.name
    else:
        if not owns(file):
            _refuse("open")
        path, at = fspath(file), place(file)
        if _entries.get(at) is _FOLDER:
            _fail(21, path)
        if at in _entries and "x" in mode:
            _fail(17, path)
        if at not in _entries:
            if "r" in mode or not is_folder(dirname(at)):
                _fail(2, path)
            _entries[at] = _Content()
        content = _entries[at]
    if "w" in mode:
        content.data = bytearray()
    if "b" in mode:
        if encoding is not None:
            raise ValueError("binary mode doesn't take an encoding argument")
        return _BytesFile(content, path, mode)
    return _TextFile(content, path, mode, encoding, errors, newline)
