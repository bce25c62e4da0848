# SPDX-License-Identifier: GPL-3.0-or-later
# Python's typing: the names that annotations are made of, and the classes that make classes (NamedTuple, TypedDict,
# Protocol). Nothing is checked. _typing_forms.py says what List[int] is.

import collections
import collections.abc
from types import UnionType
from _native import _caller_module
from _typing_forms import (ForwardRef, Generic, Optional, ParamSpec, TypeVar, TypeVarTuple, Union, Unpack, _Alias,
                           _AnnotatedAlias, _AnnotatedForm, _argument, _CallableAlias, _CallableForm, _Form,
                           _LiteralForm, _Typing)
from abc import ABCMeta
from collections.named_tuple import make_named_tuple

__all__ = ("AbstractSet Annotated Any AnyStr AsyncGenerator AsyncIterable AsyncIterator Awaitable "
           "BinaryIO ByteString Callable ChainMap ClassVar Collection Concatenate Container Coroutine Counter "
           "DefaultDict Deque Dict Final ForwardRef FrozenSet Generator Generic Hashable IO ItemsView "
           "Iterable Iterator KeysView List Literal LiteralString Mapping MappingView MutableMapping "
           "MutableSequence MutableSet NamedTuple Never NewType NoReturn NotRequired Optional "
           "OrderedDict ParamSpec Protocol Required Reversible Self Sequence Set Sized SupportsAbs "
           "SupportsFloat SupportsIndex SupportsInt TYPE_CHECKING Text TextIO Tuple Type TypeAlias TypeGuard "
           "TypeVar TypeVarTuple TypedDict Union Unpack ValuesView assert_never assert_type cast "
           "dataclass_transform final get_args get_origin get_type_hints is_typeddict no_type_check "
           "overload reveal_type runtime_checkable").split()
TYPE_CHECKING = False


class _AnyMeta(type):
    def __repr__(self):
        return "typing.Any" if self is Any else super().__repr__()

    def __instancecheck__(self, value):
        if self is Any:
            raise TypeError("typing.Any cannot be used with isinstance()")
        return super().__instancecheck__(value)


class Any(metaclass=_AnyMeta):
    def __new__(cls, *args, **kwargs):
        if cls is Any:
            raise TypeError("Any cannot be instantiated")
        return super().__new__(cls)


Literal = _LiteralForm("Literal")
Callable = _CallableForm("Callable", collections.abc.Callable)
Annotated = _AnnotatedForm("Annotated")
ClassVar, Final, Required, NotRequired = _Form("ClassVar"), _Form("Final"), _Form("Required"), _Form("NotRequired")
Concatenate, TypeGuard = _Form("Concatenate"), _Form("TypeGuard")
NoReturn, Never, Self, LiteralString = _Form("NoReturn"), _Form("Never"), _Form("Self"), _Form("LiteralString")
TypeAlias = _Form("TypeAlias")

List, Dict, Tuple, Set = _Form("List", list), _Form("Dict", dict), _Form("Tuple", tuple), _Form("Set", set)
FrozenSet, Type = _Form("FrozenSet", frozenset), _Form("Type", type)

Iterable = _Form("Iterable", collections.abc.Iterable)
Iterator = _Form("Iterator", collections.abc.Iterator)
Sequence = _Form("Sequence", collections.abc.Sequence)
MutableSequence = _Form("MutableSequence", collections.abc.MutableSequence)
Mapping = _Form("Mapping", collections.abc.Mapping)
MutableMapping = _Form("MutableMapping", collections.abc.MutableMapping)
MutableSet = _Form("MutableSet", collections.abc.MutableSet)
Hashable = _Form("Hashable", collections.abc.Hashable)
Sized = _Form("Sized", collections.abc.Sized)
Container = _Form("Container", collections.abc.Container)
Collection = _Form("Collection", collections.abc.Collection)
Reversible = _Form("Reversible", collections.abc.Reversible)
Generator = _Form("Generator", collections.abc.Generator)
Awaitable = _Form("Awaitable", collections.abc.Awaitable)
Coroutine = _Form("Coroutine", collections.abc.Coroutine)
AsyncIterable = _Form("AsyncIterable", collections.abc.AsyncIterable)
AsyncIterator = _Form("AsyncIterator", collections.abc.AsyncIterator)
AsyncGenerator = _Form("AsyncGenerator", collections.abc.AsyncGenerator)
KeysView = _Form("KeysView", collections.abc.KeysView)
ItemsView = _Form("ItemsView", collections.abc.ItemsView)
ValuesView = _Form("ValuesView", collections.abc.ValuesView)
MappingView = _Form("MappingView", collections.abc.MappingView)
ByteString = _Form("ByteString", collections.abc.ByteString)
AbstractSet = _Form("AbstractSet", collections.abc.Set)
DefaultDict = _Form("DefaultDict", collections.defaultdict)
OrderedDict = _Form("OrderedDict", collections.OrderedDict)
Deque = _Form("Deque", collections.deque)
Counter = _Form("Counter", collections.Counter)
ChainMap = _Form("ChainMap", collections.ChainMap)

