# SPDX-License-Identifier: GPL-3.0-or-later
# collections.namedtuple.

from _binding import bind
from _native import _caller_module
from keyword import iskeyword
from operator import itemgetter


def namedtuple(typename, field_names, *, rename=False, defaults=None, module=None):
    if isinstance(field_names, str):
        field_names = field_names.replace(",", " ").split()
    fields = [str(name) for name in field_names]
    if rename:
        for at, name in enumerate(fields):
            if not name.isidentifier() or iskeyword(name) or name[0] == "_" or name in fields[:at]:
                fields[at] = f"_{at}"
    _check([str(typename)] + fields, fields, rename)
    defaults = tuple(defaults or ())
    if len(defaults) > len(fields):
        raise TypeError("Got more default values than field names")
    return make_named_tuple(str(typename), tuple(fields), dict(zip(fields[len(fields) - len(defaults):], defaults)),
                            _caller_module() if module is None else module)


def _check(names, fields, rename):
    for name in names:
        if not name.isidentifier():
            raise ValueError(f"Type names and field names must be valid identifiers: {name!r}")
        if iskeyword(name):
            raise ValueError(f"Type names and field names cannot be a keyword: {name!r}")
    for at, name in enumerate(fields):
        if name.startswith("_") and not rename:
            raise ValueError(f"Field names cannot start with an underscore: {name!r}")
        if name in fields[:at]:
            raise ValueError(f"Encountered duplicate field name: {name!r}")


def make_named_tuple(typename, fields, defaults, module, extra=None):
    where = f"{typename}.__new__"

    def __new__(_cls, *args, **kwargs):
        values = bind(where, fields, defaults, args, kwargs)
        return tuple.__new__(_cls, [values[name] if name in values else defaults[name] for name in fields])

    def _make(cls, iterable):
        result = tuple.__new__(cls, iterable)
        if len(result) != len(fields):
            raise TypeError(f"Expected {len(fields)} arguments, got {len(result)}")
        return result

    def _replace(self, /, **kwargs):
        result = self._make([kwargs.pop(name, value) for name, value in zip(fields, self)])
        if kwargs:
            raise ValueError(f"Got unexpected field names: {list(kwargs)!r}")
        return result

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in zip(fields, self))})"

    def _asdict(self):
        return dict(zip(fields, self))

    def __getnewargs__(self):
        return tuple(self)

    methods = {"__new__": __new__, "_make": classmethod(_make), "_replace": _replace, "__repr__": __repr__,
               "_asdict": _asdict, "__getnewargs__": __getnewargs__}
    for name, method in methods.items():
        if name != "_make":
            method.__qualname__ = f"{typename}.{name}"
    namespace = {"__doc__": f"{typename}({', '.join(fields)})", "__slots__": (), "_fields": fields,
                 "_field_defaults": defaults, "__match_args__": fields, "__module__": module, **methods}
    for at, name in enumerate(fields):
        namespace[name] = property(itemgetter(at))
    namespace.update(extra or {})
    return type(typename, (tuple,), namespace)
