# SPDX-License-Identifier: GPL-3.0-or-later
# Data sets by name. Those of shapes are one class with many names, and are written into this file's globals.
from .archives import fetch, sha_of, unpack
from .base import PictureFolder, PictureSet, Shapes

_SHAPES = {"Discs": "disc", "Squares": "square", "Stripes": "stripe"}

for _name, _kind in _SHAPES.items():
    globals()[_name] = type(_name, (Shapes,), {"kind": _kind, "__module__": __name__})
del _name, _kind

__all__ = ["PictureSet", "PictureFolder", "Shapes", "fetch", "unpack", "sha_of"] + list(_SHAPES)


def by_name(name, **options):
    found = globals().get(name)
    if not (isinstance(found, type) and issubclass(found, PictureSet)):
        raise LookupError(f"no data set {name}")
    return found(**options)
