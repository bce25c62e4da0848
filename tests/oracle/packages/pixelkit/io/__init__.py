# SPDX-License-Identifier: GPL-3.0-or-later
# Reading and writing of pictures. Frames of films are looked up late, since they need the compiled half.
from typing import Any

import torch

from ..extension import _HAS_NATIVE as HAS_FRAMES
from .modes import ColorMode, from_bytes, to_bytes

_LATE = {"FrameReader": "frames", "FrameWriter": "frames"}


def __getattr__(name: str) -> Any:
    if name in _LATE and not HAS_FRAMES:
        raise RuntimeError(f"{name} is in pixelkit.io.{_LATE[name]}, which needs the compiled half")
    if name == "Mode":
        return ColorMode
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = ["ColorMode", "from_bytes", "to_bytes", "HAS_FRAMES"]
