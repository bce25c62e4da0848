# SPDX-License-Identifier: GPL-3.0-or-later
# Modules that watch the range of what passes through them, and say which scale and zero point it asks for.
import warnings
from functools import partial
import torch
from torch import nn
from .utils import calculate_qmin_qmax, check_min_max_valid, is_per_channel, is_per_tensor, validate_qmin_qmax

__all__ = ['FixedQParamsObserver', 'MinMaxObserver', 'MovingAverageMinMaxObserver', 'MovingAveragePerChannelMinMaxObserver',
           'NoopObserver', 'ObserverBase', 'PerChannelMinMaxObserver', 'PlaceholderObserver', 'RecordingObserver',
           'ReuseInputObserver', 'UniformQuantizationObserverBase', 'HistogramObserver', 'default_affine_fixed_qparams_observer',
           'default_debug_observer', 'default_dynamic_quant_observer', 'default_fixed_qparams_range_0to1_observer',
           'default_fixed_qparams_range_neg1to1_observer', 'default_float_qparams_observer',
           'default_float_qparams_observer_4bit', 'default_histogram_observer', 'default_observer',
           'default_per_channel_weight_observer', 'default_placeholder_observer', 'default_reuse_input_observer',
           'default_symmetric_fixed_qparams_observer', 'default_weight_observer',
           'per_channel_weight_observer_range_neg_127_to_127', 'weight_observer_range_neg_127_to_127']

_EPS = torch.finfo(torch.float32).eps
_DTYPES = (torch.qint8, torch.quint8, torch.quint4x2, torch.qint32, torch.int8, torch.uint8, torch.int16, torch.int32,
           torch.float8_e5m2, torch.float8_e4m3fn, torch.uint16)


class _PartialWrapper:
    # A class with some of its arguments; callable_args are called each time it makes one.
    def __init__(self, p):
        self.p = p
        self.callable_args = {}

    def __call__(self, *args, **keywords):
        made = {name: make() for name, make in self.callable_args.items() if name not in keywords}
        return self.p(*args, **keywords, **made)

    def __repr__(self):
        return repr(self.p) + repr(self.callable_args)

    def with_args(self, **kwargs):
        return _with_args(self, **kwargs)

    def with_callable_args(self, **kwargs):
        made = _PartialWrapper(self.p)
        made.callable_args = {**self.callable_args, **kwargs}
        return made


def _with_args(cls_or_self, **kwargs):
    return _PartialWrapper(partial(cls_or_self, **kwargs))


def _with_callable_args(cls_or_self, **kwargs):
    return _PartialWrapper(partial(cls_or_self)).with_callable_args(**kwargs)


class ObserverBase(nn.Module):
    def __init__(self, dtype, is_dynamic=False):
        super().__init__()
        self.dtype = dtype
        self.is_dynamic = is_dynamic

    def forward(self, x):
        return x

    def calculate_qparams(self, **kwargs):
        raise Exception(f'calculate_qparams should not be called for {type(self).__name__}')

    with_args = classmethod(_with_args)
    with_callable_args = classmethod(_with_callable_args)