AnyStr = TypeVar("AnyStr", bytes, str)
Text = str


class _ProtocolMeta(ABCMeta):
    def __call__(cls, *args, **kwargs):
        if vars(cls).get("_is_protocol"):
            raise TypeError("Protocols cannot be instantiated")
        return super().__call__(*args, **kwargs)

    def __instancecheck__(cls, value):
        if not vars(cls).get("_is_protocol") or cls is Protocol:
            return super().__instancecheck__(value)
        if not vars(cls).get("_is_runtime_protocol"):
            raise TypeError("Instance and class checks can only be used with @runtime_checkable protocols")
        return all(hasattr(value, name) for name in cls._names())

    def __subclasscheck__(cls, other):
        if vars(cls).get("_is_runtime_protocol") and cls is not Protocol:
            return all(hasattr(other, name) for name in cls._names())
        return super().__subclasscheck__(other)

    def _names(cls):
        ours = [base for base in cls.__mro__ if vars(base).get("_is_protocol") and base is not Protocol]
        hidden = ("_is_protocol", "_is_runtime_protocol", "_abc_impl")
        names = {name for base in ours for name in [*vars(base), *vars(base).get("__annotations__", {})]
                 if name not in hidden and not (name[:2] == "__" and name in _class_names)}
        return sorted(names)


_class_names = ("__module__", "__qualname__", "__doc__", "__dict__", "__weakref__", "__annotations__", "__slots__",
                "__abstractmethods__", "__parameters__", "__init__", "__orig_bases__", "__class_getitem__",
                "__init_subclass__", "__hash__", "__subclasshook__", "__match_args__", "__static_attributes__")


class Protocol(Generic, metaclass=_ProtocolMeta):
    _is_protocol = True

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        cls._is_protocol = Protocol in cls.__bases__

    def __class_getitem__(cls, arguments):
        name = "typing.Protocol" if cls is Protocol else f"{cls.__module__}.{cls.__qualname__}"
        return _Alias(cls, arguments, name)


def runtime_checkable(cls):
    if not vars(cls).get("_is_protocol"):
        raise TypeError(f"@runtime_checkable can be only applied to protocol classes, got {cls!r}")
    cls._is_runtime_protocol = True
    return cls


@runtime_checkable
class SupportsInt(Protocol):
    def __int__(self):
        pass


@runtime_checkable
class SupportsFloat(Protocol):
    def __float__(self):
        pass


@runtime_checkable
class SupportsIndex(Protocol):
    def __index__(self):
        pass


@runtime_checkable
class SupportsAbs(Protocol):
    def __abs__(self):
        pass


class IO(Generic[AnyStr]):
    """What a file is called in an annotation; no file is one."""


class BinaryIO(IO[bytes]):
    pass


class TextIO(IO[str]):
    pass


class _NamedTupleMeta(type):
    def __new__(mcls, name, bases, namespace):
        if not bases:
            return super().__new__(mcls, name, bases, namespace)
        annotations = namespace.get("__annotations__", {})
        defaults = {}
        for field in annotations:
            if field in namespace:
                defaults[field] = namespace[field]
            elif defaults:
                plural = "s" if len(defaults) > 1 else ""
                raise TypeError(f"Non-default namedtuple field {field} cannot follow default field{plural} "
                                f"{', '.join(defaults)}")
        extra = {key: value for key, value in namespace.items() if key not in defaults and key not in _kept_by_tuple}
        for key in extra:
            if key in ("__new__", "__init__", "__slots__", "__getnewargs__", "_fields", "_field_defaults", "_make",
                       "_replace", "_asdict"):
                raise AttributeError("Cannot overwrite NamedTuple attribute " + key)
        for key in annotations:
            if key.startswith("_"):
                raise ValueError(f"Field names cannot start with an underscore: {key!r}")
        extra["__annotations__"] = dict(annotations)
        result = make_named_tuple(name, tuple(annotations), defaults, namespace.get("__module__"), extra)
        if "__qualname__" in namespace:
            result.__qualname__ = namespace["__qualname__"]
        return result

    def __call__(cls, typename, fields=None, /, **kwargs):
        pairs = [(name, _argument(kind)) for name, kind in (kwargs.items() if fields is None else fields)]
        result = make_named_tuple(typename, tuple(name for name, _ in pairs), {}, _caller_module())
        result.__annotations__ = dict(pairs)
        return result


