# SPDX-License-Identifier: GPL-3.0-or-later
# Transforms as functions, for tensors and, where Pillow is there, for its pictures.
import numbers
import sys
from collections.abc import Sequence
from typing import Any, List, Optional, Union

import numpy as np
import torch
from torch import Tensor

try:
    from PIL import Image, ImageOps

    HAS_PILLOW = True
except ImportError:
    Image = None
    ImageOps = None
    HAS_PILLOW = False

try:
    import fastjpeg
except ImportError:
    fastjpeg = None

__all__ = ["is_pillow", "standardize", "flip", "frame", "side_lengths", "as_tensor"]

# Written when the file is loaded: numpy scalars are numbers too.
_WHOLE = (int, np.integer) if "numpy" in sys.modules else (int,)


def is_pillow(picture: Any) -> bool:
    return HAS_PILLOW and isinstance(picture, Image.Image)


def as_tensor(picture: Any) -> Tensor:
    if isinstance(picture, np.ndarray):
        return torch.from_numpy(np.ascontiguousarray(picture.transpose((2, 0, 1)))).float().div(255)
    if is_pillow(picture):
        return as_tensor(np.array(picture, copy=True))
    raise TypeError(f"neither array nor picture: {type(picture)}")


def side_lengths(size: Union[int, numbers.Number, Sequence], what: str = "size") -> List[int]:
    if isinstance(size, numbers.Number):
        if size < 0:
            raise ValueError(f"{what} is below zero")
        return [int(size), int(size)]
    if isinstance(size, Sequence) and len(size) in (1, 2) and all(isinstance(s, _WHOLE) for s in size):
        return list(size) * (3 - len(size))
    raise TypeError(f"{what} is {size!r}, not one number or two")


def standardize(picture: Tensor, mean: List[float], deviation: List[float]) -> Tensor:
    kind = torch.float32
    center = torch.as_tensor(mean, dtype=kind)
    spread = torch.as_tensor(deviation, dtype=kind)
    if (spread == 0).any():
        raise ValueError(f"a deviation of zero in {deviation}")
    if center.ndim == 1:
        center = center.view(-1, 1, 1)
    if spread.ndim == 1:
        spread = spread.view(-1, 1, 1)
    return picture.sub(center).div(spread)


def flip(picture: Tensor, upright: bool = False) -> Tensor:
    return picture.flip(-2 if upright else -1)


def frame(picture: Tensor, width: Union[int, List[int]], value: Optional[float] = None) -> Tensor:
    high, wide = side_lengths(width, "width")
    return torch.nn.functional.pad(picture, [wide, wide, high, high], value=0.0 if value is None else value)


def _hidden(picture):
    return picture
