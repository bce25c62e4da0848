# SPDX-License-Identifier: GPL-3.0-or-later
# What unittest.mock records of calls, and what stands for any value or for one of its own.

from pprint import pformat


class _Any:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __repr__(self):
        return "<ANY>"


ANY = _Any()


class _SentinelObject:
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"sentinel.{self.name}"


class _Sentinel:
    def __init__(self):
        self._sentinels = {}

    def __getattr__(self, name):
        if name == "__bases__":
            raise AttributeError
        return self._sentinels.setdefault(name, _SentinelObject(name))


sentinel = _Sentinel()
DEFAULT = sentinel.DEFAULT


def call_text(name, args, kwargs):
    parts = [repr(value) for value in args] + [f"{key}={value!r}" for key, value in kwargs.items()]
    return f"{name}({', '.join(parts)})"


class _Call(tuple):
    """A call: its name, which may be empty, its arguments, and its keywords."""

    def __new__(cls, value=(), name="", parent=None, two=False, from_kall=True):
        args, kwargs = (), {}
        for item in value:
            if isinstance(item, str):
                name = item
            elif isinstance(item, dict):
                kwargs = item
            else:
                args = item
        return tuple.__new__(cls, (args, kwargs) if two else (name, args, kwargs))

    def __init__(self, value=(), name=None, parent=None, two=False, from_kall=True):
        self._mock_name, self._mock_parent, self._mock_from_kall = name, parent, from_kall

    def _parts(self):
        return ("", *self) if len(self) == 2 else tuple(self)

    def __eq__(self, other):
        if other is ANY:
            return True
        if not isinstance(other, tuple) or len(other) > 3:
            return NotImplemented
        name, args, kwargs = self._parts()
        their_name, their_args, their_kwargs = _Call(other)
        if len(self) == 3 and name and their_name and name != their_name:
            return False
        return (their_args, their_kwargs) == (args, kwargs)

    def __ne__(self, other):
        return not self == other

    __hash__ = None

    def __call__(self, *args, **kwargs):
        if self._mock_name is None:
            return _Call(("", args, kwargs), name="()")
        return _Call((self._mock_name, args, kwargs), name=self._mock_name + "()", parent=self)

    def __getattr__(self, attr):
        if attr.startswith("__") and attr.endswith("__"):
            raise AttributeError(attr)
        name = attr if self._mock_name is None else f"{self._mock_name}.{attr}"
        return _Call(name=name, parent=self, from_kall=False)

    @property
    def args(self):
        return self._parts()[1]

    @property
    def kwargs(self):
        return self._parts()[2]

    def __repr__(self):
        if not self._mock_from_kall:
            name = self._mock_name or "call"
            return name if name.startswith("call") else f"call.{name}"
        name, args, kwargs = self._parts()
        name = "call" if not name else f"call.{name}" if not name.startswith("()") else f"call{name}"
        return call_text(name, args, kwargs)


call = _Call(from_kall=False)


class _CallList(list):
    def __contains__(self, value):
        if not isinstance(value, list):
            return any(item == value for item in self)
        return any(list(self[at:at + len(value)]) == value for at in range(len(self) - len(value) + 1))

    def __repr__(self):
        return pformat(list(self))