class UniformQuantizationObserverBase(ObserverBase):
    _version = 3

    def __init__(self, dtype=torch.quint8, qscheme=torch.per_tensor_affine, reduce_range=False, quant_min=None, quant_max=None,
                 factory_kwargs=None, eps=_EPS, is_dynamic=False, **kwargs):
        super().__init__(dtype=dtype, is_dynamic=is_dynamic, **kwargs)
        self.qscheme = qscheme
        if reduce_range:
            warnings.warn('Please use quant_min and quant_max to specify the range for observers.                     '
                          'reduce_range will be deprecated in a future release of PyTorch.', stacklevel=2)
        self.reduce_range = reduce_range
        self.register_buffer('eps', torch.tensor([eps], **torch.nn.factory_kwargs(factory_kwargs)))
        if not (is_per_tensor(qscheme) or is_per_channel(qscheme)):
            raise AssertionError('Default Observer only works for per_tensor_affine, per_tensor_symmetric, per_channel_affine, '
                                 'per_channel_symmetric and per_channel_float_qparams quantization scheme')
        if dtype not in _DTYPES:
            raise AssertionError(f'Default Observer only works for {_DTYPES} data type')
        self.has_customized_qrange = quant_min is not None and quant_max is not None
        if self.has_customized_qrange:
            validate_qmin_qmax(quant_min, quant_max)
        self.quant_min, self.quant_max = calculate_qmin_qmax(quant_min, quant_max, self.has_customized_qrange, dtype,
                                                             reduce_range)

    def _add_range(self, low, high, factory_kwargs):
        made = torch.nn.factory_kwargs(factory_kwargs)
        self.register_buffer('min_val', torch.tensor(low, **made))
        self.register_buffer('max_val', torch.tensor(high, **made))

    def _refuse_half_unsigned(self, blanks):
        symmetric = self.qscheme in (torch.per_tensor_symmetric, torch.per_channel_symmetric)
        if symmetric and self.reduce_range and self.dtype == torch.quint8:
            raise NotImplementedError(f'Cannot reduce range for symmetric{blanks}quantization for quint8')

    def _keep(self, min_val, max_val):
        for own, new in ((self.min_val, min_val), (self.max_val, max_val)):
            if own.shape != new.shape:
                own.resize_(new.shape)
            own.copy_(new)

    def _symmetric_zero(self, like):
        if self.dtype in (torch.quint8, torch.uint8):
            middle = (self.quant_min + self.quant_max) // 2 if self.has_customized_qrange else 128
            return like.new_full(like.size(), middle)
        return like.new_full(like.size(), 2 ** 15) if self.dtype == torch.uint16 else like

    def _calculate_qparams(self, min_val, max_val):
        device = min_val.device
        if not check_min_max_valid(min_val, max_val):
            return torch.tensor([1.0], device=device.type), torch.tensor([0], device=device.type)
        steps = float(self.quant_max - self.quant_min)
        low = torch.min(min_val, torch.zeros_like(min_val))
        high = torch.max(max_val, torch.zeros_like(max_val))
        zero_point = torch.zeros(low.size(), dtype=torch.int64, device=device)
        if self.qscheme in (torch.per_tensor_symmetric, torch.per_channel_symmetric):
            scale = torch.max(torch.max(-low, high) / (steps / 2), self.eps)
            zero_point = self._symmetric_zero(zero_point)
        elif self.qscheme == torch.per_channel_affine_float_qparams:
            scale = (max_val - min_val) / steps
            scale = torch.where(scale > self.eps, scale, torch.ones_like(scale))
            zero_point = -1 * min_val / scale
        else:
            scale = torch.max((high - low) / steps, self.eps)
            zero_point = torch.clamp(self.quant_min - torch.round(low / scale).to(torch.int), self.quant_min, self.quant_max)
        return self._one_each(scale), self._one_each(zero_point)

    def _one_each(self, value):
        return value.reshape([1]) if value.dim() == 0 else value

    def calculate_qparams(self):
        return self._calculate_qparams(self.min_val, self.max_val)

    def extra_repr(self):
        return f'min_val={self.min_val}, max_val={self.max_val}'

    def reset_min_max_vals(self):
        raise NotImplementedError('Cannot reset min/max values in the given observer.')

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, *more):
        if local_metadata.get('version', 3) == 1:
            state_dict[prefix + 'eps'] = torch.tensor([_EPS])
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *more)


_ObserverBase = UniformQuantizationObserverBase


class MinMaxObserver(UniformQuantizationObserverBase):
    def __init__(self, dtype=torch.quint8, qscheme=torch.per_tensor_affine, reduce_range=False, quant_min=None, quant_max=None,
                 factory_kwargs=None, eps=_EPS, is_dynamic=False, **kwargs):
        if not is_per_tensor(qscheme):
            raise NotImplementedError("MinMaxObserver's qscheme only support torch.per_tensor_symmetric                     "
                                      'and torch.per_tensor_affine.')
        super().__init__(dtype=dtype, qscheme=qscheme, reduce_range=reduce_range, quant_min=quant_min, quant_max=quant_max,
                         factory_kwargs=factory_kwargs, eps=eps, is_dynamic=is_dynamic, **kwargs)
        self._add_range(float('inf'), float('-inf'), factory_kwargs)
        self._refuse_half_unsigned(' ' * 39)

    def _joined(self, low, high):
        return torch.min(low, self.min_val), torch.max(high, self.max_val)

    def forward(self, x_orig):
        if x_orig.numel() > 0:
            self._keep(*self._joined(*torch.aminmax(x_orig.detach().to(self.min_val.dtype))))
        return x_orig

    def reset_min_max_vals(self):
        self.min_val.copy_(torch.tensor(float('inf')))
        self.max_val.copy_(torch.tensor(float('-inf')))


