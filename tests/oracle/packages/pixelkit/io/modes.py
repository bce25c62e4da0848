# SPDX-License-Identifier: GPL-3.0-or-later
# The color modes of a picture, and pictures as plain bytes with a header of three numbers.
import struct
from enum import Enum, auto

import torch


class ColorMode(Enum):
    UNCHANGED = auto()
    GRAY = auto()
    GRAY_ALPHA = auto()
    RGB = auto()
    RGB_ALPHA = auto()

    @property
    def channels(self):
        return {"GRAY": 1, "GRAY_ALPHA": 2, "RGB": 3, "RGB_ALPHA": 4}.get(self.name)

    @staticmethod
    def of(picture):
        for mode in ColorMode:
            if mode.channels == picture.shape[-3]:
                return mode
        return ColorMode.UNCHANGED


def to_bytes(picture: torch.Tensor) -> bytes:
    return struct.pack("<3I", *picture.shape) + bytes(picture.to(torch.uint8).flatten().tolist())


def from_bytes(data: bytes, mode: ColorMode = ColorMode.UNCHANGED) -> torch.Tensor:
    shape = struct.unpack("<3I", data[:12])
    picture = torch.tensor(list(data[12:]), dtype=torch.uint8).reshape(shape)
    if mode is ColorMode.GRAY and shape[0] == ColorMode.RGB.channels:
        picture = picture.float().mean(0, keepdim=True).to(torch.uint8)
    return picture
