# SPDX-License-Identifier: GPL-3.0-or-later
# Python's struct: packed numbers and bytes.

from _float_bits import float_of_bits, float_to_bits

__all__ = ["calcsize", "pack", "pack_into", "unpack", "unpack_from", "iter_unpack", "Struct", "error"]


class error(Exception):
    __module__ = "struct"


_SIZES = {"b": 1, "B": 1, "h": 2, "H": 2, "i": 4, "I": 4, "l": 4, "L": 4, "q": 8, "Q": 8, "e": 2, "f": 4, "d": 8,
          "?": 1, "c": 1, "x": 1, "s": 1, "p": 1}
_NATIVE_SIZES = _SIZES | {"l": 8, "L": 8, "n": 8, "N": 8, "P": 8}
_NAMES = {"b": "byte", "B": "ubyte", "h": "short", "H": "ushort"}


class _Item:
    """One code: where its bytes lie, and how many values it stands for, 1 or, of "x", 0."""

    def __init__(self, code, at, size, count):
        self.code, self.at, self.size, self.count = code, at, size, count


def _layout(format):
    """The order of bytes, the items and the size of all."""
    if isinstance(format, (bytes, bytearray)):
        format = format.decode("latin-1")
    if not isinstance(format, str):
        raise TypeError(f"Struct() argument 1 must be a str or bytes object, not {type(format).__name__}")
    sign = format[:1] if format[:1] in tuple("@=<>!") else ""
    native = sign in ("", "@")
    sizes = _NATIVE_SIZES if native else _SIZES
    items, end, at = [], 0, len(sign)
    while at < len(format):
        start = at
        while at < len(format) and format[at] in "0123456789":
            at += 1
        count = int(format[start:at]) if at > start else 1
        if at == len(format):
            raise error("repeat count given without format specifier")
        code = format[at]
        at += 1
        if code.isspace() and at - 1 == start:
            continue
        if code not in sizes:
            raise error("bad char in struct format")
        size = sizes[code]
        if native and size > 1:
            end += -end % size
        if code in "sp":
            items.append(_Item(code, end, count, 1))
        elif code != "x":
            items += [_Item(code, end + size * nth, size, 1) for nth in range(count)]
        end += size * count
    return "big" if sign in (">", "!") else "little", items, end


def _whole(item, value):
    code, bits = item.code, item.size * 8
    if not isinstance(value, int):
        if not hasattr(type(value), "__index__"):
            raise error("required argument is not an integer")
        value = type(value).__index__(value)
    signed = code.islower()
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    if low <= value <= high:
        return value % (1 << bits)
    # C's long or unsigned long comes before the code's own size
    wide = code in "BH" or signed
    if bits == 64 or not (-2**63 <= value < 2**63 if wide else 0 <= value < 2**64):
        raise error("argument out of range")
    raise error(f"{_NAMES.get(code) or repr(code)} format requires {low} <= number <= {high}")


def _packed(item, value, order):
    code, size = item.code, item.size
    if code in "sp":
        if not isinstance(value, (bytes, bytearray)):
            raise error(f"argument for {code!r} must be a bytes object")
        if code == "p":
            value = bytes([min(len(value), size - 1, 255)]) + value[:size - 1] if size else b""
        return bytes(value[:size]).ljust(size, b"\0")
    if code == "c":
        if not isinstance(value, (bytes, bytearray)) or len(value) != 1:
            raise error("char format requires a bytes object of length 1")
        return bytes(value)
    if code == "?":
        return b"\1" if value else b"\0"
    if code in "efd":
        if not isinstance(value, (int, float)) and not hasattr(type(value), "__float__"):
            raise error("required argument is not a float")
        number = float_to_bits(float(value), size)
        if number is None:
            raise OverflowError("float too large to pack with " + code + " format")
    else:
        number = _whole(item, value)
    return number.to_bytes(size, order)


def _unpacked(item, data, order):
    code = item.code
    if code == "s":
        return data
    if code == "p":
        return data[1:1 + data[0]] if data else b""
    if code == "c":
        return data
    if code == "?":
        return data != b"\0"
    if code in "efd":
        return float_of_bits(int.from_bytes(data, order), item.size)
    return int.from_bytes(data, order, signed=code.islower())


class Struct:
    def __init__(self, format):
        self._order, self._items, self.size = _layout(format)
        self.format = format.decode("latin-1") if isinstance(format, bytes) else format

    def _pack(self, where, values):
        if len(values) != len(self._items):
            raise error(f"{where} expected {len(self._items)} items for packing (got {len(values)})")
        out = bytearray(self.size)
        for item, value in zip(self._items, values):
            out[item.at:item.at + item.size] = _packed(item, value, self._order)
        return bytes(out)

    def pack(self, *values):
        return self._pack("pack", values)

    def pack_into(self, buffer, offset, /, *values):
        data = self._pack("pack_into", values)
        start = offset + len(buffer) if offset < 0 else offset
        if offset < 0 and start < 0:
            raise error(f"offset {offset} out of range for {len(buffer)}-byte buffer")
        if offset < 0 and start + self.size > len(buffer):
            raise error(f"no space to pack {self.size} bytes at offset {offset}")
        if start + self.size > len(buffer):
            raise error(f"pack_into requires a buffer of at least {start + self.size} bytes for packing {self.size} "
                        f"bytes at offset {start} (actual buffer size is {len(buffer)})")
        buffer[start:start + self.size] = data

    def _read(self, data):
        return tuple(_unpacked(item, data[item.at:item.at + item.size], self._order) for item in self._items)

    def unpack(self, buffer, /):
        if len(buffer) != self.size:
            raise error(f"unpack requires a buffer of {self.size} bytes")
        return self._read(bytes(buffer))

    def unpack_from(self, buffer, offset=0):
        start = offset + len(buffer) if offset < 0 else offset
        if start < 0:
            raise error(f"offset {offset} out of range for {len(buffer)}-byte buffer")
        if offset < 0 and start + self.size > len(buffer):
            raise error(f"not enough data to unpack {self.size} bytes")
        if start + self.size > len(buffer):
            raise error(f"unpack_from requires a buffer of at least {start + self.size} bytes for unpacking "
                        f"{self.size} bytes at offset {start} (actual buffer size is {len(buffer)})")
        return self._read(bytes(buffer[start:start + self.size]))

    def iter_unpack(self, buffer, /):
        if not self.size:
            raise error("cannot iteratively unpack with a struct of length 0")
        if len(buffer) % self.size:
            raise error(f"iterative unpacking requires a buffer of a multiple of {self.size} bytes")
        return iter([self._read(bytes(buffer[at:at + self.size])) for at in range(0, len(buffer), self.size)])


def calcsize(format, /):
    return Struct(format).size


def pack(format, /, *values):
    return Struct(format).pack(*values)


def pack_into(format, buffer, offset, /, *values):
    Struct(format).pack_into(buffer, offset, *values)


def unpack(format, buffer, /):
    return Struct(format).unpack(buffer)


def unpack_from(format, /, buffer, offset=0):
    return Struct(format).unpack_from(buffer, offset)


def iter_unpack(format, buffer, /):
    return Struct(format).iter_unpack(buffer)