_kept_by_tuple = ("__module__", "__qualname__", "__annotations__", "__static_attributes__", "__firstlineno__",
                  "__classcell__")


class NamedTuple(metaclass=_NamedTupleMeta):
    pass


class _TypedDictMeta(type):
    def __new__(mcls, name, bases, namespace, total=True):
        if not bases:
            return super().__new__(mcls, name, (dict,), namespace)
        annotations = {}
        required, optional = set(), set()
        for base in bases:
            annotations.update(base.__dict__.get("__annotations__", {}))
            required |= base.__dict__.get("__required_keys__", set())
            optional |= base.__dict__.get("__optional_keys__", set())
        own = namespace.get("__annotations__", {})
        for key, kind in own.items():
            form = getattr(kind, "__origin__", None)
            is_required = form is Required or total and form is not NotRequired
            (required if is_required else optional).add(key)
        annotations.update(own)
        cls = super().__new__(mcls, name, (dict,), {key: value for key, value in namespace.items()
                                                   if key != "__classcell__"})
        cls.__annotations__ = annotations
        cls.__total__ = total
        cls.__required_keys__, cls.__optional_keys__ = frozenset(required), frozenset(optional)
        return cls

    def __init__(cls, name, bases, namespace, total=True):
        super().__init__(name, bases, namespace)

    def __call__(cls, *args, **kwargs):
        if vars(cls).get("_is_root"):
            name, fields = args
            namespace = {"__annotations__": dict(fields), "__module__": _caller_module()}
            return _TypedDictMeta(name, (cls,), namespace, **kwargs)
        return dict(*args, **kwargs)

    def __instancecheck__(cls, value):
        raise TypeError("TypedDict does not support instance and class checks")

    __subclasscheck__ = __instancecheck__


class TypedDict(metaclass=_TypedDictMeta):
    _is_root = True


class NewType(_Typing):
    def __init__(self, name, tp):
        self.__name__ = self.__qualname__ = name
        self.__supertype__ = tp
        self.__module__ = _caller_module()

    def __call__(self, value, /):
        return value

    def __repr__(self):
        return f"{self.__module__}.{self.__qualname__}"


def __getattr__(name):
    if name in ("Pattern", "Match"):
        import re
        return _Form(name, getattr(re, name))
    raise AttributeError(f"module 'typing' has no attribute {name!r}")


def cast(typ, val):
    return val


def overload(func):
    def refuse(*args, **kwargs):
        raise NotImplementedError("not supported: calling what only has @overload; the function itself must follow")

    return refuse


def final(f):
    return f


def no_type_check(arg):
    arg.__no_type_check__ = True
    return arg


def dataclass_transform(**kwargs):
    return lambda cls: cls


def reveal_type(obj):
    return obj


def assert_type(val, typ):
    return val


def assert_never(arg):
    raise AssertionError(f"Expected code to be unreachable, but got: {arg!r}")


def get_origin(tp):
    if isinstance(tp, _AnnotatedAlias):
        return Annotated
    if tp is Generic:
        return Generic
    if isinstance(tp, _Form):
        return None if tp._is_special else tp.__origin__
    origin = getattr(tp, "__origin__", None) if not isinstance(tp, type) or hasattr(tp, "__args__") else None
    return UnionType if origin is None and isinstance(tp, UnionType) else origin


def get_args(tp):
    if isinstance(tp, _AnnotatedAlias):
        return tp.__args__ + tp.__metadata__
    if isinstance(tp, _CallableAlias) and tp.__args__[0] is not ...:
        return list(tp.__args__[:-1]), tp.__args__[-1]
    return getattr(tp, "__args__", ())


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    from _type_hints import get_type_hints

    return get_type_hints(obj, globalns, localns, include_extras)


def is_typeddict(tp):
    return isinstance(tp, _TypedDictMeta)