class _Averaging:
    def _averaged(self, low, high):
        return (self.min_val + self.averaging_constant * (low - self.min_val),
                self.max_val + self.averaging_constant * (high - self.max_val))


class MovingAverageMinMaxObserver(_Averaging, MinMaxObserver):
    def __init__(self, averaging_constant=0.01, dtype=torch.quint8, qscheme=torch.per_tensor_affine, reduce_range=False,
                 quant_min=None, quant_max=None, eps=_EPS, is_dynamic=False, **kwargs):
        if not is_per_tensor(qscheme):
            raise NotImplementedError("MovingAverageMinMaxObserver's qscheme only support                 "
                                      'torch.per_tensor_symmetric and torch.per_tensor_affine.                 '
                                      f'but got: {qscheme}')
        self.averaging_constant = averaging_constant
        if is_dynamic and averaging_constant != 1:
            raise NotImplementedError("MovingAverageMinMaxObserver doesn't support dynamic quantization for averaging constant "
                                      f'of {averaging_constant}')
        super().__init__(dtype=dtype, qscheme=qscheme, reduce_range=reduce_range, quant_min=quant_min, quant_max=quant_max,
                         eps=eps, is_dynamic=is_dynamic, **kwargs)

    def _joined(self, low, high):
        is_first = self.min_val == float('inf') and self.max_val == float('-inf')
        return (low, high) if is_first else self._averaged(low, high)


class PerChannelMinMaxObserver(UniformQuantizationObserverBase):
    def __init__(self, ch_axis=0, dtype=torch.quint8, qscheme=torch.per_channel_affine, reduce_range=False, quant_min=None,
                 quant_max=None, factory_kwargs=None, eps=_EPS, is_dynamic=False, **kwargs):
        name = type(self).__name__
        if not is_per_channel(qscheme):
            raise NotImplementedError(f"{name}'s qscheme only support                     torch.per_channel_symmetric, "
                                      'torch.per_channel_affine and torch.per_channel_affine_float_qparams.')
        if is_dynamic:
            raise NotImplementedError(f"{name} doesn't support dynamic quantization")
        super().__init__(dtype=dtype, qscheme=qscheme, reduce_range=reduce_range, quant_min=quant_min, quant_max=quant_max,
                         factory_kwargs=factory_kwargs, eps=eps, is_dynamic=is_dynamic, **kwargs)
        self.ch_axis = ch_axis
        self._add_range([], [], factory_kwargs)
        self._refuse_half_unsigned(' ')

    def _joined(self, low, high):
        return torch.min(low, self.min_val), torch.max(high, self.max_val)

    def forward(self, x_orig):
        if x_orig.numel() == 0:
            return x_orig
        axes = list(range(x_orig.dim()))
        axes[self.ch_axis] = 0
        axes[0] = self.ch_axis
        rows = torch.flatten(x_orig.detach().permute(axes).to(self.min_val.dtype), start_dim=1)
        low, high = torch.aminmax(rows, dim=1)
        is_first = self.min_val.numel() == 0 or self.max_val.numel() == 0
        self._keep(*((low, high) if is_first else self._joined(low, high)))
        return x_orig

    def _load_from_state_dict(self, state_dict, prefix, *more):
        for name, own in (('min_val', self.min_val), ('max_val', self.max_val)):
            given = state_dict.get(prefix + name)
            if given is not None:
                own.resize_(given.shape)
        super()._load_from_state_dict(state_dict, prefix, *more)

    def reset_min_max_vals(self):
        self.min_val = torch.rand(0)
        self.max_val = torch.rand(0)


class MovingAveragePerChannelMinMaxObserver(_Averaging, PerChannelMinMaxObserver):
    def __init__(self, averaging_constant=0.01, ch_axis=0, dtype=torch.quint8, qscheme=torch.per_channel_affine,
                 reduce_range=False, quant_min=None, quant_max=None, eps=_EPS, is_dynamic=False, **kwargs):
        super().__init__(ch_axis=ch_axis, dtype=dtype, qscheme=qscheme, reduce_range=reduce_range, quant_min=quant_min,
                         quant_max=quant_max, eps=eps, is_dynamic=is_dynamic, **kwargs)
        self.averaging_constant = averaging_constant

    def _joined(self, low, high):
        return self._averaged(low, high)


