# SPDX-License-Identifier: GPL-3.0-or-later
# Modules that may be imported, but whose names are refused: they reach outside of the program, or are not there.


def refuse(module, reason):
    """The module's __getattr__."""
    def __getattr__(name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        raise NotImplementedError(f"not supported: {module}.{name}; {reason}")

    return __getattr__
