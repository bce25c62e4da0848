# SPDX-License-Identifier: GPL-3.0-or-later
# torch.nn.common_types: names for annotations.
import typing

from torch import Tensor

_maybe_indices_t = typing.Any
_size_any_t = typing.Union[int, typing.Tuple[int, ...]]
_size_1_t = typing.Union[int, typing.Tuple[int]]
_size_2_t = typing.Union[int, typing.Tuple[int, int]]
_size_3_t = typing.Union[int, typing.Tuple[int, int, int]]
_size_4_t = typing.Union[int, typing.Tuple[int, int, int, int]]
_size_5_t = typing.Union[int, typing.Tuple[int, int, int, int, int]]
_size_6_t = typing.Union[int, typing.Tuple[int, int, int, int, int, int]]
_size_any_opt_t = typing.Union[int, typing.Tuple[typing.Optional[int], ...]]
_size_2_opt_t = typing.Union[int, typing.Tuple[typing.Optional[int], typing.Optional[int]]]
_size_3_opt_t = typing.Union[int, typing.Tuple[typing.Optional[int], typing.Optional[int], typing.Optional[int]]]
_ratio_2_t = typing.Union[float, typing.Tuple[float, float]]
_ratio_3_t = typing.Union[float, typing.Tuple[float, float, float]]
_ratio_any_t = typing.Union[float, typing.Tuple[float, ...]]
_tensor_list_t = typing.Union[Tensor, typing.Tuple[Tensor, ...]]
