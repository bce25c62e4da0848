# SPDX-License-Identifier: GPL-3.0-or-later
# Python's unittest.mock: objects that take any call and record it. Putting them in places: unittest/_patches.py.

from unittest._calls import ANY, DEFAULT, _Call, _CallList, call, call_text, sentinel

__all__ = ["Mock", "MagicMock", "patch", "sentinel", "DEFAULT", "ANY", "call", "create_autospec", "NonCallableMock",
           "NonCallableMagicMock", "PropertyMock", "seal"]
FILTER_DIR = True
_MISSING = object()


class InvalidSpecError(Exception):
    pass


def _is_error(value):
    return isinstance(value, BaseException) or isinstance(value, type) and issubclass(value, BaseException)


class NonCallableMock:
    def __new__(cls, *args, **kwargs):
        # Each has a class of its own, for the special methods that it is given.
        return object.__new__(type(cls.__name__, (cls,), {"__doc__": cls.__doc__, "__module__": cls.__module__}))

    def __init__(self, spec=None, wraps=None, name=None, spec_set=None, parent=None, side_effect=None, return_value=DEFAULT,
                 unsafe=False, **kwargs):
        spec = spec if spec is not None else spec_set
        names = None
        if spec is not None:
            names = list(spec) if isinstance(spec, (list, tuple)) else dir(spec)
        is_class_wanted = spec is not None and not isinstance(spec, (list, tuple))
        self.__dict__.update(
            _mock_children={}, _mock_wraps=wraps, _mock_name=name, _mock_parent=parent, _mock_methods=names,
            _spec_set=spec_set is not None, _spec_class=(spec if isinstance(spec, type) else type(spec)) if is_class_wanted else None,
            _mock_sealed=False, _mock_return_value=return_value, side_effect=side_effect)
        self.reset_mock()
        self.configure_mock(**kwargs)

    @property
    def __class__(self):
        return type(self) if self._spec_class is None else self._spec_class

    def reset_mock(self, visited=None, *, return_value=False, side_effect=False):
        self.__dict__.update(called=False, call_count=0, call_args=None, call_args_list=_CallList(), mock_calls=_CallList(),
                             method_calls=_CallList())
        if return_value:
            self.__dict__["_mock_return_value"] = DEFAULT
        if side_effect:
            self.__dict__["side_effect"] = None
        children = list(self._mock_children.values())
        made = self.__dict__["_mock_return_value"]
        for child in [*children, made]:
            if isinstance(type(child), type) and issubclass(type(child), NonCallableMock) and child is not self:
                child.reset_mock(return_value=return_value, side_effect=side_effect)

    def configure_mock(self, /, **kwargs):
        for path, value in sorted(kwargs.items(), key=lambda entry: entry[0].count(".")):
            *above, last = path.split(".")
            owner = self
            for name in above:
                owner = getattr(owner, name)
            setattr(owner, last, value)

    def attach_mock(self, mock, attribute):
        mock.__dict__.update(_mock_parent=None, _mock_name=None)
        setattr(self, attribute, mock)

    def mock_add_spec(self, spec, spec_set=False):
        self.__dict__["_mock_methods"] = dir(spec)

    def _get_child_mock(self, /, **kwargs):
        for kind in type(self).__mro__[1:]:
            if kind is not PropertyMock:
                return (CALLABLE.get(kind, kind))(**kwargs)

    def _path(self):
        name = self._mock_name or ""
        parent = self._mock_parent
        if parent is None:
            return name or "mock"
        above = parent._path()
        return above + name if name.startswith("()") else f"{above}.{name}"

    @property
    def return_value(self):
        if self._mock_return_value is DEFAULT:
            self.__dict__["_mock_return_value"] = self._get_child_mock(name="()", parent=self)
        return self._mock_return_value

    @return_value.setter
    def return_value(self, value):
        self.__dict__["_mock_return_value"] = value

    def __getattr__(self, name):
        if name in ("_mock_methods", "_mock_children", "_spec_class"):
            raise AttributeError(name)
        if self._mock_methods is not None and name not in self._mock_methods:
            raise AttributeError(f"Mock object has no attribute {name!r}")
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        if name.startswith(("assert", "assret", "asert", "aseert", "assrt")):
            raise AttributeError(f"{name!r} is not a valid assertion. Use a spec for the mock if {name!r} is meant to be an attribute.")
        if name not in self._mock_children:
            if self._mock_sealed:
                raise AttributeError(f"Cannot set {self._path()}.{name}")
            wraps = None if self._mock_wraps is None else getattr(self._mock_wraps, name)
            self._mock_children[name] = self._get_child_mock(name=name, parent=self, wraps=wraps)
        found = self._mock_children[name]
        if found is _MISSING:
            raise AttributeError(name)
        return found

    def __setattr__(self, name, value):
        if name.startswith("__") and name.endswith("__"):
            setattr(type(self), name, _method_of(self, name, value))
        elif name in ("return_value",) or name in self.__dict__ and name not in self._mock_children:
            object.__setattr__(self, name, value)
        elif self._spec_set and name not in self._mock_methods:
            raise AttributeError(f"Mock object has no attribute {name!r}")
        elif isinstance(value, PropertyMock):
            setattr(type(self), name, value)
        else:
            self._mock_children[name] = value
            if issubclass(type(value), NonCallableMock) and value._mock_parent is None and not value._mock_name:
                value.__dict__.update(_mock_parent=self, _mock_name=name)

    def __delattr__(self, name):
        self._mock_children[name] = _MISSING

    def __dir__(self):
        return sorted(set(self._mock_methods or ()) | set(self._mock_children) | set(dir(type(self))))

    def __repr__(self):
        name = self._path() if self._mock_name or self._mock_parent is not None else None
        shown = "" if name is None else f" name={name!r}"
        spec = "" if self._spec_class is None else f" spec={self._spec_class.__name__!r}"
        return f"<{type(self).__name__}{shown}{spec} id='{id(self)}'>"

    def _calls_repr(self, prefix="Calls"):
        return f"\n{prefix}: {self.mock_calls!r}." if self.mock_calls else ""

    def assert_not_called(self):
        if self.call_count:
            raise AssertionError(f"Expected '{self._mock_name or 'mock'}' to not have been called. "
                                 f"Called {self.call_count} times.{self._calls_repr()}")

    def assert_called(self):
        if not self.call_count:
            raise AssertionError(f"Expected '{self._mock_name or 'mock'}' to have been called.")

    def assert_called_once(self):
        if self.call_count != 1:
            raise AssertionError(f"Expected '{self._mock_name or 'mock'}' to have been called once. "
                                 f"Called {self.call_count} times.{self._calls_repr()}")

    def assert_called_with(self, /, *args, **kwargs):
        expected = call_text(self._mock_name or "mock", args, kwargs)
        actual = "not called." if self.call_args is None else call_text(self._mock_name or "mock", *self.call_args)
        if self.call_args is None or self.call_args != _Call((args, kwargs), two=True):
            raise AssertionError(f"expected call not found.\nExpected: {expected}\n  Actual: {actual}")

    def assert_called_once_with(self, /, *args, **kwargs):
        if self.call_count != 1:
            raise AssertionError(f"Expected '{self._mock_name or 'mock'}' to be called once. "
                                 f"Called {self.call_count} times.{self._calls_repr()}")
        self.assert_called_with(*args, **kwargs)

    def assert_any_call(self, /, *args, **kwargs):
        if _Call((args, kwargs), two=True) not in self.call_args_list:
            raise AssertionError(f"{call_text(self._mock_name or 'mock', args, kwargs)} call not found")

    def assert_has_calls(self, calls, any_order=False):
        expected = [_Call(each) for each in calls]
        if not any_order:
            if expected not in self.mock_calls:
                raise AssertionError(f"Calls not found.\nExpected: {_CallList(calls)!r}" + self._calls_repr("  Actual").rstrip("."))
            return
        rest, missing = list(self.mock_calls), []
        for each in expected:
            found = [at for at, made in enumerate(rest) if made == each]
            if found:
                del rest[found[0]]
            else:
                missing.append(each)
        if missing:
            raise AssertionError(f"{self._mock_name or 'mock'!r} does not contain all of {tuple(missing)!r} in its call list, "
                                 f"found {rest!r} instead")


