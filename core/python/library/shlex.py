# SPDX-License-Identifier: GPL-3.0-or-later
# Python's shlex: split(), join() and quote() by the rules of a POSIX shell.

from _refusal import refused_names

globals().update(refused_names("shlex", "texts are split by shlex.split() alone", classes="shlex"))
_SAFE = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-"


def quote(s):
    if not s:
        return "''"
    return s if all(sign in _SAFE for sign in s) else "'" + s.replace("'", "'\"'\"'") + "'"


def join(split_command):
    return " ".join(quote(word) for word in split_command)


def split(s, comments=False, posix=True):
    if not posix:
        raise NotImplementedError("not supported: shlex.split of other than POSIX's rules")
    words, word, at = [], None, 0
    while at < len(s):
        sign = s[at]
        at += 1
        if sign in " \t\r\n":
            if word is not None:
                words.append(word)
            word = None
        elif comments and sign == "#":
            while at < len(s) and s[at] != "\n":
                at += 1
        elif sign == "'":
            end = s.find("'", at)
            if end < 0:
                raise ValueError("No closing quotation")
            word, at = (word or "") + s[at:end], end + 1
        elif sign == '"':
            word, at = _quoted(s, at, word or "")
        elif sign == "\\":
            if at == len(s):
                raise ValueError("No escaped character")
            word, at = (word or "") + s[at], at + 1
        else:
            word = (word or "") + sign
    return words if word is None else words + [word]


def _quoted(s, at, word):
    """What is between double quotes, and where it ends."""
    while s[at:at + 1] != '"':
        if at >= len(s):
            raise ValueError("No closing quotation")
        if s[at] == "\\" and s[at + 1:at + 2] in ("\\", '"'):
            at += 1
        word += s[at]
        at += 1
    return word, at + 1
