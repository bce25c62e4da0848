# SPDX-License-Identifier: GPL-3.0-or-later
# Names for Python's own types.


def _generator():
    yield


class _Class:
    def method(self):
        pass


FunctionType = LambdaType = type(_generator)
GeneratorType = type(_generator())
MethodType = type(_Class().method)
BuiltinFunctionType = BuiltinMethodType = type(len)
CellType = type((lambda value: lambda: value)(None).__closure__[0])
NoneType = type(None)
EllipsisType = type(...)
NotImplementedType = type(NotImplemented)
GenericAlias = type(list[int])
UnionType = type(int | str)


def _module_type():
    import reprlib

    return type(reprlib)


_module = _module_type()


class _ModuleClass(type):
    def __instancecheck__(cls, instance):
        return (cls is ModuleType and isinstance(instance, _module)) or super().__instancecheck__(instance)


class ModuleType(metaclass=_ModuleClass):
    """The class of modules; a module of a subclass is an instance, which may stand in sys.modules."""

    def __new__(cls, name, doc=None, *args, **kwargs):
        return _module(name, doc) if cls is ModuleType else object.__new__(cls)

    def __init__(self, name, doc=None):
        self.__dict__.update(__name__=name, __doc__=doc, __package__=None, __loader__=None, __spec__=None)

    def __repr__(self):
        return f"<module {self.__name__!r}>"


class CodeType:
    """For annotations alone."""


class TracebackType:
    """For annotations alone."""


class CoroutineType:
    """For annotations alone."""


class SimpleNamespace:
    def __init__(self, /, **kwargs):
        self.__dict__.update(kwargs)

    def __repr__(self):
        name = "namespace" if type(self) is SimpleNamespace else type(self).__name__
        return f"{name}({', '.join(f'{key}={value!r}' for key, value in self.__dict__.items())})"

    def __eq__(self, other):
        if not isinstance(other, SimpleNamespace):
            return NotImplemented
        return self.__dict__ == other.__dict__

    __hash__ = None


class mappingproxy:
    """A dict that cannot be changed through it."""

    def __init__(self, mapping):
        self._mapping = mapping

    def __getitem__(self, key):
        return self._mapping[key]

    def __contains__(self, key):
        return key in self._mapping

    def __iter__(self):
        return iter(self._mapping)

    def __len__(self):
        return len(self._mapping)

    def __repr__(self):
        return f"mappingproxy({self._mapping!r})"

    def __str__(self):
        return str(self._mapping)

    def __eq__(self, other):
        return self._mapping == (other._mapping if isinstance(other, mappingproxy) else other)

    __hash__ = None

    def get(self, key, default=None):
        return self._mapping.get(key, default)

    def keys(self):
        return self._mapping.keys()

    def values(self):
        return self._mapping.values()

    def items(self):
        return self._mapping.items()

    def copy(self):
        return self._mapping.copy()


MappingProxyType = mappingproxy


class DynamicClassAttribute(property):
    pass


def resolve_bases(bases):
    found = []
    for base in bases:
        entries = None if isinstance(base, type) else getattr(base, "__mro_entries__", None)
        found += [base] if entries is None else entries(bases)
    return bases if found == list(bases) else tuple(found)


def prepare_class(name, bases=(), kwds=None):
    kwds = dict(kwds or {})
    metaclass = kwds.pop("metaclass", type(bases[0]) if bases else type)
    if isinstance(metaclass, type):
        for base in bases:
            if issubclass(type(base), metaclass):
                metaclass = type(base)
            elif not issubclass(metaclass, type(base)):
                raise TypeError("metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass "
                                "of the metaclasses of all its bases")
    namespace = metaclass.__prepare__(name, bases, **kwds) if hasattr(metaclass, "__prepare__") else {}
    return metaclass, namespace, kwds


def new_class(name, bases=(), kwds=None, exec_body=None):
    resolved = resolve_bases(bases)
    metaclass, namespace, kwds = prepare_class(name, resolved, kwds)
    if exec_body is not None:
        exec_body(namespace)
    if resolved is not bases:
        namespace["__orig_bases__"] = bases
    return metaclass(name, resolved, namespace, **kwds)