class CallableMixin:
    def __call__(self, /, *args, **kwargs):
        made = _Call((args, kwargs), two=True)
        self.__dict__.update(called=True, call_count=self.call_count + 1, call_args=made)
        self.call_args_list.append(made)
        self.mock_calls.append(_Call(("", args, kwargs)))
        name, mock = "", self
        while mock._mock_parent is not None:
            step = mock._mock_name
            name = step + ("" if not name or name.startswith("()") else ".") + name
            mock = mock._mock_parent
            if not step.startswith("()") and "()" not in name:
                mock.method_calls.append(_Call((name, args, kwargs)))
            mock.mock_calls.append(_Call((name, args, kwargs)))
        return self._answer(args, kwargs)

    def _answer(self, args, kwargs):
        effect = self.side_effect
        if effect is not None:
            if _is_error(effect):
                raise effect
            if not callable(effect):
                effect = self.__dict__["side_effect"] = iter(effect)
                found = next(effect)
                if _is_error(found):
                    raise found
            elif hasattr(effect, "__next__"):
                found = next(effect)
            else:
                found = effect(*args, **kwargs)
            if found is not DEFAULT:
                return found
        if self._mock_return_value is DEFAULT and self._mock_wraps is not None:
            return self._mock_wraps(*args, **kwargs)
        return self.return_value


