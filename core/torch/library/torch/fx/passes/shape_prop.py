# SPDX-License-Identifier: GPL-3.0-or-later
# ShapeProp runs a graph and notes at each node what its value was: 'tensor_meta' of tensors, and 'type'.
import traceback
from typing import Any, NamedTuple, Optional

import torch
from torch.fx.node import map_aggregate
from torch.fx.passes._on_meta import MetaInterpreter

__all__ = ['TensorMetadata', 'ShapeProp']


class TensorMetadata(NamedTuple):
    shape: torch.Size
    dtype: torch.dtype
    requires_grad: bool
    stride: tuple[int, ...]
    memory_format: Optional[torch.memory_format]
    is_quantized: bool
    qparams: dict[str, Any]


_FORMATS = torch.contiguous_format, torch.channels_last, torch.channels_last_3d
_PER_TENSOR = torch.per_tensor_affine, torch.per_tensor_symmetric
_PER_CHANNEL = torch.per_channel_affine, torch.per_channel_affine_float_qparams, torch.per_channel_symmetric
_SPARSE = torch.sparse_coo, torch.sparse_csr, torch.sparse_csc, torch.sparse_bsr, torch.sparse_bsc


def _quantizer_of(tensor):
    scheme = tensor.qscheme()
    found = {'qscheme': scheme}
    if scheme in _PER_TENSOR:
        found['scale'] = tensor.q_scale()
        found['zero_point'] = tensor.q_zero_point()
    elif scheme in _PER_CHANNEL:
        found['scale'] = tensor.q_per_channel_scales().tolist()
        found['zero_point'] = tensor.q_per_channel_zero_points().tolist()
        found['axis'] = tensor.q_per_channel_axis()
    return found


def _extract_tensor_metadata(result, include_contiguity=True):
    strided = result.layout not in _SPARSE
    memory_format = None
    if include_contiguity and strided:
        memory_format = next((one for one in _FORMATS if result.is_contiguous(memory_format=one)), None)
    return TensorMetadata(result.shape, result.dtype, result.requires_grad, result.stride() if strided else (),
                          memory_format, result.is_quantized, _quantizer_of(result) if result.is_quantized else {})


class ShapeProp(MetaInterpreter):
    """With a fake_mode of any kind the values are on the meta device: shapes without data."""

    def __init__(self, gm, fake_mode=None):
        super().__init__(gm)
        self.fake_mode = fake_mode
        self.real_module = self.module
        if fake_mode is not None:
            self._leave_data()
        self.fake_module = self._meta_module

    def run_node(self, n):
        try:
            result = super().run_node(n)
        except Exception as error:
            traceback.print_exc()
            raise RuntimeError(f'ShapeProp error for: node={n.format_node()} with meta={n.meta}') from error

        tensors = []

        def noted(value):
            if not isinstance(value, torch.Tensor):
                return value
            tensors.append(value)
            return _extract_tensor_metadata(value)

        meta = map_aggregate(result, noted)
        if tensors:
            n.meta['tensor_meta'] = meta
        n.meta['type'] = type(result)
        return result

    def propagate(self, *args):
        return super().run(*args)
