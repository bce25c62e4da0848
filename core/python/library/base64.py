# SPDX-License-Identifier: GPL-3.0-or-later
# Python's base64: RFC 4648's alphabets of 16, 32 and 64 signs.

from _refusal import refused_names
import binascii

globals().update(refused_names("base64", "of these there are the bases 16, 32 and 64",
                           "a85encode a85decode b85encode b85decode b32hexencode b32hexdecode encode decode"))
_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


def _bytes(s):
    if isinstance(s, str):
        if not s.isascii():
            raise ValueError("string argument should contain only ASCII characters")
        return s.encode()
    if not isinstance(s, (bytes, bytearray)):
        raise TypeError(f"argument should be a bytes-like object or ASCII string, not {type(s).__name__!r}")
    return bytes(s)


def _swap(data, old, new):
    return bytes(new[old.index(sign)] if sign in old else sign for sign in data)


def b64encode(s, altchars=None):
    data = binascii.b2a_base64(s, newline=False)
    return data if altchars is None else _swap(data, b"+/", altchars)


def b64decode(s, altchars=None, validate=False):
    data = _bytes(s)
    if altchars is not None:
        data = _swap(data, _bytes(altchars), b"+/")
    return binascii.a2b_base64(data, strict_mode=validate)


def standard_b64encode(s):
    return b64encode(s)


def standard_b64decode(s):
    return b64decode(s)


def urlsafe_b64encode(s):
    return b64encode(s, b"-_")


def urlsafe_b64decode(s):
    return b64decode(s, b"-_")


def b32encode(s):
    out = b""
    for at in range(0, len(s), 5):
        part = bytes(s[at:at + 5])
        number = int.from_bytes(part.ljust(5, b"\0"), "big")
        signs = bytes(_LETTERS[number >> shift & 31] for shift in range(35, -1, -5))
        out += signs[:(len(part) * 8 + 4) // 5].ljust(8, b"=")
    return out


def b32decode(s, casefold=False, map01=None):
    data = _bytes(s)
    if len(data) % 8:
        raise binascii.Error("Incorrect padding")
    data = data.upper() if casefold else data
    plain = data.rstrip(b"=")
    if any(sign not in _LETTERS for sign in plain):
        raise binascii.Error("Non-base32 digit found")
    if len(data) - len(plain) not in (0, 1, 3, 4, 6):
        raise binascii.Error("Incorrect padding")
    out = b""
    for at in range(0, len(plain), 8):
        part = plain[at:at + 8]
        number = 0
        for sign in part.ljust(8, b"A"):
            number = number << 5 | _LETTERS.index(sign)
        out += number.to_bytes(5, "big")[:len(part) * 5 // 8]
    return out


def b16encode(s):
    return bytes(s).hex().upper().encode()


def b16decode(s, casefold=False):
    data = _bytes(s)
    data = data.upper() if casefold else data
    if any(sign not in b"0123456789ABCDEF" for sign in data):
        raise binascii.Error("Non-base16 digit found")
    return binascii.unhexlify(data)


def encodebytes(s):
    return b"".join(binascii.b2a_base64(s[at:at + 57]) for at in range(0, len(s), 57))


def decodebytes(s):
    if not isinstance(s, (bytes, bytearray)):
        raise TypeError(f"expected bytes-like object, not {type(s).__name__}")
    return binascii.a2b_base64(s)