class FixedQParamsObserver(ObserverBase):
    def __init__(self, scale, zero_point, dtype=torch.quint8, qscheme=torch.per_tensor_affine, quant_min=0, quant_max=255,
                 is_dynamic=False, **kwargs):
        if is_dynamic:
            raise NotImplementedError("FixedQParamsObserver doesn't support dynamic quantization")
        super().__init__(dtype=dtype, is_dynamic=is_dynamic, **kwargs)
        self.quant_min = quant_min
        self.quant_max = quant_max
        self.register_buffer('scale', torch.tensor([scale], dtype=torch.float))
        self.register_buffer('zero_point', torch.tensor([zero_point], dtype=torch.int))
        self.qscheme = qscheme

    def calculate_qparams(self):
        return self.scale, self.zero_point


class PlaceholderObserver(ObserverBase):
    def __init__(self, dtype=torch.float32, custom_op_name='', compute_dtype=None, quant_min=None, quant_max=None, qscheme=None,
                 eps=None, is_dynamic=False):
        super().__init__(dtype=dtype, is_dynamic=is_dynamic)
        self.qscheme = torch.per_tensor_affine if qscheme is None else qscheme
        self.quant_min = quant_min
        self.quant_max = quant_max
        self.eps = _EPS if eps is None else eps
        self.custom_op = custom_op_name

    def extra_repr(self):
        return f'dtype={self.dtype}, is_dynamic={self.is_dynamic}'


class RecordingObserver(ObserverBase):
    def __init__(self, dtype=torch.quint8):
        super().__init__(dtype=dtype, is_dynamic=False)
        self.tensor_val = []

    def forward(self, x):
        self.tensor_val.append(x.clone())
        return x

    def get_tensor_value(self):
        return self.tensor_val


class NoopObserver(ObserverBase):
    def __init__(self, dtype=torch.float16, custom_op_name=''):
        super().__init__(dtype=dtype, is_dynamic=False)
        self.custom_op = custom_op_name


class ReuseInputObserver(ObserverBase):
    def __init__(self):
        super().__init__(torch.quint8, is_dynamic=False)


from ._histogram import HistogramObserver

_AFFINE_FLOATS = {'qscheme': torch.per_channel_affine_float_qparams, 'ch_axis': 0}
_INNER = {'dtype': torch.qint8, 'quant_min': -127, 'quant_max': 127, 'eps': 2 ** (-12)}
_FIXED = {'dtype': torch.quint8, 'quant_min': 0, 'quant_max': 255}
default_observer = MinMaxObserver.with_args(quant_min=0, quant_max=127)
default_placeholder_observer = PlaceholderObserver
default_debug_observer = RecordingObserver
default_weight_observer = MinMaxObserver.with_args(dtype=torch.qint8, qscheme=torch.per_tensor_symmetric)
weight_observer_range_neg_127_to_127 = MinMaxObserver.with_args(qscheme=torch.per_tensor_symmetric, **_INNER)
default_histogram_observer = HistogramObserver.with_args(quant_min=0, quant_max=127)
default_per_channel_weight_observer = PerChannelMinMaxObserver.with_args(dtype=torch.qint8, qscheme=torch.per_channel_symmetric)
per_channel_weight_observer_range_neg_127_to_127 = PerChannelMinMaxObserver.with_args(qscheme=torch.per_channel_symmetric,
                                                                                       **_INNER)
default_dynamic_quant_observer = PlaceholderObserver.with_args(is_dynamic=True, **_FIXED)
default_float_qparams_observer = PerChannelMinMaxObserver.with_args(dtype=torch.quint8, **_AFFINE_FLOATS)
default_float_qparams_observer_4bit = PerChannelMinMaxObserver.with_args(dtype=torch.quint4x2, **_AFFINE_FLOATS)
default_fixed_qparams_range_neg1to1_observer = FixedQParamsObserver.with_args(scale=2.0 / 256.0, zero_point=128, **_FIXED)
default_fixed_qparams_range_0to1_observer = FixedQParamsObserver.with_args(scale=1.0 / 256.0, zero_point=0, **_FIXED)
default_symmetric_fixed_qparams_observer = default_fixed_qparams_range_neg1to1_observer
default_affine_fixed_qparams_observer = default_fixed_qparams_range_0to1_observer
default_reuse_input_observer = ReuseInputObserver
