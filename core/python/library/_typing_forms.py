# SPDX-License-Identifier: GPL-3.0-or-later
# What the names of typing are made of: forms (List, Optional ...) that take arguments in brackets, and the aliases that
# this gives (List[int]), which print as CPython prints them.

from _native import _caller_module, _known_module, _union


def _text(value):
    if value is ...:
        return "..."
    if isinstance(value, type) and type(value).__name__ != "GenericAlias":
        module = value.__module__
        return value.__qualname__ if module == "builtins" else f"{module}.{value.__qualname__}"
    if isinstance(value, list):
        return f"[{', '.join(map(_text, value))}]"
    if isinstance(value, type(_text)):
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
    def __init__(self, arg, is_argument=True, module=None, *, is_class=False):
        if not isinstance(arg, str):
            raise TypeError(f"Forward reference must be a string -- got {arg!r}")
        text = f"({arg},)[0]" if arg.startswith("*") else arg
        try:
            self.__forward_code__ = compile(text, "<string>", "eval")
        except SyntaxError:
            raise SyntaxError(f"Forward reference must be an expression -- got {arg!r}")
        self.__forward_arg__, self.__forward_module__ = arg, module
        self.__forward_is_argument__, self.__forward_is_class__ = is_argument, is_class
        self.__forward_evaluated__, self.__forward_value__ = False, None

    def _evaluate(self, globalns, localns, within):
        if self.__forward_arg__ in within:
            return self
        if not self.__forward_evaluated__ or localns is not globalns:
            from _type_hints import checked, evaluated

            globalns = localns if globalns is None else globalns
            globalns = {} if globalns is None else globalns
            localns = globalns if localns is None else localns
            if self.__forward_module__ is not None:
                globalns = getattr(_known_module(self.__forward_module__, None), "__dict__", globalns)
            value = checked(eval(self.__forward_code__, globalns, localns), self.__forward_is_argument__,
                            self.__forward_is_class__)
            self.__forward_value__ = evaluated(value, globalns, localns, within | {self.__forward_arg__})
            self.__forward_evaluated__ = True
        return self.__forward_value__

    def __repr__(self):
        module = "" if self.__forward_module__ is None else f", module={self.__forward_module__!r}"
        return f"ForwardRef({self.__forward_arg__!r}{module})"

    def __eq__(self, other):
        if not isinstance(other, ForwardRef):
            return NotImplemented
        if self.__forward_evaluated__ and other.__forward_evaluated__:
            return (self.__forward_arg__, self.__forward_value__) == (other.__forward_arg__, other.__forward_value__)
        return (self.__forward_arg__, self.__forward_module__) == (other.__forward_arg__, other.__forward_module__)

    def __hash__(self):
        return hash((self.__forward_arg__, self.__forward_module__))


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


def _entries(alias, bases):
    """What a class has in the place of List[int] among its bases."""
    if isinstance(alias.__origin__, _Form):
        raise TypeError(f"Cannot subclass {alias!r}")
    found = () if alias.__origin__ in bases else (alias.__origin__,)
    later = bases[bases.index(alias) + 1:]
    is_generic = any(isinstance(base, (_Alias, _Form)) or isinstance(base, type) and issubclass(base, Generic)
                     for base in later)
    return found if is_generic or alias.__origin__ is Generic else (*found, Generic)


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
        return self._with_arguments(tuple(map(filled, self.__args__)))

    def _with_arguments(self, arguments):
        return type(self)(self.__origin__, arguments, self._text)

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
        if self.__origin__ is Generic:
            from typing import Protocol

            later = bases[bases.index(self) + 1:]
            return () if Protocol in bases or any(isinstance(base, _Alias) for base in later) else (Generic,)
        return _entries(self, bases) if self._text.startswith("typing.") else (self.__origin__,)

    def __repr__(self):
        return f"{self._text}[{', '.join(map(_text, self.__args__)) or '()'}]"

    def __eq__(self, other):
        if not isinstance(other, _Alias):
            return NotImplemented
        return self.__origin__ == other.__origin__ and self.__args__ == other.__args__

    def __hash__(self):
        return hash((id(self.__origin__), self.__args__))


class _ClassAlias(_Alias):
    """Of a class outside of typing: deque[int], collections.abc.Sequence[int]."""

    def __or__(self, other):
        return _union(self, other)

    def __ror__(self, other):
        return _union(other, self)


class _UnionAlias(_Alias):
    def __repr__(self):
        others = [item for item in self.__args__ if item is not type(None)]
        if len(others) == len(self.__args__) - 1 == 1:
            return f"typing.Optional[{_text(others[0])}]"
        return f"typing.Union[{', '.join(map(_text, self.__args__))}]"

    def _with_arguments(self, arguments):
        return Union[arguments]

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

    def _with_arguments(self, arguments):
        return _AnnotatedAlias(arguments[0], self.__metadata__)

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
        return _entries(self, bases)

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


class Generic:
    __module__ = "typing"

    def __class_getitem__(cls, arguments):
        name = "typing.Generic" if cls is Generic else f"{cls.__module__}.{cls.__qualname__}"
        many = arguments if isinstance(arguments, tuple) else (arguments,)
        return _Alias(cls, tuple(map(_argument, many)), name)


Union = _UnionForm("Union")
Optional = _OptionalForm("Optional")
Unpack = _Form("Unpack")
