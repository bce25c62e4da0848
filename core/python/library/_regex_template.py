# SPDX-License-Identifier: GPL-3.0-or-later
# What re.sub and Match.expand put in place of a match, such as "\\2-\\g<name>"; and re.error, by which it is refused.

import _regex

_escapes = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\"}
_letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_digits = "0123456789"


class error(Exception):
    def __init__(self, msg, pattern=None, pos=None):
        self.msg, self.pattern, self.pos = msg, pattern, pos
        self.lineno = self.colno = None
        if pattern is not None and pos is not None:
            newline = "\n" if isinstance(pattern, str) else b"\n"
            self.lineno = pattern.count(newline, 0, pos) + 1
            self.colno = pos - pattern.rfind(newline, 0, pos)
            msg = f"{msg} at position {pos}"
            if newline in pattern:
                msg = f"{msg} (line {self.lineno}, column {self.colno})"
        super().__init__(msg)


error.__module__ = "re"


class _Reader:
    """A template as texts and numbers of groups."""

    def __init__(self, template, pattern):
        self.template, self.pattern, self.at = template, pattern, 0
        self.text = template if isinstance(template, str) else str(template, "latin-1")
        self.parts, self.literal = [], []

    def fail(self, message, at):
        raise error(message, self.template, at)

    def read(self):
        while True:
            found = self.text.find("\\", self.at)
            if found < 0:
                self.literal.append(self.text[self.at:])
                self.flush()
                return self.parts
            self.literal.append(self.text[self.at:found])
            if found + 1 == len(self.text):
                self.fail("bad escape (end of pattern)", found)
            self.at = found + 2
            self.escape(self.text[found + 1])

    def flush(self):
        text = "".join(self.literal)
        self.literal = []
        if text:
            self.parts.append(text if isinstance(self.template, str) else text.encode("latin-1"))

    def group(self, number, at):
        if number > self.pattern.groups:
            self.fail(f"invalid group reference {number}", at)
        self.flush()
        self.parts.append(number)

    def digit(self, within=_digits):
        """The next character if it is one of these, else ""."""
        sign = self.text[self.at:self.at + 1]
        if sign and sign in within:
            self.at += 1
            return sign
        return ""

    def escape(self, sign):
        octal = "01234567"
        if sign == "g":
            self.named()
        elif sign == "0":
            self.literal.append(chr(int("0" + self.digit(octal) + self.digit(octal), 8)))
        elif sign in _digits:
            start = self.at - 2
            number = sign + self.digit()
            if len(number) == 2 and sign in octal and number[1] in octal and (last := self.digit(octal)):
                number += last
                if int(number, 8) > 0o377:
                    self.fail(f"octal escape value \\{number} outside of range 0-0o377", start)
                self.literal.append(chr(int(number, 8)))
            else:
                self.group(int(number), start + 1)
        elif sign in _escapes:
            self.literal.append(_escapes[sign])
        elif sign in _letters:
            self.fail(f"bad escape \\{sign}", self.at - 2)
        else:
            self.literal.append("\\" + sign)

    def named(self):
        if self.digit("<") == "":
            self.fail("missing <", self.at)
        start = self.at
        end = self.text.find(">", start)
        name = self.text[start:] if end < 0 else self.text[start:end]
        if not name:
            self.fail("missing group name", start)
        if end < 0:
            self.fail("missing >, unterminated name", start)
        self.at = end + 1
        if name.isidentifier():
            if name not in self.pattern._names:
                raise IndexError(f"unknown group name {name!r}")
            return self.group(self.pattern._names[name], start)
        try:
            number = int(name)
        except ValueError:
            number = -1
        if number < 0:
            self.fail(f"bad character in group name {name!r}", start)
        self.group(number, start)


_cache = {}


def parse(template, pattern):
    key = type(template), template, pattern
    parts = None if isinstance(template, bytearray) else _cache.get(key)
    if parts is None:
        parts = _Reader(template, pattern).read() or [template[:0]]
        if len(_cache) >= 512:
            _cache.clear()
        if not isinstance(template, bytearray):
            _cache[key] = parts
    return parts


def expanded(parts, text, spans):
    """The parts, with groups in their places."""
    empty = _regex.part(text, 0, 0)
    return empty.join([_regex.part(text, max(spans[2 * part], 0), spans[2 * part + 1]) if isinstance(part, int)
                       else part for part in parts])
