# SPDX-License-Identifier: GPL-3.0-or-later
# Python's pathlib: names, and the files that a program has in memory; both home and the current folder are "/".

from _refusal import refused, refused_class
from collections.abc import Sequence
from fnmatch import fnmatchcase
from os import PathLike, fspath
import os

__all__ = ["PurePath", "PurePosixPath", "PureWindowsPath", "Path", "PosixPath", "WindowsPath"]


def _split(texts):
    """The root, "", "/" or "//", and the names below it."""
    root, names = "", []
    for text in texts:
        if text.startswith("/"):
            root = "//" if text.startswith("//") and not text.startswith("///") else "/"
            names = []
        names += [name for name in text.split("/") if name not in ("", ".")]
    return root, names


def _text(part):
    if isinstance(part, PurePath):
        return str(part)
    text = fspath(part)
    if not isinstance(text, str):
        raise TypeError("argument should be a str object or an os.PathLike object returning str, "
                        f"not {type(text)!r}")
    return text


class _Parents(Sequence):
    def __init__(self, path):
        self._path = path

    def __len__(self):
        return len(self._path._names)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return tuple(self[at] for at in range(*index.indices(len(self))))
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        index += len(self) if index < 0 else 0
        return self._path._made(self._path._root, self._path._names[:len(self) - index - 1])

    def __repr__(self):
        return f"<{type(self._path).__name__}.parents>"


class PurePath:
    __slots__ = ("_root", "_names", "__weakref__")

    def __new__(cls, *args, **kwargs):
        if cls is PurePath:
            cls = PurePosixPath
        return cls._made(*_split([_text(part) for part in args]))

    @classmethod
    def _made(cls, root, names):
        path = object.__new__(cls)
        path._root, path._names = root, tuple(names)
        return path

    def __reduce__(self):
        return type(self), self.parts

    def __str__(self):
        return self._root + "/".join(self._names) or "."

    def __fspath__(self):
        return str(self)

    def as_posix(self):
        return str(self)

    def __bytes__(self):
        return os.fsencode(self)

    def __repr__(self):
        return f"{type(self).__name__}({str(self)!r})"

    def as_uri(self):
        from urllib.parse import quote_from_bytes

        if not self.is_absolute():
            raise ValueError("relative path can't be expressed as a file URI")
        return "file://" + quote_from_bytes(bytes(self))

    def __eq__(self, other):
        return self.parts == other.parts if isinstance(other, PurePath) else NotImplemented

    def __hash__(self):
        return hash(self.parts)

    def __lt__(self, other):
        return self.parts < other.parts if isinstance(other, PurePath) else NotImplemented

    def __le__(self, other):
        return self.parts <= other.parts if isinstance(other, PurePath) else NotImplemented

    def __gt__(self, other):
        return self.parts > other.parts if isinstance(other, PurePath) else NotImplemented

    def __ge__(self, other):
        return self.parts >= other.parts if isinstance(other, PurePath) else NotImplemented

    def __class_getitem__(cls, item):
        from _typing_forms import _Alias

        return _Alias(cls, item, f"pathlib.{cls.__name__}")

    drive = property(lambda self: "")
    root = anchor = property(lambda self: self._root)
    parts = property(lambda self: ((self._root,) if self._root else ()) + self._names)
    name = property(lambda self: self._names[-1] if self._names else "")
    parents = property(_Parents)

    @property
    def parent(self):
        return self._made(self._root, self._names[:-1]) if self._names else self

    @property
    def suffix(self):
        at = self.name.rfind(".")
        return self.name[at:] if 0 < at < len(self.name) - 1 else ""

    @property
    def suffixes(self):
        if self.name.endswith("."):
            return []
        return ["." + part for part in self.name.lstrip(".").split(".")[1:]]

    @property
    def stem(self):
        return self.name[:len(self.name) - len(self.suffix)]

    def with_name(self, name):
        if not self.name:
            raise ValueError(f"{self!r} has an empty name")
        if not name or "/" in name or name == ".":
            raise ValueError(f"Invalid name {name!r}")
        return self._made(self._root, self._names[:-1] + (name,))

    def with_stem(self, stem):
        return self.with_name(stem + self.suffix)

    def with_suffix(self, suffix):
        if "/" in suffix or suffix and not suffix.startswith(".") or suffix == ".":
            raise ValueError(f"Invalid suffix {suffix!r}")
        if not self.name:
            raise ValueError(f"{self!r} has an empty name")
        return self._made(self._root, self._names[:-1] + (self.stem + suffix,))

    def joinpath(self, *args):
        return self._made(*_split([str(self), *map(_text, args)]))

    def __truediv__(self, key):
        return self.joinpath(key) if isinstance(key, (str, PathLike)) else NotImplemented

    def __rtruediv__(self, key):
        return self._made(*_split([_text(key), str(self)])) if isinstance(key, (str, PathLike)) else NotImplemented

    def relative_to(self, *other):
        if not other:
            raise TypeError("need at least one argument")
        base = type(self)(*other)
        if not self.is_relative_to(base):
            raise ValueError(f"{str(self)!r} is not in the subpath of {str(base)!r} "
                             "OR one path is relative and the other is absolute.")
        return self._made("", self._names[len(base._names):])

    def is_relative_to(self, *other):
        if not other:
            raise TypeError("need at least one argument")
        base = type(self)(*other)
        return self._root == base._root and self._names[:len(base._names)] == base._names

    def is_absolute(self):
        return bool(self._root)

    def is_reserved(self):
        return False

    def match(self, path_pattern):
        pattern = type(self)(path_pattern)
        if not pattern.parts:
            raise ValueError("empty pattern")
        if pattern._root and (pattern._root != self._root or len(pattern.parts) != len(self.parts)):
            return False
        if len(pattern._names) > len(self.parts):
            return False
        return all(fnmatchcase(part, wanted)
                   for part, wanted in zip(reversed(self.parts), reversed(pattern._names)))