class Mock(CallableMixin, NonCallableMock):
    pass


def _method_of(mock, name, value):
    """A special method, which is looked up on the class and calls what the mock was given."""
    if not callable(value) or isinstance(value, property):
        return value
    if issubclass(type(value), NonCallableMock):
        mock._mock_children[name] = value
        return lambda self, *args, **kwargs: value(*args, **kwargs)
    return lambda self, *args, **kwargs: value(self, *args, **kwargs)


# What the special methods of a MagicMock give before somebody says otherwise.
_ANSWERS = {"__lt__": NotImplemented, "__gt__": NotImplemented, "__le__": NotImplemented, "__ge__": NotImplemented,
            "__int__": 1, "__contains__": False, "__len__": 0, "__exit__": False, "__complex__": 1j, "__float__": 1.0,
            "__bool__": True, "__index__": 1}
_MADE = ("iter getitem setitem delitem enter add sub mul truediv floordiv mod matmul pow lshift rshift and or xor neg pos invert "
         "iadd isub imul itruediv radd rsub rmul rtruediv").split()


def _answering(mock, name):
    answer = _ANSWERS.get(name, DEFAULT)
    made = MagicMock(name=name, parent=mock, **({} if answer is DEFAULT else {"return_value": answer}))
    if name == "__iter__":
        made.side_effect = lambda: iter([] if made._mock_return_value is DEFAULT else made._mock_return_value)
    return made


def _magic(name):
    def method(self, *args, **kwargs):
        if name not in self._mock_children:
            self._mock_children[name] = _answering(self, name)
        return self._mock_children[name](*args, **kwargs)

    method.__name__ = name
    return method


class _MagicMixin:
    def __getattribute__(self, name):
        if name in _MAGICS and name not in type(self).__dict__:
            children = object.__getattribute__(self, "_mock_children")
            if name not in children:
                children[name] = _answering(self, name)
            return children[name]
        return object.__getattribute__(self, name)


_MAGICS = frozenset([*_ANSWERS, *[f"__{name}__" for name in _MADE]])
for _name in _MAGICS:
    setattr(_MagicMixin, _name, _magic(_name))


class NonCallableMagicMock(_MagicMixin, NonCallableMock):
    pass


class MagicMock(_MagicMixin, Mock):
    pass


class PropertyMock(Mock):
    def __get__(self, obj, obj_type=None):
        return self()

    def __set__(self, obj, val):
        self(val)


CALLABLE = {NonCallableMock: Mock, NonCallableMagicMock: MagicMock}


def seal(mock):
    mock.__dict__["_mock_sealed"] = True
    for child in mock._mock_children.values():
        if issubclass(type(child), NonCallableMock):
            seal(child)


def create_autospec(spec, spec_set=False, instance=False, _parent=None, _name=None, *, unsafe=False, **kwargs):
    return MagicMock(spec=spec, name=_name or getattr(spec, "__name__", None), **kwargs)


from unittest._patches import patch
