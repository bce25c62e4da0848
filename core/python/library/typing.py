# SPDX-License-Identifier: GPL-3.0-or-later
# Python's typing: what annotations are made of, and how they print. Nothing is checked.

import collections.abc
from _native import _caller_module
from collections.named_tuple import make_named_tuple
from abc import ABCMeta

TYPE_CHECKING = False


def _text(value):
    if value is ...:
        return "..."
    if isinstance(value, type) and type(value).__name__ != "GenericAlias":
        module = value.__module__
        return value.__qualname__ if module == "builtins" else f"{module}.{value.__qualname__}"
    if isinstance(value, list):
        return f"[{', '.join(map(_text, value))}]"
    if callable(value) and hasattr(value, "__qualname__") and not isinstance(value, _Alias):
        return value.__name__
    return repr(value)


def _argument(value):
    if value is None:
        return type(None)
    return ForwardRef(value) if isinstance(value, str) else value


class _Typing:
    """What stands in annotations; `int | X` and `X | int` are unions."""

    def __or__(self, other):
        return Union[self, other]

    def __ror__(self, other):
        return Union[other, self]

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


def _refuse_builtin(form):
    origin = form.__origin__
    if origin in (list, dict, tuple, set, frozenset, type):
        raise TypeError(f"Type {form._name} cannot be instantiated; use {origin.__name__}() instead")


class ForwardRef(_Typing):
    def __init__(self, arg):
        self.__forward_arg__ = arg

    def __repr__(self):
        return f"ForwardRef({self.__forward_arg__!r})"

    def __eq__(self, other):
        return isinstance(other, ForwardRef) and self.__forward_arg__ == other.__forward_arg__

    def __hash__(self):
        return hash(self.__forward_arg__)


class TypeVar(_Typing):
    def __init__(self, name, *constraints, bound=None, covariant=False, contravariant=False):
        self.__name__, self.__constraints__, self.__bound__ = name, constraints, bound
        self.__covariant__, self.__contravariant__ = covariant, contravariant
        self.__module__ = _caller_module()

    def __repr__(self):
        return f"{'+' if self.__covariant__ else '-' if self.__contravariant__ else '~'}{self.__name__}"


class ParamSpec(TypeVar):
    @property
    def args(self):
        return self

    @property
    def kwargs(self):
        return self


class TypeVarTuple(TypeVar):
    def __repr__(self):
        return self.__name__

    def __iter__(self):
        yield Unpack[self]


class _Alias(_Typing):
    """List[int]: an origin with arguments. Calling it calls the origin."""

    def __init__(self, origin, arguments, name):
        arguments = arguments if isinstance(arguments, tuple) else (arguments,)
        self.__origin__ = origin
        self.__args__ = arguments
        self._name = name.split(".")[-1]
        self._text = name

    @property
    def __parameters__(self):
        found = []
        for item in self.__args__:
            for name in [item] if isinstance(item, TypeVar) else getattr(item, "__parameters__", ()):
                if name not in found:
                    found.append(name)
        return tuple(found)

    def __getitem__(self, arguments):
        arguments = arguments if isinstance(arguments, tuple) else (arguments,)
        values = dict(zip(self.__parameters__, map(_argument, arguments)))

        def filled(item):
            if isinstance(item, TypeVar):
                return values.get(item, item)
            inner = getattr(item, "__parameters__", ()) if not isinstance(item, type) else ()
            return item[tuple(values.get(name, name) for name in inner)] if inner else item

        if not values:
            raise TypeError(f"{self!r} is not a generic class")
        return type(self)(self.__origin__, tuple(map(filled, self.__args__)), self._text)

    def __call__(self, *args, **kwargs):
        _refuse_builtin(self)
        return self.__origin__(*args, **kwargs)

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return getattr(self.__origin__, name)

    def __instancecheck__(self, value):
        raise TypeError("Subscripted generics cannot be used with class and instance checks")

    __subclasscheck__ = __instancecheck__

    def __mro_entries__(self, bases):
        if self.__origin__ is Generic and any(isinstance(base, _Alias) and base is not self for base in bases):
            return ()
        return (self.__origin__,)

    def __repr__(self):
        return f"{self._text}[{', '.join(map(_text, self.__args__)) or '()'}]"

    def __eq__(self, other):
        if not isinstance(other, _Alias):
            return NotImplemented
        return self.__origin__ == other.__origin__ and self.__args__ == other.__args__

    def __hash__(self):
        return hash((id(self.__origin__), self.__args__))


class _UnionAlias(_Alias):
    def __repr__(self):
        others = [item for item in self.__args__ if item is not type(None)]
        if len(others) == len(self.__args__) - 1 == 1:
            return f"typing.Optional[{_text(others[0])}]"
        return f"typing.Union[{', '.join(map(_text, self.__args__))}]"

    def __eq__(self, other):
        if not isinstance(other, _UnionAlias):
            return NotImplemented
        return set(self.__args__) == set(other.__args__)

    def __hash__(self):
        return hash(frozenset(self.__args__))

    def __call__(self, *args, **kwargs):
        raise TypeError("Cannot instantiate typing.Union")

    def __instancecheck__(self, value):
        return isinstance(value, self.__args__)

    def __subclasscheck__(self, cls):
        return issubclass(cls, self.__args__)


class _LiteralAlias(_Alias):
    def __repr__(self):
        return f"typing.Literal[{', '.join(map(repr, self.__args__))}]"


class _CallableAlias(_Alias):
    def __repr__(self):
        *parameters, result = self.__args__
        if parameters and parameters[0] is ...:
            return f"typing.Callable[..., {_text(result)}]"
        return f"{self._text}[[{', '.join(map(_text, parameters))}], {_text(result)}]"


