# SPDX-License-Identifier: GPL-3.0-or-later
# torch.types: names for annotations.
import typing

import torch
from torch import SymBool, SymFloat, SymInt, device as _device, dtype as _dtype, layout as _layout

_int, _float, _bool, _complex = int, float, bool, complex
_size = typing.Union[torch.Size, typing.List[int], typing.Tuple[int, ...]]
_symsize = typing.Union[torch.Size, typing.Sequence[typing.Union[int, SymInt]]]
_dispatchkey = str
Number = typing.Union[int, float, bool]
_Number = (bool, int, float)
Device = typing.Union[_device, str, int, None]
Size, Tensor = torch.Size, torch.Tensor
Storage = torch.UntypedStorage
py_sym_types = (SymInt, SymFloat, SymBool)
IntLikeType = typing.Union[int, SymInt]
FloatLikeType = typing.Union[float, SymFloat]
BoolLikeType = typing.Union[bool, SymBool]
FileLike = typing.Any
