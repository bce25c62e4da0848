# SPDX-License-Identifier: GPL-3.0-or-later
# Python's functools. Caches are dicts in the order of their last use.

from reprlib import recursive_repr

WRAPPER_ASSIGNMENTS = ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__")
WRAPPER_UPDATES = ("__dict__",)
_nothing = object()


def update_wrapper(wrapper, wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    for name in assigned:
        value = getattr(wrapped, name, _nothing)
        if value is not _nothing:
            setattr(wrapper, name, value)
    for name in updated:
        getattr(wrapper, name).update(getattr(wrapped, name, {}))
    wrapper.__wrapped__ = wrapped
    return wrapper


def wraps(wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    def decorate(wrapper):
        return update_wrapper(wrapper, wrapped, assigned, updated)

    return decorate


def reduce(function, iterable, initial=_nothing, /):
    iterator = iter(iterable)
    if initial is _nothing:
        initial = next(iterator, _nothing)
        if initial is _nothing:
            raise TypeError("reduce() of empty iterable with no initial value")
    for item in iterator:
        initial = function(initial, item)
    return initial


class partial:
    def __new__(cls, func=_nothing, /, *args, **keywords):
        if func is _nothing:
            raise TypeError("type 'partial' takes at least one argument")
        if not callable(func):
            raise TypeError("the first argument must be callable")
        if isinstance(func, partial) and not vars(func).keys() - {"func", "args", "keywords"}:
            func, args, keywords = func.func, func.args + args, {**func.keywords, **keywords}
        self = super().__new__(cls)
        self.func, self.args, self.keywords = func, args, keywords
        return self

    def __call__(self, /, *args, **keywords):
        return self.func(*self.args, *args, **{**self.keywords, **keywords})

    def __reduce__(self):
        return type(self), (self.func, *self.args), dict(vars(self))

    @recursive_repr()
    def __repr__(self):
        name = "functools.partial" if type(self) is partial else type(self).__qualname__
        parts = [repr(self.func)] + [repr(value) for value in self.args]
        parts += [f"{key}={value!r}" for key, value in self.keywords.items()]
        return f"{name}({', '.join(parts)})"


class partialmethod:
    def __init__(self, func, /, *args, **keywords):
        if not callable(func) and not hasattr(func, "__get__"):
            raise TypeError(f"{func!r} is not callable or a descriptor")
        self.func, self.args, self.keywords = func, args, keywords

    def __get__(self, instance, owner=None):
        if isinstance(self.func, (staticmethod, classmethod)):
            return partial(self.func.__get__(instance, owner), *self.args, **self.keywords)
        if instance is None:
            def method(self_, /, *args, **keywords):
                return self.func(self_, *self.args, *args, **{**self.keywords, **keywords})

            return method
        return partial(self.func, instance, *self.args, **self.keywords)


class _CacheInfo(tuple):
    def __repr__(self):
        return "CacheInfo(hits=%r, misses=%r, maxsize=%r, currsize=%r)" % tuple(self)

    hits = property(lambda self: self[0])
    misses = property(lambda self: self[1])
    maxsize = property(lambda self: self[2])
    currsize = property(lambda self: self[3])


def lru_cache(maxsize=128, typed=False):
    if callable(maxsize) and isinstance(typed, bool):
        return _cached(maxsize, 128, typed)
    if maxsize is not None and not isinstance(maxsize, int):
        raise TypeError("Expected first argument to be an integer, a callable, or None")
    return lambda function: _cached(function, maxsize if maxsize is None else max(maxsize, 0), typed)


def cache(function, /):
    return lru_cache(maxsize=None)(function)


def _cached(function, maxsize, typed):
    results = {}
    hits = misses = 0

    def wrapper(*args, **keywords):
        nonlocal hits, misses
        key = args
        if keywords:
            key = (*key, _nothing, *keywords.items())
        if typed:
            key = (*key, _nothing, *map(type, args), *map(type, keywords.values()))
        value = _nothing if maxsize == 0 else results.get(key, _nothing)
        if value is not _nothing:
            hits += 1
            if maxsize is not None:
                results[key] = results.pop(key)
            return value
        misses += 1
        value = function(*args, **keywords)
        if maxsize != 0:
            if maxsize is not None and len(results) >= maxsize and key not in results:
                del results[next(iter(results))]
            results[key] = value
        return value

    def cache_info():
        return _CacheInfo((hits, misses, maxsize, len(results)))

    def cache_clear():
        nonlocal hits, misses
        results.clear()
        hits = misses = 0

    update_wrapper(wrapper, function)
    wrapper.cache_info = cache_info
    wrapper.cache_clear = cache_clear
    wrapper.cache_parameters = lambda: {"maxsize": maxsize, "typed": typed}
    return wrapper


class cached_property:
    def __init__(self, func):
        self.func = func
        self.attrname = None
        self.__doc__ = func.__doc__

    def __set_name__(self, owner, name):
        if self.attrname is not None and self.attrname != name:
            raise TypeError("Cannot assign the same cached_property to two different names "
                            f"({self.attrname!r} and {name!r}).")
        self.attrname = name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        if self.attrname is None:
            raise TypeError("Cannot use cached_property instance without calling __set_name__ on it.")
        names = instance.__dict__
        if self.attrname not in names:
            names[self.attrname] = self.func(instance)
        return names[self.attrname]


def _is_union(cls):
    from types import UnionType
    from typing import Union, get_origin

    return get_origin(cls) in (Union, UnionType)


def _is_dispatched(cls):
    return isinstance(cls, type) or _is_union(cls) and all(isinstance(member, type) for member in cls.__args__)


def singledispatch(func):
    registry = {object: func}

    def dispatch(cls):
        for base in cls.__mro__[:-1]:
            if base in registry:
                return registry[base]
        # abstract classes are not in the order of bases: the most derived that says yes
        fitting = [base for base in registry if base is not object and issubclass(cls, base)]
        for base in fitting:
            if all(issubclass(base, other) for other in fitting):
                return registry[base]
        if fitting:
            raise RuntimeError(f"Ambiguous dispatch: {fitting[0]} or {fitting[1]}")
        return func

    def register(cls, function=None):
        if _is_dispatched(cls):
            if function is None:
                return lambda function: register(cls, function)
        elif function is not None:
            raise TypeError(f"Invalid first argument to `register()`. {cls!r} is not a class or union type.")
        else:
            if not getattr(cls, "__annotations__", {}):
                raise TypeError(f"Invalid first argument to `register()`: {cls!r}. Use either "
                                "`@register(some_class)` or plain `@register` on an annotated function.")
            from typing import get_type_hints

            function = cls
            name, cls = next(iter(get_type_hints(function).items()))
            if not _is_dispatched(cls):
                lacks = "not all arguments are classes" if _is_union(cls) else "is not a class"
                raise TypeError(f"Invalid annotation for {name!r}. {cls!r} {lacks}.")
        for member in cls.__args__ if _is_union(cls) else (cls,):
            registry[member] = function
        return function

    def wrapper(*args, **keywords):
        if not args:
            raise TypeError(f"{func.__name__} requires at least 1 positional argument")
        return dispatch(type(args[0]))(*args, **keywords)

    update_wrapper(wrapper, func)
    wrapper.dispatch = dispatch
    wrapper.register = register
    wrapper.registry = registry
    return wrapper


class singledispatchmethod:
    def __init__(self, func):
        self.dispatcher = singledispatch(func)
        self.func = func

    def register(self, cls, method=None):
        return self.dispatcher.register(cls, method)

    def __get__(self, instance, owner=None):
        def method(*args, **keywords):
            return self.dispatcher.dispatch(type(args[0])).__get__(instance, owner)(*args, **keywords)

        method.register = self.register
        return update_wrapper(method, self.func)


def total_ordering(cls):
    given = [name for name in ("__lt__", "__le__", "__gt__", "__ge__")
             if any(name in vars(base) for base in cls.__mro__ if base is not object)]
    if not given:
        raise ValueError("must define at least one ordering operation: < > <= >=")
    root = given[0]
    for name, derive in _derivations(root).items():
        if name not in given:
            derive.__name__ = name
            setattr(cls, name, derive)
    return cls


def _derivations(root):
    """The other comparisons from one of them: each as 'not root', or 'root, and or or equality'."""
    def through(combine):
        def compare(self, other):
            answer = getattr(type(self), root)(self, other)
            return answer if answer is NotImplemented else combine(answer, self, other)

        return compare

    opposite = lambda answer, a, b: not answer
    or_equal = lambda answer, a, b: answer or a == b
    and_unequal = lambda answer, a, b: answer and a != b
    neither = lambda answer, a, b: not answer and a != b
    not_or_equal = lambda answer, a, b: not answer or a == b
    table = {
        "__lt__": {"__ge__": opposite, "__le__": or_equal, "__gt__": neither},
        "__gt__": {"__le__": opposite, "__ge__": or_equal, "__lt__": neither},
        "__le__": {"__gt__": opposite, "__lt__": and_unequal, "__ge__": not_or_equal},
        "__ge__": {"__lt__": opposite, "__gt__": and_unequal, "__le__": not_or_equal},
    }
    return {name: through(combine) for name, combine in table[root].items()}


def cmp_to_key(mycmp):
    class K:
        def __init__(self, obj):
            self.obj = obj

        def __lt__(self, other):
            return mycmp(self.obj, other.obj) < 0

        def __gt__(self, other):
            return mycmp(self.obj, other.obj) > 0

        def __eq__(self, other):
            return mycmp(self.obj, other.obj) == 0

        def __le__(self, other):
            return mycmp(self.obj, other.obj) <= 0

        def __ge__(self, other):
            return mycmp(self.obj, other.obj) >= 0

        __hash__ = None

    return K