PathLike.register(PurePath)


class PurePosixPath(PurePath):
    __slots__ = ()


class Path(PurePath):
    __slots__ = ()

    def __new__(cls, *args, **kwargs):
        return super().__new__(PosixPath if cls is Path else cls, *args)

    def __enter__(self):
        return self

    def __exit__(self, *details):
        pass

    @classmethod
    def cwd(cls):
        return cls("/")

    @classmethod
    def home(cls):
        return cls("/")

    def absolute(self):
        return self if self.is_absolute() else self._made("/", self._names)

    def resolve(self, strict=False):
        return type(self)(os.path.realpath(str(self)))

    def expanduser(self):
        return self

    def exists(self):
        return os.path.exists(self)

    def is_file(self):
        return os.path.isfile(self)

    def is_dir(self):
        return os.path.isdir(self)

    def is_symlink(self):
        return False

    is_mount = is_socket = is_fifo = is_block_device = is_char_device = is_symlink

    def open(self, mode="r", buffering=-1, encoding=None, errors=None, newline=None):
        return open(self, mode, buffering, encoding, errors, newline)

    def read_bytes(self):
        with self.open("rb") as file:
            return file.read()

    def read_text(self, encoding=None, errors=None):
        with self.open("r", -1, encoding, errors) as file:
            return file.read()

    def write_bytes(self, data):
        with self.open("wb") as file:
            return file.write(data)

    def write_text(self, data, encoding=None, errors=None, newline=None):
        if not isinstance(data, str):
            raise TypeError(f"data must be str, not {type(data).__name__}")
        with self.open("w", -1, encoding, errors, newline) as file:
            return file.write(data)

    def touch(self, mode=0o666, exist_ok=True):
        self.open("a" if exist_ok else "x").close()

    def mkdir(self, mode=0o777, parents=False, exist_ok=False):
        if parents:
            os.makedirs(self, exist_ok=exist_ok)
        elif not (exist_ok and self.is_dir()):
            os.mkdir(self)

    def iterdir(self):
        for name in os.listdir(self):
            yield self / name

    def _glob(self, pattern):
        from glob import glob
        pattern = str(pattern)
        if not pattern:
            raise ValueError(f"Unacceptable pattern: {pattern!r}")
        for found in glob(os.path.join(str(self), pattern), recursive=True, include_hidden=True):
            yield type(self)(found)

    def glob(self, pattern):
        return self._glob(pattern)

    def rglob(self, pattern):
        return self._glob(f"**/{pattern}")

    def unlink(self, missing_ok=False):
        if not (missing_ok and not self.exists()):
            os.remove(self)

    def rmdir(self):
        os.rmdir(self)

    def rename(self, target):
        os.rename(self, target)
        return type(self)(target)

    replace = rename

    def stat(self, *, follow_symlinks=True):
        return os.stat(self)

    lstat = stat

    def samefile(self, other_path):
        return os.path.samefile(self, other_path)


for _method in "chmod group hardlink_to lchmod link_to owner readlink symlink_to".split():
    setattr(Path, _method, refused("pathlib", f"Path.{_method}", "a traced program reaches no files"))


class PosixPath(Path, PurePosixPath):
    __slots__ = ()


PureWindowsPath = refused_class("pathlib", "PureWindowsPath", "paths here are those of Linux")
WindowsPath = type("WindowsPath", (PureWindowsPath,), {"__module__": "pathlib"})
