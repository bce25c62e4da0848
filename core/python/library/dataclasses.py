# SPDX-License-Identifier: GPL-3.0-or-later
# Python's dataclasses. Methods are closures over the fields; nothing is compiled at run time.

from _binding import bind
from _native import _caller_module
from copy import deepcopy
from keyword import iskeyword
from reprlib import recursive_repr

__all__ = ["dataclass", "field", "Field", "FrozenInstanceError", "InitVar", "KW_ONLY", "MISSING", "fields", "asdict",
           "astuple", "make_dataclass", "replace", "is_dataclass"]


class FrozenInstanceError(AttributeError):
    pass


class _Sign:
    def __init__(self, text):
        self._text = text

    def __repr__(self):
        return self._text


class _MISSING_TYPE(_Sign):
    pass


MISSING = _MISSING_TYPE("<dataclasses._MISSING_TYPE object>")
KW_ONLY = _Sign("<dataclasses._KW_ONLY_TYPE object>")
_FIELD, _CLASSVAR, _INITVAR = _Sign("_FIELD"), _Sign("_FIELD_CLASSVAR"), _Sign("_FIELD_INITVAR")
_FACTORY = _Sign("<factory>")


class InitVar:
    def __init__(self, type):
        self.type = type

    def __class_getitem__(cls, type):
        return InitVar(type)

    def __repr__(self):
        name = self.type.__name__ if isinstance(self.type, type) else repr(self.type)
        return f"dataclasses.InitVar[{name}]"


class Field:
    _shown = ("name", "type", "default", "default_factory", "init", "repr", "hash", "compare", "metadata", "kw_only",
              "_field_type")

    def __init__(self, default, default_factory, init, repr, hash, compare, metadata, kw_only):
        self.name = self.type = self._field_type = None
        self.default, self.default_factory = default, default_factory
        self.init, self.repr, self.hash, self.compare = init, repr, hash, compare
        self.metadata = {} if metadata is None else metadata
        self.kw_only = kw_only

    def __repr__(self):
        return f"Field({','.join(f'{name}={getattr(self, name)!r}' for name in self._shown)})"

    def _has_default(self):
        return self.default is not MISSING or self.default_factory is not MISSING


def field(*, default=MISSING, default_factory=MISSING, init=True, repr=True, hash=None, compare=True, metadata=None,
          kw_only=MISSING):
    if default is not MISSING and default_factory is not MISSING:
        raise ValueError("cannot specify both default and default_factory")
    return Field(default, default_factory, init, repr, hash, compare, metadata, kw_only)


def _kind_of(annotation):
    """Annotations may be texts: only their first words are looked at, as the names may not be known yet."""
    if isinstance(annotation, str):
        head = annotation.strip().split("[")[0].split(".")[-1]
        return {"ClassVar": _CLASSVAR, "InitVar": _INITVAR}.get(head, _FIELD)
    import typing

    if annotation is typing.ClassVar or getattr(annotation, "__origin__", None) is typing.ClassVar:
        return _CLASSVAR
    return _INITVAR if annotation is InitVar or isinstance(annotation, InitVar) else _FIELD


def _is_kw_only(annotation):
    return annotation is KW_ONLY or isinstance(annotation, str) and annotation.split(".")[-1] == "KW_ONLY"


def _own_fields(cls, kw_only):
    annotations = cls.__dict__.get("__annotations__", {})
    found = []
    seen_mark = False
    for name, annotation in annotations.items():
        if _is_kw_only(annotation):
            if seen_mark:
                raise TypeError(f"{name!r} is KW_ONLY, but KW_ONLY has already been specified")
            seen_mark = kw_only = True
            continue
        default = getattr(cls, name, MISSING)
        item = default if isinstance(default, Field) else field(default=default)
        item.name, item.type, item._field_type = name, annotation, _kind_of(annotation)
        if item._field_type is not _FIELD and item.default_factory is not MISSING:
            raise TypeError(f"field {name} cannot have a default factory")
        if item._field_type is _CLASSVAR:
            if item.kw_only is not MISSING:
                raise TypeError(f"field {name} is a ClassVar but specifies kw_only")
        elif item.kw_only is MISSING:
            item.kw_only = kw_only
        if item._field_type is _FIELD and item.default is not MISSING and type(item.default).__hash__ is None:
            raise ValueError(f"mutable default {type(item.default)} for field {name} is not allowed: "
                             "use default_factory")
        found.append(item)
        if isinstance(default, Field) and name in cls.__dict__:
            if default.default is MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, default.default)
    for name, value in cls.__dict__.items():
        if isinstance(value, Field) and name not in annotations:
            raise TypeError(f"{name!r} is a field but has no type annotation")
    return found


