# SPDX-License-Identifier: GPL-3.0-or-later
# Python's binascii: hexadecimal digits, base 64 and checksums.

__all__ = ["Error", "Incomplete", "a2b_base64", "a2b_hex", "b2a_base64", "b2a_hex", "crc32", "crc_hqx", "hexlify",
           "unhexlify"]


class Error(ValueError):
    __module__ = "binascii"


class Incomplete(Exception):
    __module__ = "binascii"


_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_VALUES = {sign: value for value, sign in enumerate(_ALPHABET)}


def _bytes(data):
    if isinstance(data, str):
        if not data.isascii():
            raise ValueError("string argument should contain only ASCII characters")
        return data.encode()
    if not isinstance(data, (bytes, bytearray)):
        raise TypeError(f"argument should be bytes, buffer or ASCII string, not {type(data).__name__!r}")
    return bytes(data)


def _no_text(data):
    if not isinstance(data, (bytes, bytearray)):
        raise TypeError(f"a bytes-like object is required, not {type(data).__name__!r}")
    return bytes(data)


def hexlify(data, sep=None, bytes_per_sep=1):
    data = _no_text(data)
    return (data.hex() if sep is None else data.hex(sep, bytes_per_sep)).encode()


def unhexlify(hexstr, /):
    data = _bytes(hexstr)
    if len(data) % 2:
        raise Error("Odd-length string")
    if any(digit not in b"0123456789abcdefABCDEF" for digit in data):
        raise Error("Non-hexadecimal digit found")
    return bytes.fromhex(data.decode())


a2b_hex, b2a_hex = unhexlify, hexlify


def b2a_base64(data, /, *, newline=True):
    data = _no_text(data)
    out = bytearray()
    for at in range(0, len(data), 3):
        part = data[at:at + 3]
        number = int.from_bytes(part.ljust(3, b"\0"), "big")
        signs = bytes(_ALPHABET[number >> shift & 63] for shift in (18, 12, 6, 0))
        out += signs[:len(part) + 1].ljust(4, b"=")
    return bytes(out) + b"\n" * bool(newline)


def a2b_base64(data, /, *, strict_mode=False):
    data = _bytes(data)
    out, number, count, pads = bytearray(), 0, 0, 0
    for sign in data:
        if sign == 61:
            pads += 1
            if count >= 2 and count + pads >= 4:
                break
            continue
        if sign not in _VALUES:
            if strict_mode:
                raise Error("Only base64 data is allowed")
            continue
        pads = 0
        number = number << 6 | _VALUES[sign]
        count += 1
        if count == 4:
            out += number.to_bytes(3, "big")
            number = count = 0
    if count == 1:
        raise Error(f"Invalid base64-encoded string: number of data characters ({len(out) // 3 * 4 + 1}) cannot be 1 "
                    "more than a multiple of 4")
    if count and count + pads < 4:
        raise Error("Incorrect padding")
    if count:
        out += (number >> (4 if count == 2 else 2)).to_bytes(count - 1, "big")
    return bytes(out)


def crc32(data, crc=0, /):
    crc ^= 0xFFFFFFFF
    for byte in _no_text(data):
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0xEDB88320 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def crc_hqx(data, crc, /):
    for byte in _no_text(data):
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ (0x1021 if crc & 0x8000 else 0)) & 0xFFFF
    return crc
