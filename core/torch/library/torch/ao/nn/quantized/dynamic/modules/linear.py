# SPDX-License-Identifier: GPL-3.0-or-later
# A linear layer that quantizes what it is given by its own range.
import torch
import torch.ao.nn.quantized.modules.linear as base

__all__ = ['Linear']


class Linear(base.Linear):
    _version = 4
    _operator = 'linear'

    def __init__(self, in_features, out_features, bias_=True, dtype=torch.qint8):
        super().__init__(in_features, out_features, bias_, dtype=dtype)
        self.version = 4

    def forward(self, x):
        packed = self._packed_params
        operator = getattr(torch.ops.quantized, self._operator + '_dynamic')
        if packed.dtype == torch.float16:
            operator = getattr(torch.ops.quantized, self._operator + '_dynamic_fp16')
            result = operator(x, packed._packed_params)
        elif self.version is None or self.version < 4:
            result = operator(x, packed._packed_params)
        else:
            result = operator(x, packed._packed_params, reduce_range=True)
        return result.to(x.dtype)

    def _get_name(self):
        return 'DynamicQuantizedLinear'

    def extra_repr(self):
        dtype = self._packed_params.dtype
        scheme = f', qscheme={self.weight().qscheme()}' if dtype == torch.qint8 else ''
        return f'in_features={self.in_features}, out_features={self.out_features}, dtype={dtype}{scheme}'

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, *more):
        self.version = local_metadata.get('version', self.version)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *more)
