# SPDX-License-Identifier: GPL-3.0-or-later
# The half of urllib.parse that deals with %xx escapes and with queries.

_ALWAYS_SAFE = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-~"


def quote_from_bytes(bs, safe="/"):
    if not isinstance(bs, (bytes, bytearray)):
        raise TypeError("quote_from_bytes() expected bytes")
    safe = safe.encode("ascii", "ignore") if isinstance(safe, str) else bytes(byte for byte in safe if byte < 128)
    kept = _ALWAYS_SAFE + safe
    return "".join(chr(byte) if byte in kept else f"%{byte:02X}" for byte in bs)


def quote(string, safe="/", encoding=None, errors=None):
    if isinstance(string, str):
        string = string.encode(encoding or "utf-8", errors or "strict")
    elif encoding is not None:
        raise TypeError("quote() doesn't support 'encoding' for bytes")
    elif errors is not None:
        raise TypeError("quote() doesn't support 'errors' for bytes")
    return quote_from_bytes(string, safe)


def quote_plus(string, safe="", encoding=None, errors=None):
    if isinstance(string, str) and " " not in string or isinstance(string, bytes) and b" " not in string:
        return quote(string, safe, encoding, errors)
    return quote(string, safe + (" " if isinstance(safe, str) else b" "), encoding, errors).replace(" ", "+")


def unquote_to_bytes(string):
    if isinstance(string, str):
        string = string.encode()
    first, *parts = bytes(string).split(b"%")
    out = bytearray(first)
    for part in parts:
        digits = part[:2]
        if len(digits) == 2 and all(digit in b"0123456789abcdefABCDEF" for digit in digits):
            out.append(int(digits.decode(), 16))
            out += part[2:]
        else:
            out += b"%" + part
    return bytes(out)


def unquote(string, encoding="utf-8", errors="replace"):
    encoding, errors = encoding or "utf-8", errors or "replace"
    if isinstance(string, bytes):
        return unquote_to_bytes(string).decode(encoding, errors)
    if "%" not in string:
        return string
    # what is not ASCII stands for itself, and is no part of an encoded character
    out, at = "", 0
    while at < len(string):
        end = at
        plain = string[at].isascii()
        while end < len(string) and string[end].isascii() == plain:
            end += 1
        run = string[at:end]
        out += unquote_to_bytes(run).decode(encoding, errors) if plain else run
        at = end
    return out


def unquote_plus(string, encoding="utf-8", errors="replace"):
    return unquote(string.replace("+", " "), encoding, errors)


def parse_qsl(qs, keep_blank_values=False, strict_parsing=False, encoding="utf-8", errors="replace",
              max_num_fields=None, separator="&"):
    is_bytes = isinstance(qs, (bytes, bytearray))
    if not separator or not isinstance(separator, (str, bytes)):
        raise ValueError("Separator must be of type string or bytes.")
    text = qs.decode("ascii", "strict") if is_bytes else qs
    if isinstance(separator, bytes):
        separator = separator.decode("ascii")
    if max_num_fields is not None and text.count(separator) + 1 > max_num_fields:
        raise ValueError("Max number of fields exceeded")
    pairs = []
    for field in text.split(separator):
        if not field and not strict_parsing:
            continue
        name, equals, value = field.partition("=")
        if not equals:
            if strict_parsing:
                raise ValueError(f"bad query field: {field!r}")
            if not keep_blank_values:
                continue
        if value or keep_blank_values:
            pair = tuple(unquote_plus(part, encoding, errors) for part in (name, value))
            pairs.append(tuple(part.encode("ascii") for part in pair) if is_bytes else pair)
    return pairs


def parse_qs(qs, keep_blank_values=False, strict_parsing=False, encoding="utf-8", errors="replace",
             max_num_fields=None, separator="&"):
    result = {}
    for name, value in parse_qsl(qs, keep_blank_values, strict_parsing, encoding, errors, max_num_fields, separator):
        result.setdefault(name, []).append(value)
    return result


def urlencode(query, doseq=False, safe="", encoding=None, errors=None, quote_via=quote_plus):
    if hasattr(query, "items"):
        query = query.items()
    elif not hasattr(query, "__len__") or len(query) and not isinstance(query[0], tuple):
        raise TypeError("not a valid non-string sequence or mapping object")

    def quoted(part):
        if isinstance(part, bytes):
            return quote_via(part, safe)
        return quote_via(str(part), safe, encoding, errors)

    fields = []
    for name, value in query:
        many = doseq and not isinstance(value, (str, bytes)) and hasattr(value, "__len__")
        fields += [f"{quoted(name)}={quoted(one)}" for one in (value if many else [value])]
    return "&".join(fields)
