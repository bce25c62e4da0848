# SPDX-License-Identifier: GPL-3.0-or-later
# Python's re. Matching is _regex, the native module; templates of replacements are read in _regex_template.

import _regex
import enum
from _regex_template import error, expanded, parse

__all__ = ["match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer", "compile", "purge",
           "template", "escape", "error", "Pattern", "Match", "A", "I", "L", "M", "S", "X", "U", "ASCII", "IGNORECASE",
           "LOCALE", "MULTILINE", "DOTALL", "VERBOSE", "UNICODE", "NOFLAG", "RegexFlag"]
__version__ = "2.2.1"
_END = 2**63 - 1


class RegexFlag(enum.IntFlag):
    NOFLAG = 0
    ASCII = A = 256
    IGNORECASE = I = 2
    LOCALE = L = 4
    UNICODE = U = 32
    MULTILINE = M = 8
    DOTALL = S = 16
    VERBOSE = X = 64
    TEMPLATE = T = 1
    DEBUG = 128

    def __repr__(self):
        return _flags_text(self._value_, RegexFlag) or "re.NOFLAG"

    __str__ = __repr__

    def __format__(self, spec):
        return format(str(self), spec)


def _flags_text(value, flags):
    names = []
    for flag in flags:
        if flag._value_ & value:
            value -= flag._value_
            names.append("re." + flag._name_)
    return "|".join(names + [hex(value)] if value else names)


A = ASCII = RegexFlag.ASCII
I = IGNORECASE = RegexFlag.IGNORECASE
L = LOCALE = RegexFlag.LOCALE
U = UNICODE = RegexFlag.UNICODE
M = MULTILINE = RegexFlag.MULTILINE
S = DOTALL = RegexFlag.DOTALL
X = VERBOSE = RegexFlag.VERBOSE
T = TEMPLATE = RegexFlag.TEMPLATE
DEBUG = RegexFlag.DEBUG
NOFLAG = RegexFlag.NOFLAG
# In the order in which a pattern shows them.
_shown_flags = (TEMPLATE, IGNORECASE, LOCALE, MULTILINE, DOTALL, UNICODE, VERBOSE, DEBUG, ASCII)


class _Sealed:
    """What the module alone makes."""

    __slots__ = ()

    def __new__(cls, *args, **kwargs):
        raise TypeError(f"cannot create 're.{cls.__name__}' instances")

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    @classmethod
    def __class_getitem__(cls, item):
        from types import GenericAlias

        return GenericAlias(cls, item)


class Pattern(_Sealed):
    __slots__ = ("pattern", "flags", "groups", "_names", "_program")

    @property
    def groupindex(self):
        from types import MappingProxyType

        return MappingProxyType(self._names)

    def match(self, string, pos=0, endpos=_END):
        return self._once(_regex.match, string, pos, endpos)

    def fullmatch(self, string, pos=0, endpos=_END):
        return self._once(_regex.fullmatch, string, pos, endpos)

    def search(self, string, pos=0, endpos=_END):
        return self._once(_regex.search, string, pos, endpos)

    def _once(self, find, string, pos, endpos):
        text = _regex.text(self._program, string)
        spans = find(self._program, text, pos, endpos)
        return None if spans is None else _match(self, string, text, spans, pos, endpos)

    def finditer(self, string, pos=0, endpos=_END):
        text = _regex.text(self._program, string)
        found = _regex.scan(self._program, text, pos, endpos)
        return (_match(self, string, text, spans, pos, endpos) for spans in found)

    def findall(self, string, pos=0, endpos=_END):
        text = _regex.text(self._program, string)
        found = _regex.scan(self._program, text, pos, endpos)
        part = _regex.part
        if self.groups == 0:
            return [part(text, spans[0], spans[1]) for spans in found]
        if self.groups == 1:
            return [part(text, max(spans[2], 0), spans[3]) for spans in found]
        places = range(2, 2 * self.groups + 2, 2)
        return [tuple([part(text, max(spans[at], 0), spans[at + 1]) for at in places]) for spans in found]

    def split(self, string, maxsplit=0):
        text = _regex.text(self._program, string)
        parts, end = [], 0
        if maxsplit >= 0:
            for spans in _regex.scan(self._program, text, 0, _END):
                parts.append(_regex.part(text, end, spans[0]))
                parts += [None if spans[at] < 0 else _regex.part(text, spans[at], spans[at + 1])
                          for at in range(2, 2 * self.groups + 2, 2)]
                end = spans[1]
                maxsplit -= 1
                if maxsplit == 0:
                    break
        parts.append(_regex.part(text, end, _regex.length(text)))
        return parts

    def sub(self, repl, string, count=0):
        return self.subn(repl, string, count)[0]

    def subn(self, repl, string, count=0):
        text = _regex.text(self._program, string)
        make = repl if callable(repl) else self._replacement(repl, text)
        parts, end, done = [], 0, 0
        if count >= 0:
            for spans in _regex.scan(self._program, text, 0, _END):
                if spans[0] > end:
                    parts.append(_regex.part(text, end, spans[0]))
                fresh = make(_match(self, string, text, spans, 0, _END)) if make is repl else make(spans)
                if fresh is not None:
                    parts.append(fresh)
                end = spans[1]
                done += 1
                if done == count:
                    break
        rest = _regex.part(text, end, _regex.length(text))
        if rest:
            parts.append(rest)
        return rest[:0].join(parts), done

    def _replacement(self, repl, text):
        """What gives the replacement of a match."""
        if not isinstance(repl, (str, bytes, bytearray)):
            raise TypeError(f"decoding to str: need a bytes-like object, {type(repl).__name__} found")
        parts = parse(repl, self)
        if len(parts) == 1 and not isinstance(parts[0], int):
            return lambda spans: parts[0]
        return lambda spans: expanded(parts, text, spans)

    def __eq__(self, other):
        if not isinstance(other, Pattern):
            return NotImplemented
        return (self.flags, self.pattern, type(self.pattern)) == (other.flags, other.pattern, type(other.pattern))

    def __hash__(self):
        return hash((self.flags, self.pattern))

    def __repr__(self):
        flags = self.flags
        if isinstance(self.pattern, str) and flags & (LOCALE | UNICODE | ASCII)._value_ == 32:
            flags -= 32
        flags = _flags_text(flags, _shown_flags)
        return f"re.compile({repr(self.pattern)[:200]}{flags and ', ' + flags})"

    def __reduce__(self):
        return compile, (self.pattern, self.flags)


