# SPDX-License-Identifier: GPL-3.0-or-later
# os.environ: empty at first; what a program sets, it finds again.

from collections.abc import MutableMapping


def _text(value):
    if not isinstance(value, str):
        raise TypeError(f"str expected, not {type(value).__name__}")
    return value


class Environment(MutableMapping):
    def __init__(self):
        self._data = {}

    def __getitem__(self, key):
        return self._data[_text(key)]

    def __setitem__(self, key, value):
        self._data[_text(key)] = _text(value)

    def __delitem__(self, key):
        del self._data[_text(key)]

    def __iter__(self):
        return iter(list(self._data))

    def __len__(self):
        return len(self._data)

    def __repr__(self):
        return f"environ({self._data!r})"

    def copy(self):
        return dict(self)

    def __or__(self, other):
        return dict(self) | dict(other)

    def __ror__(self, other):
        return dict(other) | dict(self)

    def __ior__(self, other):
        self.update(other)
        return self
