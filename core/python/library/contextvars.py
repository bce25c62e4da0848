# SPDX-License-Identifier: GPL-3.0-or-later
# Python's contextvars, where there is one context.

from _refusal import refused_names

globals().update(refused_names("contextvars", "there is one context here", classes="Context"))
_missing = object()


class Token:
    MISSING = _missing

    def __init__(self, var, old_value):
        self.var, self.old_value = var, old_value


class ContextVar:
    def __init__(self, name, *, default=_missing):
        self.name, self._default, self._value = name, default, _missing

    def get(self, default=_missing, /):
        for value in (self._value, default, self._default):
            if value is not _missing:
                return value
        raise LookupError(self)

    def set(self, value, /):
        token = Token(self, self._value)
        self._value = value
        return token

    def reset(self, token, /):
        self._value = token.old_value

    def __class_getitem__(cls, item):
        return cls


class _Everything:
    """The one context: what is run in it is run here."""

    def run(self, callable, *args, **kwargs):
        return callable(*args, **kwargs)

    def copy(self):
        return self


def copy_context():
    return _Everything()