def dataclass(cls=None, /, *, init=True, repr=True, eq=True, order=False, unsafe_hash=False, frozen=False,
              match_args=True, kw_only=False, slots=False, weakref_slot=False):
    if weakref_slot and not slots:
        raise TypeError("weakref_slot is True but slots is False")

    def decorate(cls):
        return _process(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only, slots)

    return decorate if cls is None else decorate(cls)


def _process(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only, slots):
    if order and not eq:
        raise ValueError("eq must be true if order is true")
    all_fields = {}
    ancestors = [base for base in cls.__mro__[:0:-1] if "__dataclass_fields__" in vars(base)]
    for base in ancestors:
        all_fields.update(base.__dataclass_fields__)
    frozen_ancestors = [base.__dataclass_params__.frozen for base in ancestors]
    if any(frozen_ancestors) and not frozen:
        raise TypeError("cannot inherit non-frozen dataclass from a frozen one")
    if ancestors and frozen and not all(frozen_ancestors):
        raise TypeError("cannot inherit frozen dataclass from a non-frozen one")
    for item in _own_fields(cls, kw_only):
        all_fields[item.name] = item
    cls.__dataclass_fields__ = all_fields
    cls.__dataclass_params__ = _Params(init, repr, eq, order, unsafe_hash, frozen)
    has_hash = cls.__dict__.get("__hash__", MISSING)
    has_hash = not (has_hash is MISSING or has_hash is None and "__eq__" in cls.__dict__)
    shown = [item for item in all_fields.values() if item._field_type is _FIELD]

    if init:
        _add_init(cls, all_fields, frozen)
    if repr:
        _add(cls, "__repr__", _make_repr([item.name for item in shown if item.repr]))
    compared = [item.name for item in shown if item.compare]
    if eq:
        _add(cls, "__eq__", _comparison(compared, lambda a, b: a == b))
    if order:
        for name, compare in _orders.items():
            if name in cls.__dict__:
                raise TypeError(f"Cannot overwrite attribute {name} in class {cls.__name__}. "
                                "Consider using functools.total_ordering")
            _add(cls, name, _comparison(compared, compare))
    if frozen:
        _freeze(cls, shown)
    hashed = [item.name for item in shown if (item.compare if item.hash is None else item.hash)]
    if unsafe_hash or eq and frozen:
        if has_hash and unsafe_hash:
            raise TypeError(f"Cannot overwrite attribute __hash__ in class {cls.__name__}")
        if not has_hash:
            cls.__hash__ = lambda self: hash(tuple([getattr(self, name) for name in hashed]))
    elif eq and not has_hash:
        cls.__hash__ = None
    if match_args and "__match_args__" not in cls.__dict__:
        cls.__match_args__ = tuple(item.name for item in all_fields.values()
                                   if item.init and not item.kw_only and item._field_type is not _CLASSVAR)
    if not cls.__doc__:
        cls.__doc__ = cls.__name__
    return _with_slots(cls, [item.name for item in shown]) if slots else cls


class _Params:
    def __init__(self, init, repr, eq, order, unsafe_hash, frozen):
        self.init, self.repr, self.eq, self.order = init, repr, eq, order
        self.unsafe_hash, self.frozen = unsafe_hash, frozen

    def __repr__(self):
        return f"_DataclassParams({','.join(f'{name}={value!r}' for name, value in vars(self).items())})"


_orders = {"__lt__": lambda a, b: a < b, "__le__": lambda a, b: a <= b, "__gt__": lambda a, b: a > b,
           "__ge__": lambda a, b: a >= b}


def _add(cls, name, method):
    if name not in cls.__dict__:
        method.__name__ = name
        method.__qualname__ = f"{cls.__qualname__}.{name}"
        setattr(cls, name, method)


def _make_repr(names):
    @recursive_repr("...")
    def __repr__(self):
        return f"{type(self).__qualname__}({', '.join([f'{name}={getattr(self, name)!r}' for name in names])})"

    return __repr__


def _comparison(names, compare):
    def method(self, other):
        if type(other) is not type(self):
            return NotImplemented
        return compare(tuple([getattr(self, name) for name in names]), tuple([getattr(other, name) for name in names]))

    return method


def _add_init(cls, all_fields, frozen):
    taking = [item for item in all_fields.values() if item._field_type is not _CLASSVAR]
    arguments = [item for item in taking if item.init]
    positional = [item for item in arguments if not item.kw_only]
    earlier = False
    for item in positional:
        if item._has_default():
            earlier = True
        elif earlier:
            raise TypeError(f"non-default argument {item.name!r} follows default argument")
    names = tuple(item.name for item in positional)
    keywords = tuple(item.name for item in arguments if item.kw_only)
    defaults = {item.name: item.default if item.default is not MISSING else _FACTORY
                for item in arguments if item._has_default()}
    where = f"{cls.__qualname__}.__init__"
    set_value = object.__setattr__ if frozen else setattr

    def __init__(self, *args, **kwargs):
        given = bind(where, names, defaults, args, kwargs, keywords)
        for_post_init = []
        for item in taking:
            name = item.name
            if item.init and name in given:
                value = given[name]
            elif item.default_factory is not MISSING:
                value = item.default_factory()
            elif item.default is not MISSING and item.init:
                value = item.default
            elif item._field_type is _INITVAR:
                value = item.default
            else:
                continue
            if item._field_type is _INITVAR:
                for_post_init.append(value)
            else:
                set_value(self, name, value)
        if hasattr(self, "__post_init__"):
            self.__post_init__(*for_post_init)

    __init__.__annotations__ = {item.name: item.type for item in arguments} | {"return": None}
    __init__._parameters = (names, keywords, defaults)
    _add(cls, "__init__", __init__)