class _AnnotatedAlias(_Alias):
    def __init__(self, kind, metadata):
        super().__init__(kind, kind, "typing.Annotated")
        self.__metadata__ = metadata

    def __repr__(self):
        return f"typing.Annotated[{_text(self.__origin__)}, {', '.join(map(repr, self.__metadata__))}]"


class _Form(_Typing):
    """List, Optional, Final ...: a name that takes arguments in brackets."""

    def __init__(self, name, origin=None):
        self._name = name
        self.__origin__ = self if origin is None else origin
        self._is_special = origin is None

    def __getitem__(self, arguments):
        many = arguments if isinstance(arguments, tuple) else (arguments,)
        return _Alias(self.__origin__, tuple(map(_argument, many)), f"typing.{self._name}")

    def __call__(self, *args, **kwargs):
        if self._is_special:
            raise TypeError(f"Cannot instantiate {self!r}")
        _refuse_builtin(self)
        return self.__origin__(*args, **kwargs)

    def __instancecheck__(self, value):
        if self._is_special:
            raise TypeError(f"{self!r} cannot be used with isinstance()")
        return isinstance(value, self.__origin__)

    def __subclasscheck__(self, cls):
        if self._is_special:
            raise TypeError(f"{self!r} cannot be used with issubclass()")
        return issubclass(cls, self.__origin__)

    def __mro_entries__(self, bases):
        return (self.__origin__,)

    def __repr__(self):
        return f"typing.{self._name}"


class _UnionForm(_Form):
    def __getitem__(self, arguments):
        many = arguments if isinstance(arguments, tuple) else (arguments,)
        if not many:
            raise TypeError("Cannot take a Union of no types.")
        flat = []
        for item in map(_argument, many):
            parts = item.__args__ if isinstance(item, (_UnionAlias, type(int | str))) else (item,)
            flat += [part for part in parts if part not in flat]
        return flat[0] if len(flat) == 1 else _UnionAlias(self, tuple(flat), "typing.Union")


class _OptionalForm(_Form):
    def __getitem__(self, argument):
        if isinstance(argument, tuple):
            raise TypeError(f"typing.Optional requires a single type. Got {argument!r}.")
        return Union[argument, None]


class _LiteralForm(_Form):
    def __getitem__(self, arguments):
        many = arguments if isinstance(arguments, tuple) else (arguments,)
        return _LiteralAlias(self, tuple(dict.fromkeys(many)), "typing.Literal")


class _AnnotatedForm(_Form):
    def __getitem__(self, arguments):
        if not isinstance(arguments, tuple) or len(arguments) < 2:
            raise TypeError("Annotated[...] should be used with at least two arguments (a type and an annotation).")
        return _AnnotatedAlias(_argument(arguments[0]), arguments[1:])


class _CallableForm(_Form):
    def __getitem__(self, arguments):
        if not isinstance(arguments, tuple) or len(arguments) != 2:
            raise TypeError("Callable must be used as Callable[[arg, ...], result].")
        parameters, result = arguments
        listed = list(parameters) if isinstance(parameters, (list, tuple)) else [parameters]
        return _CallableAlias(self.__origin__, tuple(map(_argument, listed + [result])), "typing.Callable")


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


Union = _UnionForm("Union")
Optional = _OptionalForm("Optional")
Literal = _LiteralForm("Literal")
Callable = _CallableForm("Callable", collections.abc.Callable)
Annotated = _AnnotatedForm("Annotated")
ClassVar, Final, Required, NotRequired = _Form("ClassVar"), _Form("Final"), _Form("Required"), _Form("NotRequired")
Concatenate, TypeGuard, Unpack = _Form("Concatenate"), _Form("TypeGuard"), _Form("Unpack")
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

T, KT, VT = TypeVar("T"), TypeVar("KT"), TypeVar("VT")
AnyStr = TypeVar("AnyStr", bytes, str)
Text = str


class Generic:
    def __class_getitem__(cls, arguments):
        name = "typing.Generic" if cls is Generic else f"{cls.__module__}.{cls.__qualname__}"
        many = arguments if isinstance(arguments, tuple) else (arguments,)
        return _Alias(cls, tuple(map(_argument, many)), name)


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


def cast(typ, val):
    return val


def overload(func):
    def refuse(*args, **kwargs):
        raise NotImplementedError("You should not call an overloaded function. A series of @overload-decorated functions "
                                  "outside a stub module should always be followed by an implementation that is not "
                                  "@overload-ed.")

    return refuse


def final(f):
    return f


def no_type_check(arg):
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
    return getattr(tp, "__origin__", None) if not isinstance(tp, type) or hasattr(tp, "__args__") else None


def get_args(tp):
    if isinstance(tp, _AnnotatedAlias):
        return tp.__args__ + tp.__metadata__
    if isinstance(tp, _CallableAlias) and tp.__args__[0] is not ...:
        return list(tp.__args__[:-1]), tp.__args__[-1]
    return getattr(tp, "__args__", ())


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    """Names in texts are not looked up: they stay ForwardRefs."""
    hints = {}
    sources = obj.__mro__[::-1] if isinstance(obj, type) else [obj]
    for source in sources:
        names = vars(source).get("__annotations__", {}) if isinstance(obj, type) else getattr(source, "__annotations__", {})
        for name, kind in names.items():
            hints[name] = _argument(kind)
    return hints


def is_typeddict(tp):
    return isinstance(tp, _TypedDictMeta)
