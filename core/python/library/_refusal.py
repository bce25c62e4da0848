# SPDX-License-Identifier: GPL-3.0-or-later
# What reaches outside of the program, or is not there: its names may be imported and stored, and fail where they are used.

from _stand_in import StandIn


def refuse(module, reason):
    """The module's __getattr__: any name is a stand-in."""
    def __getattr__(name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        return StandIn(f"{module}.{name}", reason)

    return __getattr__


def refused(module, name, reason):
    """A function that is refused when it is called."""
    def function(*args, **kwargs):
        raise NotImplementedError(f"not supported: {module}.{name}; {reason}")

    function.__name__ = name.rpartition(".")[2]
    function.__qualname__ = name
    function.__module__ = module
    return function


def refused_class(module, name, reason):
    """A class to derive from and to test against; making an instance is refused."""
    return type(name, (), {"__new__": refused(module, name, reason), "__module__": module})


def refused_names(module, reason, functions="", classes=""):
    """The module's names that are refused when they are called. Others are not there, as Python's errors have it."""
    def __getattr__(name):
        raise AttributeError(f"module {module!r} has no attribute {name!r}; {reason}")

    names = {"__getattr__": __getattr__}
    for name in functions.split():
        names[name] = refused(module, name, reason)
    for name in classes.split():
        names[name] = refused_class(module, name, reason)
    return names
