# SPDX-License-Identifier: GPL-3.0-or-later
# typing.get_type_hints: annotations with their texts evaluated, as `from __future__ import annotations` leaves them.

from functools import reduce
from operator import or_
from types import BuiltinFunctionType, FunctionType, GenericAlias, MethodType, ModuleType, UnionType
from _native import _known_module
from _typing_forms import ForwardRef, Generic, _Alias, _AnnotatedAlias, _argument, _Form, _LiteralAlias
from typing import (Any, ClassVar, Final, LiteralString, Never, NoReturn, NotRequired, Protocol, Required, Self,
                    TypeAlias)


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    if getattr(obj, "__no_type_check__", None):
        return {}
    hints = _class_hints(obj, globalns, localns) if isinstance(obj, type) else _own_hints(obj, globalns, localns)
    return hints if include_extras else {name: _without_extras(hint) for name, hint in hints.items()}


def _class_hints(cls, globalns, localns):
    hints = {}
    for base in reversed(cls.__mro__):
        names = getattr(_known_module(base.__module__, None), "__dict__", {}) if globalns is None else globalns
        own = dict(vars(base)) if localns is None else localns
        if globalns is None and localns is None: # names of the module hide those of the class
            names, own = own, names
        for name, hint in base.__dict__.get("__annotations__", {}).items():
            hints[name] = evaluated(_annotation(hint, False, True), names, own)
    return hints


def _own_hints(obj, globalns, localns):
    is_module = isinstance(obj, ModuleType)
    if globalns is None:
        holder = obj
        while not is_module and hasattr(holder, "__wrapped__"):
            holder = holder.__wrapped__
        globalns = vars(obj) if is_module else getattr(holder, "__globals__", {})
    annotations = getattr(obj, "__annotations__", None)
    if annotations is None:
        if isinstance(obj, (FunctionType, BuiltinFunctionType, MethodType, ModuleType)):
            return {}
        raise TypeError(f"{obj!r} is not a module, class, method, or function.")
    localns = globalns if localns is None else localns
    return {name: evaluated(_annotation(hint, not is_module, False), globalns, localns)
            for name, hint in annotations.items()}


def _annotation(hint, is_argument, is_class):
    if isinstance(hint, str):
        return ForwardRef(hint, is_argument=is_argument, is_class=is_class)
    return type(None) if hint is None else hint


def checked(value, is_argument, is_class):
    """What the text of an annotation has given, if it may stand there."""
    value = _argument(value)
    refused = [Generic, Protocol]
    if not is_class:
        refused += [ClassVar, Final] if is_argument else [ClassVar]
    if isinstance(value, _Alias) and any(value.__origin__ is form for form in refused):
        raise TypeError(f"{value} is not valid as type argument")
    allowed = [Any, LiteralString, NoReturn, Never, Self, TypeAlias] + ([ClassVar, Final] if is_class else [])
    if any(value is form for form in allowed):
        return value
    if isinstance(value, _Form) and value._is_special or value is Generic or value is Protocol:
        raise TypeError(f"Plain {value} is not valid as type argument")
    if type(value) is tuple:
        raise TypeError(f"Forward references must evaluate to types. Got {value!r:.100}.")
    return value


def evaluated(hint, globalns, localns, within=frozenset()):
    """The hint with the texts in it evaluated, at any depth."""
    if isinstance(hint, ForwardRef):
        return hint._evaluate(globalns, localns, within)
    if isinstance(hint, _LiteralAlias) or not isinstance(hint, (_Alias, GenericAlias, UnionType)):
        return hint
    old = hint.__args__
    parts = [ForwardRef(part) if isinstance(part, str) else part for part in old]
    new = tuple(evaluated(part, globalns, localns, within) for part in parts)
    return hint if new == old else _with_arguments(hint, new)


def _with_arguments(hint, arguments):
    if isinstance(hint, GenericAlias):
        return GenericAlias(hint.__origin__, arguments)
    if isinstance(hint, UnionType):
        return reduce(or_, arguments)
    return hint._with_arguments(arguments)


def _without_extras(hint):
    """Annotated, Required and NotRequired are left out, at any depth."""
    if isinstance(hint, _AnnotatedAlias):
        return _without_extras(hint.__origin__)
    if isinstance(hint, _Alias) and (hint.__origin__ is Required or hint.__origin__ is NotRequired):
        return _without_extras(hint.__args__[0])
    if isinstance(hint, _LiteralAlias) or not isinstance(hint, (_Alias, GenericAlias, UnionType)):
        return hint
    arguments = tuple(map(_without_extras, hint.__args__))
    return hint if arguments == hint.__args__ else _with_arguments(hint, arguments)
