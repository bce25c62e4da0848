# SPDX-License-Identifier: GPL-3.0-or-later
# Opens the whole kit at once. The choices that readers and decoders share are plain globals of this file;
# what the compiled half can do is asked in extension.py.
import os
import warnings
from modulefinder import Module

import torch

# The kit names itself in full while this file still runs: extension.py is loaded, the package is not yet.
import pixelkit.extension
from pixelkit import _utils, datasets, io, models, ops, transforms

from .extension import _HAS_NATIVE

try:
    from .version import __version__
except ImportError:
    pass

from .models.registry import build, names

if not _HAS_NATIVE and hasattr(torch.ops, "pixelkit") and hasattr(torch.ops.pixelkit, "_never_there"):
    message = "pixelkit found an old compiled half in {folder}; remove it or build the kit again"
    warnings.warn(message.format(folder=os.path.join(os.path.dirname(__file__), "build")))

_painter = "tensor"
_decoder = "plain"


def set_painter(name):
    """Which kind of picture the loaders give: "tensor" or "pillow"."""
    global _painter
    if name not in ("tensor", "pillow"):
        raise ValueError(f"no painter {name!r}: take 'tensor' or 'pillow'")
    _painter = name


def painter():
    return _painter


def set_decoder(name):
    """Which decoder reads frames; a native one is refused where there is no compiled half."""
    global _decoder
    if name not in ["plain", "native"]:
        raise ValueError("no decoder '%s'" % name)
    if name == "native" and not io.HAS_FRAMES:
        warnings.warn("the native decoder is not compiled in; staying with " + _decoder)
    else:
        _decoder = name


def decoder():
    return _decoder


def inside_module(module):
    return isinstance(module, Module)


def size_of_kit() -> int:
    return len(names())
