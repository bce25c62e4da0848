# SPDX-License-Identifier: GPL-3.0-or-later
# The half of collections.abc whose classes go by the methods that a class has: Iterable, Sized, Callable ...

from abc import ABCMeta, abstractmethod


def _has(cls, names):
    for name in names:
        found = None
        for base in cls.__mro__:
            if name in vars(base):
                found = vars(base)[name]
                break
        if found is None:
            return NotImplemented
    return True


class _OneTrick(metaclass=ABCMeta):
    """Whoever has the methods counts as a subclass of a class that says itself which they are."""

    __slots__ = ()

    @classmethod
    def __subclasshook__(cls, subclass):
        return _has(subclass, vars(cls)["_methods"]) if "_methods" in vars(cls) else NotImplemented

    def __class_getitem__(cls, item):
        from _typing_forms import _ClassAlias

        return _ClassAlias(cls, item, f"collections.abc.{cls.__name__}")


class Hashable(_OneTrick):
    __module__ = "collections.abc"
    __slots__ = ()
    _methods = ("__hash__",)

    @abstractmethod
    def __hash__(self):
        return 0


class Iterable(_OneTrick):
    __module__ = "collections.abc"
    __slots__ = ()
    _methods = ("__iter__",)

    @abstractmethod
    def __iter__(self):
        return iter(())


class Iterator(Iterable):
    __module__ = "collections.abc"
    __slots__ = ()
    _methods = ("__iter__", "__next__")

    @abstractmethod
    def __next__(self):
        raise StopIteration

    def __iter__(self):
        return self


class Reversible(Iterable):
    __module__ = "collections.abc"
    __slots__ = ()
    _methods = ("__iter__", "__reversed__")

    @abstractmethod
    def __reversed__(self):
        return iter(())


class Generator(Iterator):
    __module__ = "collections.abc"
    __slots__ = ()
    _methods = ("__iter__", "__next__", "send", "throw", "close")

    def __next__(self):
        return self.send(None)

    @abstractmethod
    def send(self, value):
        raise StopIteration

    @abstractmethod
    def throw(self, error, value=None, traceback=None):
        raise error

    def close(self):
        try:
            self.throw(GeneratorExit)
        except (GeneratorExit, StopIteration):
            return
        raise RuntimeError("generator ignored GeneratorExit")


class Awaitable(_OneTrick):
    __module__ = "collections.abc"
    __slots__ = ()
    _methods = ("__await__",)


class Coroutine(Awaitable):
    __module__ = "collections.abc"
    __slots__ = ()
    _methods = ("__await__", "send", "throw", "close")


class AsyncIterable(_OneTrick):
    __module__ = "collections.abc"
    __slots__ = ()
    _methods = ("__aiter__",)


class AsyncIterator(AsyncIterable):
    __module__ = "collections.abc"
    __slots__ = ()
    _methods = ("__aiter__", "__anext__")


class AsyncGenerator(AsyncIterator):
    __module__ = "collections.abc"
    __slots__ = ()
    _methods = ("__aiter__", "__anext__", "asend", "athrow", "aclose")


class Sized(_OneTrick):
    __module__ = "collections.abc"
    __slots__ = ()
    _methods = ("__len__",)

    @abstractmethod
    def __len__(self):
        return 0


class Container(_OneTrick):
    __module__ = "collections.abc"
    __slots__ = ()
    _methods = ("__contains__",)

    @abstractmethod
    def __contains__(self, item):
        return False


class Callable(_OneTrick):
    __module__ = "collections.abc"
    __slots__ = ()
    _methods = ("__call__",)

    @abstractmethod
    def __call__(self, *args, **kwargs):
        return None


class Collection(Sized, Iterable, Container):
    __module__ = "collections.abc"
    __slots__ = ()
    _methods = ("__len__", "__iter__", "__contains__")
