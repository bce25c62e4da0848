# SPDX-License-Identifier: GPL-3.0-or-later
# unittest.mock.patch: something else in a place, for as long as a block, a test or a class of tests runs.

import importlib
import inspect

from functools import wraps
from unittest._calls import DEFAULT

_MISSING = object()
_active = []


class _patch:
    attribute_name = None

    def __init__(self, getter, attribute, new, spec, create, spec_set, autospec, new_callable, kwargs):
        if new_callable is not None and new is not DEFAULT:
            raise ValueError("Cannot use 'new' and 'new_callable' together")
        self.getter, self.attribute, self.new, self.create = getter, attribute, new, create
        self.spec, self.spec_set, self.autospec = spec, spec_set, autospec
        self.new_callable, self.kwargs, self.additional_patchers = new_callable, kwargs, []

    def _parts(self):
        return (self.getter, self.attribute, self.new, self.spec, self.create, self.spec_set, self.autospec,
                self.new_callable, self.kwargs)

    def copy(self):
        made = _patch(*self._parts())
        made.attribute_name = self.attribute_name
        made.additional_patchers = [each.copy() for each in self.additional_patchers]
        return made

    def __call__(self, func):
        if inspect.isclass(func):
            for name in dir(func):
                if name.startswith(patch.TEST_PREFIX) and callable(getattr(func, name)):
                    setattr(func, name, self.copy()(getattr(func, name)))
            return func
        if hasattr(func, "patchings"):
            func.patchings.append(self)
            return func

        @wraps(func)
        def patched(*args, **keywords):
            entered, given = [], []
            try:
                for each in patched.patchings:
                    value = each.__enter__()
                    entered.append(each)
                    if each.attribute_name is not None:
                        keywords.update(value)
                    elif each.new is DEFAULT:
                        given.append(value)
                return func(*args, *given, **keywords)
            finally:
                for each in reversed(entered):
                    each.__exit__(None, None, None)

        patched.patchings = [self]
        return patched

    def _original(self):
        """What is there, and whether it is the target's own."""
        if self.attribute in getattr(self.target, "__dict__", {}):
            return self.target.__dict__[self.attribute], True
        found = getattr(self.target, self.attribute, _MISSING)
        if found is _MISSING:
            import builtins
            if inspect.ismodule(self.target) and hasattr(builtins, self.attribute):
                return _MISSING, False
            if not self.create:
                raise AttributeError(f"{self.target} does not have the attribute {self.attribute!r}")
        return found, False

    def __enter__(self):
        from unittest.mock import MagicMock, create_autospec
        self.target = self.getter()
        self._before, self._is_own = self._original()
        new = self.new
        if new is DEFAULT and self.autospec:
            spec = self._before if self.autospec is True else self.autospec
            new = create_autospec(spec, _name=self.attribute, **self.kwargs)
        elif new is DEFAULT:
            kwargs = dict(self.kwargs)
            for name, spec in (("spec", self.spec), ("spec_set", self.spec_set)):
                if spec is not None:
                    kwargs[name] = self._before if spec is True else spec
            if self.new_callable is None or issubclass(self.new_callable, MagicMock.__mro__[-2]):
                kwargs.setdefault("name", self.attribute)
            new = (self.new_callable or MagicMock)(**kwargs)
        elif self.kwargs:
            raise TypeError("Can't pass kwargs to a mock we aren't creating")
        setattr(self.target, self.attribute, new)
        if self.attribute_name is None:
            return new
        values = {self.attribute_name: new}
        for each in self.additional_patchers:
            values.update(each.__enter__())
        return values

    def __exit__(self, *details):
        for each in reversed(self.additional_patchers):
            each.__exit__(*details)
        if self._is_own:
            setattr(self.target, self.attribute, self._before)
        else:
            delattr(self.target, self.attribute)
            if self._before is not _MISSING and not hasattr(self.target, self.attribute):
                setattr(self.target, self.attribute, self._before)
        return False

    def start(self):
        value = self.__enter__()
        _active.append(self)
        return value

    def stop(self):
        if self not in _active:
            return None
        _active.remove(self)
        return self.__exit__(None, None, None)


def _importer(path):
    name, *names = path.split(".")
    found = importlib.import_module(name)
    for part in names:
        name += f".{part}"
        if not hasattr(found, part):
            importlib.import_module(name)
        found = getattr(found, part)
    return found


def patch(target, new=DEFAULT, spec=None, create=False, spec_set=None, autospec=None, new_callable=None, *, unsafe=False, **kwargs):
    path, dot, attribute = target.rpartition(".")
    if not dot:
        raise TypeError(f"Need a valid target to patch. You supplied: {target!r}")
    return _patch(lambda: _importer(path), attribute, new, spec, create, spec_set, autospec, new_callable, kwargs)


def _object(target, attribute, new=DEFAULT, spec=None, create=False, spec_set=None, autospec=None, new_callable=None, *,
            unsafe=False, **kwargs):
    if isinstance(target, str):
        raise TypeError(f"{target!r} must be the actual object to be patched, not a str")
    return _patch(lambda: target, attribute, new, spec, create, spec_set, autospec, new_callable, kwargs)


def _multiple(target, spec=None, create=False, spec_set=None, autospec=None, new_callable=None, **kwargs):
    if not kwargs:
        raise ValueError("Must supply at least one keyword argument with patch.multiple")
    getter = (lambda: _importer(target)) if isinstance(target, str) else (lambda: target)
    made = []
    for name, new in kwargs.items():
        each = _patch(getter, name, new, spec, create, spec_set, autospec, new_callable, {})
        each.attribute_name = name
        made.append(each)
    made[0].additional_patchers = made[1:]
    return made[0]


class _patch_dict:
    def __init__(self, in_dict, values=(), clear=False, **kwargs):
        self.in_dict, self.values, self.clear = in_dict, {**dict(values), **kwargs}, clear

    def __call__(self, f):
        @wraps(f)
        def patched(*args, **kw):
            with _patch_dict(self.in_dict, self.values, self.clear):
                return f(*args, **kw)

        return patched

    def __enter__(self):
        if isinstance(self.in_dict, str):
            self.in_dict = _importer(self.in_dict)
        self._original = dict(self.in_dict)
        if self.clear:
            self._empty()
        self.in_dict.update(self.values)
        return self.in_dict

    def _empty(self):
        for key in list(self.in_dict):
            del self.in_dict[key]

    def __exit__(self, *details):
        self._empty()
        self.in_dict.update(self._original)
        return False

    def start(self):
        _active.append(self)
        return self.__enter__()

    def stop(self):
        _active.remove(self)
        return self.__exit__()


def _stopall():
    for each in reversed(list(_active)):
        each.stop()


patch.object, patch.dict, patch.multiple, patch.stopall, patch.TEST_PREFIX = _object, _patch_dict, _multiple, _stopall, "test"