class Match(_Sealed):
    __slots__ = ("re", "string", "pos", "endpos", "_text", "_spans")

    def _group(self, group):
        """The number of a group, by that or by its name."""
        if hasattr(type(group), "__index__"):
            group = group.__index__()
        else:
            group = self.re._names.get(group, -1) if isinstance(group, (str, bytes)) else -1
        if not 0 <= group <= self.re.groups:
            raise IndexError("no such group")
        return group

    def _content(self, group, default=None):
        begin, end = self._spans[2 * group:2 * group + 2]
        return default if begin < 0 else _regex.part(self._text, begin, end)

    def group(self, *groups):
        if len(groups) == 0:
            return self._content(0)
        if len(groups) == 1:
            return self._content(self._group(groups[0]))
        return tuple([self._content(self._group(group)) for group in groups])

    def __getitem__(self, group):
        return self._content(self._group(group))

    def groups(self, default=None):
        return tuple([self._content(group, default) for group in range(1, self.re.groups + 1)])

    def groupdict(self, default=None):
        return {name: self._content(group, default) for name, group in self.re._names.items()}

    def start(self, group=0):
        return self._spans[2 * self._group(group)]

    def end(self, group=0):
        return self._spans[2 * self._group(group) + 1]

    def span(self, group=0):
        group = self._group(group)
        return self._spans[2 * group], self._spans[2 * group + 1]

    @property
    def regs(self):
        return tuple([self.span(group) for group in range(self.re.groups + 1)])

    @property
    def lastindex(self):
        return self._spans[-1] or None

    @property
    def lastgroup(self):
        for name, group in self.re._names.items():
            if group == self._spans[-1]:
                return name

    def expand(self, template):
        return expanded(parse(template, self.re), self._text, self._spans)

    def __repr__(self):
        return f"<re.Match object; span={self.span()}, match={repr(self.group())[:50]}>"


def _match(pattern, string, text, spans, pos, endpos):
    result = object.__new__(Match)
    length = _regex.length(text)
    result.re, result.string, result._text, result._spans = pattern, string, text, spans
    result.pos, result.endpos = min(max(pos, 0), length), min(max(endpos, 0), length)
    return result


_cache = {}


def compile(pattern, flags=0):
    if isinstance(flags, RegexFlag):
        flags = flags._value_
    if isinstance(pattern, Pattern):
        if flags:
            raise ValueError("cannot process flags argument with a compiled pattern")
        return pattern
    key = type(pattern), pattern, flags
    result = _cache.get(key)
    if result is None:
        if flags & 128:
            raise NotImplementedError("not supported: re.DEBUG; it shows how Python's own engine sees a pattern")
        made = _regex.compile(pattern, flags)
        if len(made) == 2:
            raise error(made[0]) if made[1] is None else error(made[0], pattern, made[1])
        result = object.__new__(Pattern)
        result._program, result.flags, result.groups, result._names = made
        result.pattern = pattern
        if len(_cache) >= 512:
            _cache.clear()
        _cache[key] = result
    return result


def match(pattern, string, flags=0):
    return compile(pattern, flags).match(string)


def fullmatch(pattern, string, flags=0):
    return compile(pattern, flags).fullmatch(string)


def search(pattern, string, flags=0):
    return compile(pattern, flags).search(string)


def sub(pattern, repl, string, count=0, flags=0):
    return compile(pattern, flags).sub(repl, string, count)


def subn(pattern, repl, string, count=0, flags=0):
    return compile(pattern, flags).subn(repl, string, count)


def split(pattern, string, maxsplit=0, flags=0):
    return compile(pattern, flags).split(string, maxsplit)


def findall(pattern, string, flags=0):
    return compile(pattern, flags).findall(string)


def finditer(pattern, string, flags=0):
    return compile(pattern, flags).finditer(string)


def template(pattern, flags=0):
    return compile(pattern, flags | T)


def purge():
    _cache.clear()


_special = {sign: "\\" + sign for sign in "()[]{}?*+-|^$\\.&~# \t\n\r\v\f"}


def escape(pattern):
    if isinstance(pattern, str):
        return "".join([_special.get(sign, sign) for sign in pattern])
    return escape(str(pattern, "latin-1")).encode("latin-1")
