# SPDX-License-Identifier: GPL-3.0-or-later
# collections.ChainMap, UserDict and UserList.

from collections.abc import MutableMapping, MutableSequence


class ChainMap(MutableMapping):
    __module__ = "collections"

    def __init__(self, *maps):
        self.maps = list(maps) or [{}]

    def __missing__(self, key):
        raise KeyError(key)

    def __getitem__(self, key):
        for mapping in self.maps:
            if key in mapping:
                return mapping[key]
        return self.__missing__(key)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def _merged(self):
        names = {}
        for mapping in reversed(self.maps):
            names.update(mapping)
        return names

    def __len__(self):
        return len(self._merged())

    def __iter__(self):
        return iter(self._merged())

    def __contains__(self, key):
        return any(key in mapping for mapping in self.maps)

    def __bool__(self):
        return any(self.maps)

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(map(repr, self.maps))})"

    def copy(self):
        return type(self)(self.maps[0].copy(), *self.maps[1:])

    __copy__ = copy

    def new_child(self, m=None, **kwargs):
        mapping = kwargs if m is None else m
        mapping.update(kwargs)
        return type(self)(mapping, *self.maps)

    @property
    def parents(self):
        return type(self)(*self.maps[1:])

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def _need(self, key):
        if key not in self.maps[0]:
            raise KeyError(f"Key not found in the first mapping: {key!r}")

    def __delitem__(self, key):
        self._need(key)
        del self.maps[0][key]

    def pop(self, key, *default):
        if not default:
            self._need(key)
        return self.maps[0].pop(key, *default)

    def popitem(self):
        if not self.maps[0]:
            raise KeyError("No keys found in the first mapping.")
        return self.maps[0].popitem()

    def clear(self):
        self.maps[0].clear()


class UserDict(MutableMapping):
    __module__ = "collections"

    def __init__(self, dict=None, /, **kwargs):
        self.data = {}
        self.update(dict or {}, **kwargs)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, key):
        if key not in self.data and hasattr(type(self), "__missing__"):
            return self.__missing__(key)
        return self.data[key]

    def __setitem__(self, key, item):
        self.data[key] = item

    def __delitem__(self, key):
        del self.data[key]

    def __iter__(self):
        return iter(self.data)

    def __contains__(self, key):
        return key in self.data

    def __repr__(self):
        return repr(self.data)

    def copy(self):
        return type(self)(self.data)

    __copy__ = copy


class UserList(MutableSequence):
    __module__ = "collections"

    def __init__(self, initlist=()):
        self.data = list(initlist or ())

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        return type(self)(self.data[index]) if isinstance(index, slice) else self.data[index]

    def __setitem__(self, index, item):
        self.data[index] = item

    def __delitem__(self, index):
        del self.data[index]

    def insert(self, index, item):
        self.data.insert(index, item)

    def __repr__(self):
        return repr(self.data)

    def __eq__(self, other):
        return self.data == (other.data if isinstance(other, UserList) else other)

    __hash__ = None

    def __add__(self, other):
        return type(self)(self.data + list(other))

    def sort(self, *, key=None, reverse=False):
        self.data.sort(key=key, reverse=reverse)
