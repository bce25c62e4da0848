# SPDX-License-Identifier: GPL-3.0-or-later
# Python's urllib.parse: URLs taken apart and put together (RFC 3986). Escapes and queries are in _quoting.

from collections import namedtuple
from urllib._quoting import (parse_qs, parse_qsl, quote, quote_from_bytes, quote_plus, unquote, unquote_plus,
                             unquote_to_bytes, urlencode)

__all__ = ["urlparse", "urlunparse", "urljoin", "urldefrag", "urlsplit", "urlunsplit", "urlencode", "parse_qs",
           "parse_qsl", "quote", "quote_plus", "quote_from_bytes", "unquote", "unquote_plus", "unquote_to_bytes",
           "DefragResult", "ParseResult", "SplitResult", "DefragResultBytes", "ParseResultBytes", "SplitResultBytes"]

uses_relative = ["", "ftp", "http", "gopher", "nntp", "imap", "wais", "file", "https", "shttp", "mms", "prospero",
                 "rtsp", "rtsps", "rtspu", "sftp", "svn", "svn+ssh", "ws", "wss"]
uses_netloc = ["", "ftp", "http", "gopher", "nntp", "telnet", "imap", "wais", "file", "mms", "https", "shttp", "snews",
               "prospero", "rtsp", "rtsps", "rtspu", "rsync", "svn", "svn+ssh", "sftp", "nfs", "git", "git+ssh", "ws",
               "wss", "itms-services"]
uses_params = ["", "ftp", "hdl", "prospero", "http", "imap", "https", "shttp", "rtsp", "rtsps", "rtspu", "sip", "sips",
               "mms", "sftp", "tel"]
scheme_chars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-."


class _Encoded:
    __slots__ = ()

    def encode(self, encoding="ascii", errors="strict"):
        return _of_bytes[type(self)](*(part.encode(encoding, errors) for part in self))


class _Decoded:
    __slots__ = ()

    def decode(self, encoding="ascii", errors="strict"):
        kind = next(text for text, other in _of_bytes.items() if other is type(self))
        return kind(*(part.decode(encoding, errors) for part in self))


class _Netloc:
    """user:password@host:port, host perhaps in brackets."""

    __slots__ = ()

    def _sign(self, text):
        return text.encode() if isinstance(self.netloc, bytes) else text

    def _user(self):
        user, at, _ = self.netloc.rpartition(self._sign("@"))
        if not at:
            return None, None
        name, colon, password = user.partition(self._sign(":"))
        return name, password if colon else None

    def _host(self):
        place = self.netloc.rpartition(self._sign("@"))[2]
        _, bracket, inner = place.partition(self._sign("["))
        if bracket:
            host, _, rest = inner.partition(self._sign("]"))
            port = rest.partition(self._sign(":"))[2]
        else:
            host, _, port = place.partition(self._sign(":"))
        return host, port or None

    username = property(lambda self: self._user()[0])
    password = property(lambda self: self._user()[1])

    @property
    def hostname(self):
        host = self._host()[0]
        if not host:
            return None
        plain, percent, zone = host.partition(self._sign("%"))
        return plain.lower() + percent + zone

    @property
    def port(self):
        port = self._host()[1]
        if port is None:
            return None
        digits = port.decode() if isinstance(port, bytes) else port
        if not (digits.isascii() and digits.isdigit()):
            raise ValueError(f"Port could not be cast to integer value as {port!r}")
        if int(digits) > 65535:
            raise ValueError("Port out of range 0-65535")
        return int(digits)


_Defrag = namedtuple("DefragResult", "url fragment")
_Split = namedtuple("SplitResult", "scheme netloc path query fragment")
_Parse = namedtuple("ParseResult", "scheme netloc path params query fragment")


class DefragResult(_Defrag, _Encoded):
    __slots__ = ()

    def geturl(self):
        return f"{self.url}#{self.fragment}" if self.fragment else self.url


class SplitResult(_Split, _Netloc, _Encoded):
    __slots__ = ()

    def geturl(self):
        return urlunsplit(self)


class ParseResult(_Parse, _Netloc, _Encoded):
    __slots__ = ()

    def geturl(self):
        return urlunparse(self)


class DefragResultBytes(_Defrag, _Decoded):
    __slots__ = ()

    def geturl(self):
        return self.url + b"#" + self.fragment if self.fragment else self.url


class SplitResultBytes(_Split, _Netloc, _Decoded):
    __slots__ = ()

    def geturl(self):
        return urlunsplit(self)


class ParseResultBytes(_Parse, _Netloc, _Decoded):
    __slots__ = ()

    def geturl(self):
        return urlunparse(self)


