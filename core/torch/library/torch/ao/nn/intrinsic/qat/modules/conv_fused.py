# SPDX-License-Identifier: GPL-3.0-or-later
# Convolutions and what follows them: the weight is rounded as it will be once batch normalization is part of it.
import math
import torch
import torch.ao.nn.qat.modules.conv as base
import torch.nn.functional as F
from torch import nn
from torch.nn import init
from torch.nn.parameter import Parameter
from torch.ao.nn.intrinsic.modules.fused import _FusedModule
from torch.ao.nn.qat.modules.linear import observe_weight

__all__ = ['ConvBn1d', 'ConvBnReLU1d', 'ConvReLU1d', 'ConvBn2d', 'ConvBnReLU2d', 'ConvReLU2d', 'ConvBn3d', 'ConvBnReLU3d',
           'ConvReLU3d', 'update_bn_stats', 'freeze_bn_stats']


class FusedNorm:
    def _add_norm(self, bn, bias, channels, freeze_bn, qconfig):
        if not qconfig:
            raise AssertionError('qconfig must be provided for QAT module')
        self.freeze_bn = freeze_bn if self.training else True
        self.bn = bn
        observe_weight(self, qconfig)
        if bias:
            self.bias = Parameter(torch.empty(channels))
        else:
            self.register_parameter('bias', None)
        self.reset_bn_parameters()
        if self.training and not freeze_bn:
            self.update_bn_stats()
        else:
            self.freeze_bn_stats()

    def reset_running_stats(self):
        self.bn.reset_running_stats()

    def reset_bn_parameters(self):
        self.bn.reset_running_stats()
        init.uniform_(self.bn.weight)
        init.zeros_(self.bn.bias)
        self._reset_bias()

    def _freeze(self, frozen):
        self.freeze_bn = frozen
        self.bn.training = not frozen
        return self

    def update_bn_stats(self):
        return self._freeze(False)

    def freeze_bn_stats(self):
        return self._freeze(True)

    def train(self, mode=True):
        self.training = mode
        if not self.freeze_bn:
            for child in self.children():
                child.train(mode)
        return self

    def _forward(self, input):
        if self.bn.running_var is None:
            raise AssertionError('self.bn.running_var must not be None')
        by_row = [-1] + [1] * (len(self.weight.shape) - 1)
        by_channel = [1, -1] + [1] * (len(self.weight.shape) - 2)
        factor = self.bn.weight / torch.sqrt(self.bn.running_var + self.bn.eps)
        weight = self.weight_fake_quant(self.weight * factor.reshape(by_row))
        result = self._apply_weight(input, weight, self._zero_bias(input, weight)) / factor.reshape(by_channel)
        if self.bias is not None:
            result = result + self.bias.reshape(by_channel)
        return self.bn(result)

    def forward(self, input):
        return self._forward(input)


class _ConvBnNd(FusedNorm, nn.modules.conv._ConvNd, _FusedModule):
    _version = 2
    _old_names = {'bn.weight': 'gamma', 'bn.bias': 'beta', 'bn.running_mean': 'running_mean', 'bn.running_var': 'running_var',
                  'bn.num_batches_tracked': 'num_batches_tracked'}

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=None,
                 padding_mode='zeros', eps=1e-05, momentum=0.1, freeze_bn=False, qconfig=None):
        kind = next(kind for kind in (nn.Conv1d, nn.Conv2d, nn.Conv3d) if isinstance(self, kind))
        kind.__init__(self, in_channels, out_channels, kernel_size, stride, padding, dilation, groups, False, padding_mode)
        norms = {nn.Conv1d: nn.BatchNorm1d, nn.Conv2d: nn.BatchNorm2d, nn.Conv3d: nn.BatchNorm3d}
        self._add_norm(norms[kind](out_channels, eps, momentum, True, True), bias, out_channels, freeze_bn, qconfig)
        self._enable_slow_path_for_better_numerical_stability = False

    def _reset_bias(self):
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            init.uniform_(self.bias, -1 / math.sqrt(fan_in), 1 / math.sqrt(fan_in))

    def _apply_weight(self, input, weight, bias):
        return self._conv_forward(input, weight, bias)

    def _zero_bias(self, input, weight):
        if self.bias is not None:
            return torch.zeros_like(self.bias, dtype=input.dtype)
        return torch.zeros(self.out_channels, device=weight.device, dtype=input.dtype)

    def _forward(self, input):
        if getattr(self, '_enable_slow_path_for_better_numerical_stability', False):
            raise NotImplementedError('not supported: the slow path of ' + type(self).__name__)
        return super()._forward(input)

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, *reports):
        if local_metadata.get('version', 2) == 1:
            for name, old in self._old_names.items():
                if prefix + old in state_dict:
                    state_dict[prefix + name] = state_dict.pop(prefix + old)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, strict, *reports)


class _Rectified:
    def forward(self, input):
        return F.relu(super().forward(input))


class _ConvReLU(_Rectified):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                 padding_mode='zeros', qconfig=None):
        super().__init__(in_channels, out_channels, kernel_size, stride=stride, padding=padding, dilation=dilation,
                         groups=groups, bias=bias, padding_mode=padding_mode, qconfig=qconfig)


class ConvBn1d(_ConvBnNd, nn.Conv1d):
    pass


class ConvBnReLU1d(_Rectified, ConvBn1d):
    pass


class ConvReLU1d(_ConvReLU, base.Conv1d, _FusedModule):
    pass


class ConvBn2d(_ConvBnNd, nn.Conv2d):
    pass


class ConvBnReLU2d(_Rectified, ConvBn2d):
    pass


class ConvReLU2d(_ConvReLU, base.Conv2d, _FusedModule):
    pass


class ConvBn3d(_ConvBnNd, nn.Conv3d):
    pass


class ConvBnReLU3d(_Rectified, ConvBn3d):
    pass


class ConvReLU3d(_ConvReLU, base.Conv3d, _FusedModule):
    pass


def update_bn_stats(mod):
    if isinstance(mod, _ConvBnNd):
        mod.update_bn_stats()


def freeze_bn_stats(mod):
    if isinstance(mod, _ConvBnNd):
        mod.freeze_bn_stats()
