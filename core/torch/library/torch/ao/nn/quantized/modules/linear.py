# SPDX-License-Identifier: GPL-3.0-or-later
# Linear layers over packed weights.
import torch
from .utils import OutputRange, Packing, WeightedQuantizedModule, shown_without, take

__all__ = ['LinearPackedParams', 'Linear']


class LinearPackedParams(Packing, torch.nn.Module):
    _version = 3

    def __init__(self, dtype=torch.qint8):
        super().__init__()
        self.dtype = dtype
        if dtype == torch.qint8:
            weight = torch._empty_affine_quantized([1, 1], scale=1.0, zero_point=0, dtype=torch.qint8)
        elif dtype == torch.float16:
            weight = torch.zeros([1, 1], dtype=torch.float)
        else:
            self._refuse()
        self._hold(weight)

    def _refuse(self):
        raise RuntimeError('Unsupported dtype on dynamic quantized linear!')

    def _pack(self, weight, bias):
        if self.dtype == torch.qint8:
            return torch.ops.quantized.linear_prepack(weight, bias)
        if self.dtype == torch.float16:
            return torch.ops.quantized.linear_prepack_fp16(weight, bias)
        self._refuse()

    def _unpack(self, state):
        return state

    _packed_params = property(Packing._packed, Packing._take_packed)

    def set_weight_bias(self, weight, bias):
        if self.dtype == torch.float16:  # what packing will leave of it
            weight = weight.clamp(-65504, 65504).half().float()
        self._hold(weight, bias)

    def forward(self, x):
        return x

    def __setstate__(self, state):
        state = dict(state)
        packed = state.pop('_packed_params', None)
        super().__setstate__(state)
        if packed is not None:
            self._hold(*packed.__getstate__()[0])

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        super()._save_to_state_dict(destination, prefix, keep_vars)
        destination[prefix + 'dtype'] = self.dtype
        destination[prefix + '_packed_params'] = self._weight_bias()

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, *reports):
        version = local_metadata.get('version')
        if version is None and prefix + 'dtype' in state_dict:
            version = 3  # the file keeps no versions
        self.dtype = torch.qint8 if version is None or version < 2 else state_dict.pop(prefix + 'dtype')
        if version is None or version < 3:
            self._hold(*take(state_dict, prefix, 'weight', 'bias'))
        else:
            self._hold(*state_dict.pop(prefix + '_packed_params'))
        super()._load_from_state_dict(state_dict, prefix, local_metadata, False, *reports)

    def __repr__(self):
        return repr(self._weight_bias())


class Linear(OutputRange, WeightedQuantizedModule):
    _version = 3

    def __init__(self, in_features, out_features, bias_=True, dtype=torch.qint8):
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        shape = [out_features, in_features]
        if dtype == torch.qint8:
            weight = torch._empty_affine_quantized(shape, scale=1, zero_point=0, dtype=torch.qint8)
        elif dtype == torch.float16:
            weight = torch.zeros(shape, dtype=torch.float)
        else:
            raise RuntimeError('Unsupported dtype specified for quantized Linear!')
        self._packed_params = LinearPackedParams(dtype)
        self.set_weight_bias(weight, torch.zeros(out_features, dtype=torch.float) if bias_ else None)
        self.scale = 1.0
        self.zero_point = 0

    def _get_name(self):
        return 'QuantizedLinear'

    def extra_repr(self):
        return (f'in_features={self.in_features}, out_features={self.out_features}, scale={self.scale}, '
                f'zero_point={self.zero_point}, qscheme={self.weight().qscheme()}')

    def __repr__(self):
        return shown_without(self, LinearPackedParams)

    def forward(self, x):
        return self._compute(torch.ops.quantized.linear, x)

    def _compute(self, operator, x, *more):
        return operator(x, self._packed_params._packed_params, self.scale, self.zero_point, *more)

    def _weight_bias(self):
        return self._packed_params._weight_bias()

    def weight(self):
        return self._weight_bias()[0]

    def bias(self):
        return self._weight_bias()[1]

    def set_weight_bias(self, w, b):
        self._packed_params.set_weight_bias(w, b)

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        super()._save_to_state_dict(destination, prefix, keep_vars)
        self._save_range(destination, prefix)

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, *reports):
        self._load_range(state_dict, prefix)
        if prefix + 'weight' in state_dict:  # as the first version has it
            for name in ('weight', 'bias'):
                state_dict[f'{prefix}_packed_params.{name}'] = state_dict.pop(prefix + name)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, False, *reports)
