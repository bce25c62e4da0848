# SPDX-License-Identifier: GPL-3.0-or-later
# Which observers watch the values and the weights of a model.
from collections import namedtuple
import torch
from torch import nn
from .fake_quantize import (FakeQuantize, FakeQuantizeBase, FusedMovingAvgObsFakeQuantize, default_dynamic_fake_quant,
                            default_embedding_fake_quant, default_embedding_fake_quant_4bit, default_fake_quant,
                            default_fused_act_fake_quant, default_fused_per_channel_wt_fake_quant, default_fused_wt_fake_quant,
                            default_per_channel_weight_fake_quant, default_weight_fake_quant,
                            fused_per_channel_wt_fake_quant_range_neg_127_to_127, fused_wt_fake_quant_range_neg_127_to_127)
from .observer import (HistogramObserver, MinMaxObserver, MovingAverageMinMaxObserver, NoopObserver, PlaceholderObserver,
                       default_debug_observer, default_dynamic_quant_observer, default_float_qparams_observer,
                       default_float_qparams_observer_4bit, default_observer, default_per_channel_weight_observer,
                       default_placeholder_observer, default_reuse_input_observer, default_weight_observer,
                       per_channel_weight_observer_range_neg_127_to_127, weight_observer_range_neg_127_to_127)

__all__ = ['QConfig', 'default_qconfig', 'default_debug_qconfig', 'default_per_channel_qconfig', 'default_dynamic_qconfig',
           'float16_dynamic_qconfig', 'float16_static_qconfig', 'per_channel_dynamic_qconfig',
           'float_qparams_weight_only_qconfig', 'float_qparams_weight_only_qconfig_4bit', 'default_quint8_weight_qconfig',
           'default_qat_qconfig', 'default_dynamic_qat_qconfig', 'default_weight_only_qconfig',
           'default_activation_only_qconfig', 'default_qat_qconfig_v2', 'default_reuse_input_qconfig',
           'default_symmetric_qnnpack_qconfig', 'default_per_channel_symmetric_qnnpack_qconfig',
           'default_symmetric_qnnpack_qat_qconfig', 'default_per_channel_symmetric_qnnpack_qat_qconfig',
           'default_embedding_qat_qconfig', 'default_embedding_qat_qconfig_4bit', 'get_default_qconfig',
           'get_default_qat_qconfig']


class QConfig(namedtuple('QConfig', ['activation', 'weight'])):
    __slots__ = ()

    def __new__(cls, activation, weight):
        if isinstance(activation, nn.Module) or isinstance(weight, nn.Module):
            raise ValueError('QConfig received observer instance, please pass observer class instead. Use '
                             'MyObserver.with_args(x=1) to override arguments to constructor if needed')
        return super().__new__(cls, activation, weight)


_half = PlaceholderObserver.with_args(dtype=torch.float16)
_signed = HistogramObserver.with_args(dtype=torch.qint8, reduce_range=False, eps=2 ** (-12))
_signed_fake = FusedMovingAvgObsFakeQuantize.with_args(observer=MovingAverageMinMaxObserver, quant_min=-128, quant_max=127,
                                                       dtype=torch.qint8, reduce_range=False, eps=2 ** (-12))
_floats = NoopObserver.with_args(dtype=torch.float32)
default_qconfig = QConfig(default_observer, default_weight_observer)
default_debug_qconfig = QConfig(default_debug_observer, default_weight_observer)
default_per_channel_qconfig = QConfig(default_observer, default_per_channel_weight_observer)
default_dynamic_qconfig = QConfig(default_dynamic_quant_observer, default_weight_observer)
float16_dynamic_qconfig = QConfig(PlaceholderObserver.with_args(dtype=torch.float16, is_dynamic=True), _half)
float16_static_qconfig = QConfig(_half, _half)
per_channel_dynamic_qconfig = QConfig(default_dynamic_quant_observer, default_per_channel_weight_observer)
float_qparams_weight_only_qconfig = QConfig(default_placeholder_observer, default_float_qparams_observer)
float_qparams_weight_only_qconfig_4bit = QConfig(default_placeholder_observer, default_float_qparams_observer_4bit)
default_qat_qconfig = QConfig(default_fake_quant, default_weight_fake_quant)
default_dynamic_qat_qconfig = QConfig(default_dynamic_fake_quant, default_weight_fake_quant)
default_weight_only_qconfig = QConfig(nn.Identity, default_weight_fake_quant)
default_activation_only_qconfig = QConfig(default_fake_quant, nn.Identity)
default_qat_qconfig_v2 = QConfig(default_fused_act_fake_quant, default_fused_wt_fake_quant)
default_reuse_input_qconfig = QConfig(default_reuse_input_observer, NoopObserver)
default_symmetric_qnnpack_qconfig = QConfig(_signed, weight_observer_range_neg_127_to_127)
default_per_channel_symmetric_qnnpack_qconfig = QConfig(_signed, per_channel_weight_observer_range_neg_127_to_127)
default_symmetric_qnnpack_qat_qconfig = QConfig(_signed_fake, fused_wt_fake_quant_range_neg_127_to_127)
default_per_channel_symmetric_qnnpack_qat_qconfig = QConfig(_signed_fake, fused_per_channel_wt_fake_quant_range_neg_127_to_127)
default_embedding_qat_qconfig = QConfig(_floats, default_embedding_fake_quant)
default_embedding_qat_qconfig_4bit = QConfig(_floats, default_embedding_fake_quant_4bit)
default_quint8_weight_qconfig = QConfig(HistogramObserver, MinMaxObserver)

# Whether the values are of 7 bits, by the engine; None: not said.
_REDUCED = {'fbgemm': True, 'x86': True, 'qnnpack': False, 'onednn': None}


def _require_backend(backend):
    if backend not in _REDUCED:
        raise AssertionError(f"backend: {backend} not supported. backend must be one of ['fbgemm', 'x86', 'qnnpack', 'onednn']")


def get_default_qconfig(backend='x86', version=0):
    _require_backend(backend)
    if version != 0:
        raise AssertionError(f'Version number: {version} in get_default_qconfig is not supported. Version number must be 0')
    weight = default_weight_observer if backend == 'qnnpack' else default_per_channel_weight_observer
    return QConfig(HistogramObserver.with_args(reduce_range=bool(_REDUCED[backend])), weight)


def get_default_qat_qconfig(backend='x86', version=1):
    _require_backend(backend)
    if version not in (0, 1):
        raise AssertionError(f'Version number: {version}in get_default_qat_qconfig is not supported. Version number must be 0 '
                             'or 1')
    weights = ((default_weight_fake_quant, default_per_channel_weight_fake_quant),
               (default_fused_wt_fake_quant, default_fused_per_channel_wt_fake_quant))
    kind = (FakeQuantize, FusedMovingAvgObsFakeQuantize)[version]
    options = {} if _REDUCED[backend] is None else {'reduce_range': _REDUCED[backend]}
    activation = kind.with_args(observer=MovingAverageMinMaxObserver, quant_min=0, quant_max=255, **options)
    return QConfig(activation, weights[version][backend != 'qnnpack'])


def _activation_is_memoryless(qconfig):
    watching = qconfig.activation()
    if isinstance(watching, FakeQuantizeBase) and hasattr(watching, 'activation_post_process'):
        watching = watching.activation_post_process
    return getattr(watching, 'averaging_constant', None) == 1
