# SPDX-License-Identifier: GPL-3.0-or-later
# Products of many matrices at once, and of matrices in small formats with their scales.
import torch
from torch import Tensor


def grouped_mm(mat_a: Tensor, mat_b: Tensor, *, offs: Tensor | None = None, bias: Tensor | None = None,
               out_dtype: torch.dtype | None = None) -> Tensor:
    return torch._grouped_mm(mat_a, mat_b, offs=offs, bias=bias, out_dtype=out_dtype)


def _as_list(value):
    return [] if value is None else value if isinstance(value, list) else [value]


def _codes(kinds):
    return [kind.value for kind in _as_list(kinds)]


def scaled_mm(mat_a: Tensor, mat_b: Tensor, scale_a: Tensor | list[Tensor], scale_recipe_a,
              scale_b: Tensor | list[Tensor], scale_recipe_b, swizzle_a=None, swizzle_b=None,
              bias: Tensor | None = None, output_dtype: torch.dtype | None = torch.bfloat16,
              contraction_dim: list[int] | tuple[int, ...] = (), use_fast_accum: bool = False) -> Tensor:
    return torch._scaled_mm_v2(mat_a, mat_b, _as_list(scale_a), _codes(scale_recipe_a), _codes(swizzle_a),
                               _as_list(scale_b), _codes(scale_recipe_b), _codes(swizzle_b), bias, output_dtype,
                               contraction_dim, use_fast_accum)


def scaled_grouped_mm(mat_a: Tensor, mat_b: Tensor, scale_a: Tensor | list[Tensor], scale_recipe_a,
                      scale_b: Tensor | list[Tensor], scale_recipe_b, swizzle_a=None, swizzle_b=None,
                      bias: Tensor | None = None, offs: Tensor | None = None,
                      output_dtype: torch.dtype | None = torch.bfloat16,
                      contraction_dim: list[int] | tuple[int, ...] = (), use_fast_accum: bool = False) -> Tensor:
    return torch._scaled_grouped_mm_v2(mat_a, mat_b, _as_list(scale_a), _codes(scale_recipe_a), _codes(swizzle_a),
                                       _as_list(scale_b), _codes(scale_recipe_b), _codes(swizzle_b), offs, bias,
                                       output_dtype, contraction_dim, use_fast_accum)
