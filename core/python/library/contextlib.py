# SPDX-License-Identifier: GPL-3.0-or-later
# Python's contextlib, without its asynchronous half.

import sys

from abc import ABC, abstractmethod
from functools import wraps


class AbstractContextManager(ABC):
    def __enter__(self):
        return self

    @abstractmethod
    def __exit__(self, exc_type, exc_value, traceback):
        return None


class ContextDecorator:
    def _recreate_cm(self):
        return self

    def __call__(self, func):
        @wraps(func)
        def inner(*args, **kwargs):
            with self._recreate_cm():
                return func(*args, **kwargs)

        return inner


class _GeneratorContextManager(ContextDecorator):
    def __init__(self, func, args, kwargs):
        self._made_of = func, args, kwargs
        self.gen = func(*args, **kwargs)

    def _recreate_cm(self):
        return type(self)(*self._made_of)

    def __enter__(self):
        for value in self.gen:
            return value
        raise RuntimeError("generator didn't yield")

    def __exit__(self, exc_type, exc_value, traceback):
        if exc_type is None:
            for _ in self.gen:
                raise RuntimeError("generator didn't stop")
            return False
        value = exc_type() if exc_value is None else exc_value
        try:
            self.gen.throw(value)
        except StopIteration as stop:
            return stop is not value
        except RuntimeError as error:
            # a StopIteration that passes through a generator comes out as a RuntimeError
            if error is value or isinstance(value, StopIteration) and error.__cause__ is value:
                return False
            raise
        except BaseException as error:
            if error is value:
                return False
            raise
        raise RuntimeError("generator didn't stop after throw()")


def contextmanager(func):
    @wraps(func)
    def helper(*args, **kwargs):
        return _GeneratorContextManager(func, args, kwargs)

    return helper


class closing(AbstractContextManager):
    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, *details):
        self.thing.close()


class nullcontext(AbstractContextManager):
    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, *details):
        pass


class suppress(AbstractContextManager):
    def __init__(self, *exceptions):
        self._exceptions = exceptions

    def __enter__(self):
        pass

    def __exit__(self, exc_type, exc_value, traceback):
        return exc_type is not None and issubclass(exc_type, self._exceptions)


class _Redirect(AbstractContextManager):
    def __init__(self, new_target):
        self._new_target = new_target
        self._old_targets = []

    def __enter__(self):
        self._old_targets.append(getattr(sys, self._stream))
        setattr(sys, self._stream, self._new_target)
        return self._new_target

    def __exit__(self, *details):
        setattr(sys, self._stream, self._old_targets.pop())


class redirect_stdout(_Redirect):
    _stream = "stdout"


class redirect_stderr(_Redirect):
    _stream = "stderr"


class ExitStack(AbstractContextManager):
    def __init__(self):
        self._exits = []

    def enter_context(self, cm):
        if not hasattr(type(cm), "__enter__") or not hasattr(type(cm), "__exit__"):
            kind = f"{type(cm).__module__}.{type(cm).__qualname__}"
            raise TypeError(f"'{kind}' object does not support the context manager protocol")
        value = type(cm).__enter__(cm)
        self.push(cm)
        return value

    def push(self, exit):
        if hasattr(type(exit), "__exit__"):
            self._exits.append(lambda *details: type(exit).__exit__(exit, *details))
        else:
            self._exits.append(exit)
        return exit

    def callback(self, callback, /, *args, **kwds):
        def exit(*details):
            callback(*args, **kwds)

        self._exits.append(exit)
        return callback

    def pop_all(self):
        result = type(self)()
        result._exits, self._exits = self._exits, []
        return result

    def close(self):
        self.__exit__(None, None, None)

    def __exit__(self, exc_type, exc_value, traceback):
        original = pending = exc_value
        while self._exits:
            exit = self._exits.pop()
            try:
                details = (None, None, None) if pending is None else (type(pending), pending, None)
                if exit(*details):
                    pending = None
            except BaseException as error:
                pending = error
        if pending is not None and pending is not original:
            raise pending
        return original is not None and pending is None