_of_bytes = {DefragResult: DefragResultBytes, SplitResult: SplitResultBytes, ParseResult: ParseResultBytes}


def _texts(*args):
    """All as texts, and whether they were bytes."""
    is_text = isinstance(args[0], str)
    for arg in args[1:]:
        if arg and isinstance(arg, str) != is_text:
            raise TypeError("Cannot mix str and non-str arguments")
    if is_text:
        return [*args, False]
    return [*(arg.decode("ascii") if arg else "" for arg in args), True]


def _back(result, was_bytes):
    return result.encode() if was_bytes else result


def _split(url, scheme, allow_fragments):
    url = url.lstrip("".join(map(chr, range(33))))
    scheme = scheme.strip("".join(map(chr, range(33))))
    for character in "\t\r\n":
        url, scheme = url.replace(character, ""), scheme.replace(character, "")
    head, colon, rest = url.partition(":")
    if colon and head and head[0].isascii() and head[0].isalpha() and all(sign in scheme_chars for sign in head):
        scheme, url = head.lower(), rest
    netloc = query = fragment = ""
    if url.startswith("//"):
        end = min([at for at in (url.find(sign, 2) for sign in "/?#") if at >= 0], default=len(url))
        netloc, url = url[2:end], url[end:]
        if ("[" in netloc) != ("]" in netloc):
            raise ValueError("Invalid IPv6 URL")
    if allow_fragments:
        url, _, fragment = url.partition("#")
    url, _, query = url.partition("?")
    return SplitResult(scheme, netloc, url, query, fragment)


def urlsplit(url, scheme="", allow_fragments=True):
    url, scheme, was_bytes = _texts(url, scheme)
    return _back(_split(url, scheme, allow_fragments), was_bytes)


def _parse(url, scheme, allow_fragments):
    scheme, netloc, path, query, fragment = _split(url, scheme, allow_fragments)
    params = ""
    if scheme in uses_params:
        # those of the last part of the path
        at = path.find(";", path.rfind("/") + 1)
        if at >= 0:
            path, params = path[:at], path[at + 1:]
    return ParseResult(scheme, netloc, path, params, query, fragment)


def urlparse(url, scheme="", allow_fragments=True):
    url, scheme, was_bytes = _texts(url, scheme)
    return _back(_parse(url, scheme, allow_fragments), was_bytes)


def urlunsplit(components):
    scheme, netloc, url, query, fragment, was_bytes = _texts(*components)
    if netloc or scheme and scheme in uses_netloc and not url.startswith("//"):
        url = "//" + netloc + ("/" if url and not url.startswith("/") else "") + url
    url = (scheme and scheme + ":") + url + (query and "?" + query) + (fragment and "#" + fragment)
    return _back(url, was_bytes)


def urlunparse(components):
    scheme, netloc, url, params, query, fragment, was_bytes = _texts(*components)
    return _back(urlunsplit((scheme, netloc, url + (params and ";" + params), query, fragment)), was_bytes)


def urldefrag(url):
    url, was_bytes = _texts(url)
    if "#" not in url:
        return _back(DefragResult(url, ""), was_bytes)
    *rest, fragment = _parse(url, "", True)
    return _back(DefragResult(urlunparse((*rest, "")), fragment), was_bytes)


def _merged(base, path):
    """RFC 3986, 5.2.3 and 5.2.4."""
    folders = base.split("/")
    if folders[-1]:
        folders.pop()
    parts = path.split("/") if path.startswith("/") else folders + path.split("/")
    if not path.startswith("/"):
        parts[1:-1] = [part for part in parts[1:-1] if part]
    out = []
    for part in parts:
        if part == "..":
            if out:
                out.pop()
        elif part != ".":
            out.append(part)
    if parts[-1] in (".", ".."):
        out.append("")
    return "/".join(out) or "/"


def urljoin(base, url, allow_fragments=True):
    if not base:
        return url
    if not url:
        return base
    base, url, was_bytes = _texts(base, url)
    old = _parse(base, "", allow_fragments)
    new = _parse(url, old.scheme, allow_fragments)
    if new.scheme != old.scheme or new.scheme not in uses_relative:
        return _back(url, was_bytes)
    if new.scheme in uses_netloc:
        if new.netloc:
            return _back(urlunparse(new), was_bytes)
        new = new._replace(netloc=old.netloc)
    if not new.path and not new.params:
        new = new._replace(path=old.path, params=old.params, query=new.query or old.query)
    else:
        new = new._replace(path=_merged(old.path, new.path))
    return _back(urlunparse(new), was_bytes)
