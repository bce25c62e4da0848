# SPDX-License-Identifier: GPL-3.0-or-later
# Python's zlib. A stream keeps what it was given until it is flushed, and gives the same bytes in the end.

from _zlib import _adler32, _crc32, _deflate, _inflater

DEFLATED, DEF_MEM_LEVEL, DEF_BUF_SIZE, MAX_WBITS = 8, 8, 16384, 15
Z_NO_COMPRESSION, Z_BEST_SPEED, Z_BEST_COMPRESSION, Z_DEFAULT_COMPRESSION = 0, 1, 9, -1
Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED = range(5)
Z_NO_FLUSH, Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_FINISH, Z_BLOCK, Z_TREES = range(7)
ZLIB_VERSION = ZLIB_RUNTIME_VERSION = "1.2.13"
_names = {-2: "inconsistent stream state", -3: "invalid input data", -5: "incomplete or truncated stream"}


class error(Exception):
    pass


def _bytes(data):
    if isinstance(data, (bytes, bytearray)):
        return bytes(data)
    raise TypeError(f"a bytes-like object is required, not '{type(data).__name__}'")


def _packed(data, level, wbits):
    if not -1 <= level <= 9:
        raise error("Bad compression level")
    packed, code = _deflate(data, level, wbits)
    if code != 1:
        raise error(f"Error {code} while compressing data")
    return packed


def compress(data, /, level=-1, wbits=15):
    return _packed(_bytes(data), level, wbits)


def _unpacked(inflate, data):
    """The bytes, how many of the data were taken, and whether the stream has come to its end."""
    found, code, message, taken = inflate(data)
    if code not in (0, 1, -5):
        said = message or _names.get(code)
        raise error(f"Error {code} while decompressing data" + (f": {said}" if said else ""))
    return found, taken, code == 1


def decompress(data, /, wbits=15, bufsize=16384):
    data = _bytes(data)
    code, (inflate, _) = _inflater(wbits)
    if code:
        raise error(f"Error {code} while preparing to decompress data: {_names.get(code)}")
    found, _, is_done = _unpacked(inflate, data)
    if not is_done:
        raise error("Error -5 while decompressing data: incomplete or truncated stream")
    return found


class _Compress:
    def __init__(self, level, wbits):
        self._parts, self._level, self._wbits = [], level, wbits

    def compress(self, data, /):
        self._parts.append(_bytes(data))
        return b""

    def flush(self, mode=Z_FINISH, /):
        if mode != Z_FINISH:
            raise NotImplementedError("not supported: flush() of a stream that goes on")
        return _packed(b"".join(self._parts), self._level, self._wbits)

    def copy(self):
        other = _Compress(self._level, self._wbits)
        other._parts = self._parts[:]
        return other


def compressobj(level=-1, method=DEFLATED, wbits=15, memLevel=8, strategy=0, zdict=None):
    if memLevel != 8 or strategy or zdict is not None:
        raise NotImplementedError("not supported: compressobj() with a memLevel, strategy or zdict")
    return _Compress(level, wbits)


class _Decompress:
    def __init__(self, wbits):
        code, (self._inflate, self._copy) = _inflater(wbits)
        if code:
            raise ValueError("Invalid initialization option")
        self.unused_data, self.unconsumed_tail, self.eof = b"", b"", False

    def decompress(self, data, /, max_length=0):
        if max_length:
            raise NotImplementedError("not supported: decompress() with a max_length")
        data = _bytes(data)
        if self.eof:
            self.unused_data += data
            return b""
        found, taken, self.eof = _unpacked(self._inflate, data)
        if self.eof:
            self.unused_data = data[taken:]
        return found

    def flush(self, length=DEF_BUF_SIZE, /):
        return b""

    def copy(self):
        other = object.__new__(_Decompress)
        other.__dict__.update(self.__dict__)
        other._inflate, other._copy = self._copy()
        return other


def decompressobj(wbits=15, zdict=None):
    if zdict is not None:
        raise NotImplementedError("not supported: decompressobj() with a zdict")
    return _Decompress(wbits)


def crc32(data, value=0, /):
    return _crc32(_bytes(data), value)


def adler32(data, value=1, /):
    return _adler32(_bytes(data), value)
