# SPDX-License-Identifier: GPL-3.0-or-later
# What stands for a module, or for a name of one, that cannot be had. While modules are run, it can be used as imported things
# are: called (as a decorator it leaves what it decorates as it is), subscripted, compared, inherited from. Afterwards what needs
# a real value of it fails, with the chain of imports that led here.

from _native import _is_importing


class StandIn:
    def __init__(self, name, why, is_result=False):
        module, _, last = name.rpartition(".")
        self.__dict__.update(_name=name, _why=why, _is_result=is_result, _base=None, __name__=last, __qualname__=last, __module__=module)

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__") and name not in ("__version__", "__all__", "__file__"):
            raise AttributeError(f"{self._name} has no attribute {name!r}")
        if self._is_result and not _is_importing():
            self._refuse()
        made = StandIn(f"{self._name}.{name}", self._why)
        self.__dict__[name] = made
        return made

    def _refuse(self):
        raise NotImplementedError(f"not supported: {self._name}; {self._why}")

    def _result(self, *args, **kwargs):
        if not _is_importing():
            self._refuse()
        return StandIn(self._name, self._why, is_result=True)

    def __call__(self, *args, **kwargs):
        if not _is_importing():
            self._refuse()
        if len(args) == 1 and not kwargs and (isinstance(args[0], type) or hasattr(args[0], "__code__")):
            return args[0]
        return StandIn(f"{self._name}()", self._why, is_result=True)

    __getitem__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _result
    __floordiv__ = __mod__ = __pow__ = __neg__ = __or__ = __ror__ = __and__ = __rand__ = __invert__ = _result
    __enter__ = _result

    def __exit__(self, *error):
        return False

    def _is_false(self, other):
        if not _is_importing():
            self._refuse()
        return False

    __lt__ = __le__ = __gt__ = __ge__ = __contains__ = _is_false

    def __bool__(self):
        if self._is_result and not _is_importing():
            self._refuse()
        return not self._is_result

    def __iter__(self):
        if not _is_importing():
            self._refuse()
        return iter(())

    def __len__(self):
        if not _is_importing():
            self._refuse()
        return 0

    def __fspath__(self):
        if not _is_importing():
            self._refuse()
        return repr(self)

    def __repr__(self):
        return f"<stand-in for {self._name}>"

    def __mro_entries__(self, bases):
        if self._base is None:
            module, _, name = self._name.rpartition(".")
            self.__dict__["_base"] = type(name, (_Base,), {"__module__": module, "_stand_in": self})
        return (self._base,)

    def __instancecheck__(self, instance):
        return self._base is not None and isinstance(instance, self._base)

    def __subclasscheck__(self, cls):
        return self._base is not None and issubclass(cls, self._base)


class _Base:
    def __init_subclass__(cls, **kwargs):
        pass

    def __getattr__(self, name):
        stand_in = self._stand_in
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}: its base {stand_in._name} is a stand-in, as "
                             f"{stand_in._why}")
