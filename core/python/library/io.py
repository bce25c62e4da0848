# SPDX-License-Identifier: GPL-3.0-or-later
# Python's io: texts and bytes that are read and written in memory; files are refused.

from _refusal import refused, refused_class
from abc import ABCMeta

_reason = "a traced program reaches no files"
SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2
DEFAULT_BUFFER_SIZE = 8192


class UnsupportedOperation(OSError, ValueError):
    __module__ = "io"


class IOBase(metaclass=ABCMeta):
    closed = False

    def _unsupported(self, name):
        raise UnsupportedOperation(name)

    def seek(self, offset, whence=0):
        self._unsupported("seek")

    def tell(self):
        return self.seek(0, 1)

    def truncate(self, size=None):
        self._unsupported("truncate")

    def fileno(self):
        self._unsupported("fileno")

    def _check_usable(self):
        if self.closed:
            raise ValueError("I/O operation on closed file.")

    def flush(self):
        self._check_usable()

    def close(self):
        self.closed = True

    def readable(self):
        return False

    writable = seekable = readable

    def isatty(self):
        self._check_usable()
        return False

    def __enter__(self):
        self._check_usable()
        return self

    def __exit__(self, *details):
        self.close()

    def __iter__(self):
        self._check_usable()
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def readlines(self, hint=None):
        lines, total = [], 0
        for line in self:
            lines.append(line)
            total += len(line)
            if hint is not None and 0 < hint <= total:
                break
        return lines

    def writelines(self, lines):
        for line in lines:
            self.write(line)


class RawIOBase(IOBase):
    pass


class BufferedIOBase(IOBase):
    pass


class TextIOBase(IOBase):
    encoding = errors = newlines = None


class _Memory:
    """What StringIO and BytesIO share: `_data` is a text, or a bytearray, and `_at` a place in it."""

    _at = 0

    def _check_open(self):
        if self.closed:
            raise ValueError("I/O operation on closed file" + self._dot)

    def readable(self):
        self._check_open()
        return True

    writable = seekable = readable

    def tell(self):
        self._check_open()
        return self._at

    def getvalue(self):
        self._check_open()
        return self._plain(self._data)

    def _take(self, end):
        start, self._at = self._at, max(end, self._at)
        return self._plain(self._data[start:end])

    def read(self, size=-1, /):
        self._check_open()
        return self._take(len(self._data) if size is None or size < 0 else self._at + size)

    def readline(self, size=-1, /):
        self._check_open()
        end = self._data.find(self._line_end, self._at) + 1 or len(self._data)
        return self._take(end if size is None or size < 0 else min(end, self._at + size))

    def truncate(self, size=None, /):
        self._check_open()
        size = self._at if size is None else size
        if size < 0:
            raise ValueError(f"{'n' if self._dot else 'N'}egative size value {size}")
        self._data = self._data[:size]
        return size

    def _put(self, data):
        missing = self._at - len(self._data)
        if missing > 0:
            self._data += self._zero * missing
        self._data = self._data[:self._at] + data + self._data[self._at + len(data):]
        self._at += len(data)
        return len(data)


class StringIO(_Memory, TextIOBase):
    _line_end, _zero, _dot = "\n", "\0", ""

    def __init__(self, initial_value="", newline="\n"):
        if initial_value is not None and not isinstance(initial_value, str):
            raise TypeError(f"initial_value must be str or None, not {type(initial_value).__name__}")
        if newline not in (None, "", "\n", "\r", "\r\n"):
            raise ValueError(f"illegal newline value: {newline!r}")
        self._newline = newline
        self._data = self._translated(initial_value or "")

    def _translated(self, text):
        if self._newline is None:
            return text.replace("\r\n", "\n").replace("\r", "\n")
        return text.replace("\n", self._newline) if self._newline in ("\r", "\r\n") else text

    @staticmethod
    def _plain(data):
        return data

    def write(self, s, /):
        self._check_open()
        if not isinstance(s, str):
            raise TypeError(f"string argument expected, got {type(s).__name__!r}")
        if s:
            text = self._translated(s)
            # most writes are at the end
            if self._at == len(self._data):
                self._data += text
                self._at += len(text)
            else:
                self._put(text)
        return len(s)

    def seek(self, pos, whence=0, /):
        self._check_open()
        if whence not in (0, 1, 2):
            raise ValueError(f"Invalid whence ({whence}, should be 0, 1 or 2)")
        if whence == 0 and pos < 0:
            raise ValueError(f"Negative seek position {pos}")
        if whence and pos:
            raise OSError("Can't do nonzero cur-relative seeks")
        self._at = (pos, self._at, len(self._data))[whence]
        return self._at


class _Buffer(bytes):
    """A copy of what a BytesIO holds, with what a memoryview says of it."""

    nbytes = property(len)
    itemsize, readonly, format = 1, True, "B"

    def tobytes(self):
        return bytes(self)

    def __enter__(self):
        return self

    def __exit__(self, *details):
        pass

    def release(self):
        pass


class BytesIO(_Memory, BufferedIOBase):
    _line_end, _zero, _dot = b"\n", b"\0", "."

    def __init__(self, initial_bytes=b""):
        if initial_bytes is not None and not isinstance(initial_bytes, (bytes, bytearray)):
            raise TypeError(f"a bytes-like object is required, not {type(initial_bytes).__name__!r}")
        self._data = bytearray(initial_bytes or b"")

    @staticmethod
    def _plain(data):
        return bytes(data)

    def getbuffer(self):
        return _Buffer(self.getvalue())

    read1 = _Memory.read

    def readinto(self, buffer, /):
        data = self.read(len(buffer))
        buffer[:len(data)] = data
        return len(data)

    def write(self, b, /):
        self._check_open()
        if not isinstance(b, (bytes, bytearray)):
            raise TypeError(f"a bytes-like object is required, not {type(b).__name__!r}")
        if self._at == len(self._data):
            self._data += b
            self._at += len(b)
            return len(b)
        return self._put(b) if b else 0

    def seek(self, pos, whence=0, /):
        self._check_open()
        if whence not in (0, 1, 2):
            raise ValueError(f"invalid whence ({whence}, should be 0, 1 or 2)")
        if whence == 0 and pos < 0:
            raise ValueError(f"negative seek value {pos}")
        self._at = max(0, (0, self._at, len(self._data))[whence] + pos)
        return self._at


def _refused_kind(name, base):
    return type(name, (refused_class("io", name, _reason), base), {"__module__": "io"})


FileIO = _refused_kind("FileIO", RawIOBase)
BufferedReader, BufferedWriter, BufferedRandom, BufferedRWPair = [
    _refused_kind(name, BufferedIOBase)
    for name in ("BufferedReader", "BufferedWriter", "BufferedRandom", "BufferedRWPair")]
TextIOWrapper = _refused_kind("TextIOWrapper", TextIOBase)
IncrementalNewlineDecoder = refused_class("io", "IncrementalNewlineDecoder", _reason)
open_code = refused("io", "open_code", _reason)
open = open


def text_encoding(encoding, stacklevel=2, /):
    return encoding or "locale"
