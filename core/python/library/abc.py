# SPDX-License-Identifier: GPL-3.0-or-later
# Python's abc: abstract methods, and classes that others count as subclasses of by register() or __subclasshook__.


def abstractmethod(funcobj):
    funcobj.__isabstractmethod__ = True
    return funcobj


class abstractproperty(property):
    __isabstractmethod__ = True


class abstractclassmethod(classmethod):
    __isabstractmethod__ = True


class abstractstaticmethod(staticmethod):
    __isabstractmethod__ = True


def _is_abstract(value):
    if isinstance(value, property):
        return any(getattr(part, "__isabstractmethod__", False) for part in (value.fget, value.fset, value.fdel))
    if isinstance(value, (classmethod, staticmethod)):
        value = value.__func__
    return getattr(value, "__isabstractmethod__", False) is True


class _Relations:
    def __init__(self):
        self.registered = []
        self.derived = []


class ABCMeta(type):
    def __new__(mcls, name, bases, namespace, /, **kwargs):
        cls = super().__new__(mcls, name, bases, namespace, **kwargs)
        names = {name for name, value in namespace.items() if _is_abstract(value)}
        for base in bases:
            for name in getattr(base, "__abstractmethods__", ()):
                if _is_abstract(getattr(cls, name, None)):
                    names.add(name)
            if isinstance(base, ABCMeta):
                base._abc_impl.derived.append(cls)
        cls.__abstractmethods__ = frozenset(names)
        cls._abc_impl = _Relations()
        return cls

    def __call__(cls, *args, **kwargs):
        names = sorted(cls.__abstractmethods__)
        if names:
            word = "method" if len(names) == 1 else "methods"
            raise TypeError(f"Can't instantiate abstract class {cls.__name__} with abstract {word} {', '.join(names)}")
        return super().__call__(*args, **kwargs)

    def register(cls, subclass):
        if not isinstance(subclass, type):
            raise TypeError("Can only register classes")
        if not issubclass(subclass, cls):
            if issubclass(cls, subclass):
                raise RuntimeError("Refusing to create an inheritance cycle")
            cls._abc_impl.registered.append(subclass)
        return subclass

    def __instancecheck__(cls, instance):
        return cls.__subclasscheck__(type(instance))

    def __subclasscheck__(cls, subclass):
        if not isinstance(subclass, type):
            raise TypeError("issubclass() arg 1 must be a class")
        if cls in subclass.__mro__:
            return True
        answer = cls.__subclasshook__(subclass)
        if answer is not NotImplemented:
            return answer
        relations = cls._abc_impl
        return any(issubclass(subclass, other) for other in relations.registered + relations.derived)


class ABC(metaclass=ABCMeta):
    __slots__ = ()


def get_cache_token():
    return 0


def update_abstractmethods(cls):
    return cls
