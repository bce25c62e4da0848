# SPDX-License-Identifier: GPL-3.0-or-later
# Modules that round values as quantization will, and go on as floats.
import torch
from .observer import (FixedQParamsObserver, HistogramObserver, MovingAverageMinMaxObserver,
                       MovingAveragePerChannelMinMaxObserver, _with_args, default_fixed_qparams_range_0to1_observer,
                       default_fixed_qparams_range_neg1to1_observer)
from .utils import is_per_channel, is_per_tensor

__all__ = ['FakeQuantizeBase', 'FakeQuantize', 'FixedQParamsFakeQuantize', 'FusedMovingAvgObsFakeQuantize', 'disable_fake_quant',
           'disable_observer', 'enable_fake_quant', 'enable_observer', 'default_fake_quant', 'default_weight_fake_quant',
           'default_dynamic_fake_quant', 'default_fixed_qparams_range_neg1to1_fake_quant',
           'default_fixed_qparams_range_0to1_fake_quant', 'default_symmetric_fixed_qparams_fake_quant',
           'default_affine_fixed_qparams_fake_quant', 'default_per_channel_weight_fake_quant', 'default_embedding_fake_quant',
           'default_embedding_fake_quant_4bit', 'default_histogram_fake_quant', 'default_fused_act_fake_quant',
           'default_fused_wt_fake_quant', 'default_fused_per_channel_wt_fake_quant',
           'fused_wt_fake_quant_range_neg_127_to_127', 'fused_per_channel_wt_fake_quant_range_neg_127_to_127']


class FakeQuantizeBase(torch.nn.Module):
    _switch_dtype = torch.uint8

    def __init__(self):
        super().__init__()
        self._add_switches()

    def _add_switches(self):
        for name in ('fake_quant_enabled', 'observer_enabled'):
            self.register_buffer(name, torch.tensor([1], dtype=self._switch_dtype))

    def enable_fake_quant(self, enabled=True):
        self.fake_quant_enabled[0] = 1 if enabled else 0

    def disable_fake_quant(self):
        self.enable_fake_quant(False)

    def enable_observer(self, enabled=True):
        self.observer_enabled[0] = 1 if enabled else 0

    def disable_observer(self):
        self.enable_observer(False)

    with_args = classmethod(_with_args)


class FakeQuantize(FakeQuantizeBase):
    def __init__(self, observer=MovingAverageMinMaxObserver, quant_min=None, quant_max=None, is_dynamic=False,
                 **observer_kwargs):
        super().__init__()
        if quant_min is not None and quant_max is not None:
            if quant_min > quant_max:
                raise AssertionError('quant_min must be less than or equal to quant_max')
            dtype = observer_kwargs.get('dtype', torch.quint8)
            if hasattr(observer, 'p'):
                dtype = observer.p.keywords.get('dtype', dtype)
            limits = torch.iinfo(dtype)
            if limits.min > quant_min:
                raise AssertionError('quant_min out of bound')
            if quant_max > limits.max:
                raise AssertionError('quant_max out of bound')
            observer_kwargs.update(quant_min=quant_min, quant_max=quant_max)
        observer_kwargs['is_dynamic'] = is_dynamic
        watching = self.activation_post_process = observer(**observer_kwargs)
        for name in ('quant_min', 'quant_max', 'is_dynamic', 'dtype', 'qscheme'):
            setattr(self, name, getattr(watching, name))
        self.ch_axis = getattr(watching, 'ch_axis', -1)
        is_float = self.qscheme == torch.per_channel_affine_float_qparams
        self.register_buffer('scale', torch.tensor([1.0], dtype=torch.float))
        self.register_buffer('zero_point', torch.tensor([0], dtype=torch.float if is_float else torch.int))
        self.is_per_channel = is_per_channel(self.qscheme)
        if not (self.is_per_channel or is_per_tensor(self.qscheme)):
            raise AssertionError('Only per channel and per tensor quantization are supported in fake quantize got qscheme: '
                                 + str(self.qscheme))

    def calculate_qparams(self):
        return self.activation_post_process.calculate_qparams()

    def _keep(self, name, value):
        own = getattr(self, name)
        if own.shape != value.shape:
            own.resize_(value.shape)
        own.copy_(value.to(own.device))

    def forward(self, X):
        watching = self.activation_post_process
        if self.observer_enabled[0] == 1:
            watching(X.detach())
            scale, zero_point = self.calculate_qparams()
            self._keep('scale', scale)
            self._keep('zero_point', zero_point)
        if self.fake_quant_enabled[0] == 1:
            if self.is_per_channel:
                return torch.fake_quantize_per_channel_affine(X, self.scale, self.zero_point, self.ch_axis, watching.quant_min,
                                                              watching.quant_max)
            return torch.fake_quantize_per_tensor_affine(X, self.scale, self.zero_point, watching.quant_min, watching.quant_max)
        return X

    def _told(self, *names):
        own = ('quant_min', 'quant_max', 'reduce_range')
        return ', '.join(f'{name}={getattr(self.activation_post_process if name in own else self, name)}' for name in names)

    def extra_repr(self):
        return self._told('fake_quant_enabled', 'observer_enabled', 'quant_min', 'quant_max', 'dtype', 'qscheme', 'ch_axis',
                          'scale', 'zero_point')

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, *reports):
        for name in ('scale', 'zero_point'):
            if prefix + name in state_dict:
                getattr(self, name).resize_(state_dict[prefix + name].shape)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, strict, *reports)