def _freeze(cls, shown):
    names = {item.name for item in shown}

    def __setattr__(self, name, value):
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self, name):
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    for name, method in (("__setattr__", __setattr__), ("__delattr__", __delattr__)):
        if name in cls.__dict__:
            raise TypeError(f"Cannot overwrite attribute {name} in class {cls.__name__}")
        _add(cls, name, method)


def _with_slots(cls, names):
    if "__slots__" in cls.__dict__:
        raise TypeError(f"{cls.__name__} already specifies __slots__")
    namespace = {name: value for name, value in cls.__dict__.items() if name not in names + ["__dict__", "__weakref__"]}
    inherited = [name for base in cls.__mro__[1:] for name in vars(base).get("__slots__", ())]
    namespace["__slots__"] = tuple(name for name in names if name not in inherited)
    result = type(cls)(cls.__name__, cls.__bases__, namespace)
    result.__qualname__ = cls.__qualname__
    return result


def fields(class_or_instance):
    known = getattr(class_or_instance, "__dataclass_fields__", None)
    if known is None:
        raise TypeError("must be called with a dataclass type or instance")
    return tuple(item for item in known.values() if item._field_type is _FIELD)


def is_dataclass(obj):
    return hasattr(obj if isinstance(obj, type) else type(obj), "__dataclass_fields__")


def _is_instance(obj):
    return hasattr(type(obj), "__dataclass_fields__")


def asdict(obj, *, dict_factory=dict):
    if not _is_instance(obj):
        raise TypeError("asdict() should be called on dataclass instances")
    return _convert(obj, lambda pairs: dict_factory(pairs))


def astuple(obj, *, tuple_factory=tuple):
    if not _is_instance(obj):
        raise TypeError("astuple() should be called on dataclass instances")
    return _convert(obj, lambda pairs: tuple_factory([value for _, value in pairs]))


def _convert(obj, make):
    if _is_instance(obj):
        return make([(item.name, _convert(getattr(obj, item.name), make)) for item in fields(obj)])
    if isinstance(obj, tuple) and hasattr(obj, "_fields"):
        return type(obj)(*[_convert(value, make) for value in obj])
    if isinstance(obj, (list, tuple)):
        return type(obj)([_convert(value, make) for value in obj])
    if isinstance(obj, dict):
        pairs = [(_convert(key, make), _convert(value, make)) for key, value in obj.items()]
        return type(obj)(obj.default_factory, pairs) if hasattr(type(obj), "__missing__") else type(obj)(pairs)
    return deepcopy(obj)


def replace(obj, /, **changes):
    if not _is_instance(obj):
        raise TypeError("replace() should be called on dataclass instances")
    for item in obj.__dataclass_fields__.values():
        if item._field_type is _CLASSVAR:
            continue
        if not item.init:
            if item.name in changes:
                raise ValueError(f"field {item.name} is declared with init=False, "
                                 "it cannot be specified with replace()")
        elif item.name not in changes:
            if item._field_type is _INITVAR and item.default is MISSING:
                raise ValueError(f"InitVar {item.name!r} must be specified with replace()")
            changes[item.name] = getattr(obj, item.name)
    return type(obj)(**changes)


def make_dataclass(cls_name, fields, *, bases=(), namespace=None, module=None, **options):
    names = dict(namespace or {})
    annotations = {}
    for item in fields:
        name, annotation = (item, "typing.Any") if isinstance(item, str) else item[:2]
        if not isinstance(name, str) or not name.isidentifier():
            raise TypeError(f"Field names must be valid identifiers: {name!r}")
        if iskeyword(name):
            raise TypeError(f"Field names must not be keywords: {name!r}")
        if name in annotations:
            raise TypeError(f"Field name duplicated: {name!r}")
        annotations[name] = annotation
        if not isinstance(item, str) and len(item) == 3:
            names[name] = item[2]
    names["__annotations__"] = annotations
    names["__module__"] = _caller_module() if module is None else module
    metaclass = type(bases[0]) if bases else type
    return dataclass(metaclass(cls_name, tuple(bases), names), **options)