class FixedQParamsFakeQuantize(FakeQuantize):
    def __init__(self, observer):
        super().__init__(observer=observer)
        if type(self.activation_post_process) is not FixedQParamsObserver:
            raise AssertionError(f"{type(self).__name__}'s observer must be a FixedQParamsObserver")
        self._observer_ctr = observer
        self.scale = self.activation_post_process.scale
        self.zero_point = self.activation_post_process.zero_point
        if not is_per_tensor(self.qscheme):
            raise AssertionError('Only per tensor quantization is supported FixedQParamsFakeQuantize module, got qscheme:'
                                 + str(self.qscheme))

    def calculate_qparams(self):
        return self.scale, self.zero_point

    def extra_repr(self):
        return self._told('fake_quant_enabled', 'observer_enabled', 'scale', 'zero_point', 'dtype', 'quant_min', 'quant_max',
                          'qscheme')


class FusedMovingAvgObsFakeQuantize(FakeQuantize):
    def __init__(self, observer=MovingAverageMinMaxObserver, quant_min=0, quant_max=255, **observer_kwargs):
        super().__init__(observer, quant_min, quant_max, **observer_kwargs)
        watching = self.activation_post_process
        if not isinstance(watching, (MovingAverageMinMaxObserver, MovingAveragePerChannelMinMaxObserver)):
            raise AssertionError('Fused observer+fake_quant module only works with MovingAverageMinMaxObserver')
        self._switch_dtype = torch.long
        self._add_switches()
        del self._switch_dtype
        self.is_symmetric_quant = watching.qscheme in (torch.per_tensor_symmetric, torch.per_channel_symmetric)

    def forward(self, X):
        watching = self.activation_post_process
        return torch.fused_moving_avg_obs_fake_quant(
            X, self.observer_enabled, self.fake_quant_enabled, watching.min_val, watching.max_val, self.scale, self.zero_point,
            watching.averaging_constant, watching.quant_min, watching.quant_max, self.ch_axis, self.is_per_channel,
            self.is_symmetric_quant)

    def extra_repr(self):
        return self._told('fake_quant_enabled', 'observer_enabled', 'scale', 'zero_point', 'dtype', 'quant_min', 'quant_max',
                          'qscheme', 'reduce_range')


_UNSIGNED = {'quant_min': 0, 'quant_max': 255, 'dtype': torch.quint8}
_SIGNED = {'quant_min': -128, 'quant_max': 127, 'dtype': torch.qint8}
_INNER = {'quant_min': -127, 'quant_max': 127, 'dtype': torch.qint8, 'eps': 2 ** (-12)}
_WHOLE, _ROWS = MovingAverageMinMaxObserver, MovingAveragePerChannelMinMaxObserver
_FLOATS = {'observer': _ROWS, 'qscheme': torch.per_channel_affine_float_qparams, 'ch_axis': 0, 'averaging_constant': 1}
_make, _fused = FakeQuantize.with_args, FusedMovingAvgObsFakeQuantize.with_args
default_fake_quant = _make(observer=_WHOLE, qscheme=torch.per_tensor_affine, reduce_range=True, **_UNSIGNED)
default_weight_fake_quant = _make(observer=_WHOLE, qscheme=torch.per_tensor_symmetric, reduce_range=False, **_SIGNED)
default_dynamic_fake_quant = _make(observer=_WHOLE, is_dynamic=True, averaging_constant=1, **_UNSIGNED)
default_fixed_qparams_range_neg1to1_fake_quant = FixedQParamsFakeQuantize.with_args(
    observer=default_fixed_qparams_range_neg1to1_observer)
default_fixed_qparams_range_0to1_fake_quant = FixedQParamsFakeQuantize.with_args(
    observer=default_fixed_qparams_range_0to1_observer)
default_symmetric_fixed_qparams_fake_quant = default_fixed_qparams_range_neg1to1_fake_quant
default_affine_fixed_qparams_fake_quant = default_fixed_qparams_range_0to1_fake_quant
default_per_channel_weight_fake_quant = _make(observer=_ROWS, qscheme=torch.per_channel_symmetric, reduce_range=False,
                                              ch_axis=0, **_SIGNED)
default_embedding_fake_quant = _make(**_UNSIGNED, **_FLOATS)
default_embedding_fake_quant_4bit = _make(dtype=torch.quint4x2, **_FLOATS)
default_histogram_fake_quant = _make(observer=HistogramObserver, qscheme=torch.per_tensor_affine, reduce_range=True, **_UNSIGNED)
default_fused_act_fake_quant = _fused(observer=_WHOLE, **_UNSIGNED)
default_fused_wt_fake_quant = _fused(observer=_WHOLE, qscheme=torch.per_tensor_symmetric, **_SIGNED)
default_fused_per_channel_wt_fake_quant = _fused(observer=_ROWS, qscheme=torch.per_channel_symmetric, **_SIGNED)
fused_wt_fake_quant_range_neg_127_to_127 = _fused(observer=_WHOLE, qscheme=torch.per_tensor_symmetric, **_INNER)
fused_per_channel_wt_fake_quant_range_neg_127_to_127 = _fused(observer=_ROWS, qscheme=torch.per_channel_symmetric, **_INNER)


def _switch(name):
    def switch(mod):
        if isinstance(mod, FakeQuantizeBase):
            getattr(mod, name)()

    switch.__name__ = name
    return switch


disable_fake_quant = _switch('disable_fake_quant')
enable_fake_quant = _switch('enable_fake_quant')
disable_observer = _switch('disable_observer')
enable_observer = _switch('enable_observer')
