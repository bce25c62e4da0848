# SPDX-License-Identifier: GPL-3.0-or-later
# Normalizations of quantized tensors.
import torch
from .activation import own_range

__all__ = ['LayerNorm', 'GroupNorm', 'InstanceNorm1d', 'InstanceNorm2d', 'InstanceNorm3d']


class _Given:
    # weight and bias are what the caller gives.
    def _take(self, weight, bias, scale, zero_point, device, dtype):
        self.weight = weight
        self.bias = bias
        own_range(self, scale, zero_point, device, dtype)

    def _get_name(self):
        return 'Quantized' + type(self).__name__


class LayerNorm(_Given, torch.nn.LayerNorm):
    def __init__(self, normalized_shape, weight, bias, scale, zero_point, eps=1e-05, elementwise_affine=True, device=None,
                 dtype=None):
        super().__init__(normalized_shape, eps=eps, elementwise_affine=elementwise_affine, device=device, dtype=dtype)
        self._take(weight, bias, scale, zero_point, device, dtype)

    def forward(self, input):
        return torch.ops.quantized.layer_norm(input, self.normalized_shape, weight=self.weight, bias=self.bias, eps=self.eps,
                                              output_scale=self.scale, output_zero_point=self.zero_point)


class GroupNorm(_Given, torch.nn.GroupNorm):
    __constants__ = ['num_groups', 'num_channels', 'eps', 'affine']

    def __init__(self, num_groups, num_channels, weight, bias, scale, zero_point, eps=1e-05, affine=True, device=None,
                 dtype=None):
        super().__init__(num_groups, num_channels, eps, affine, device=device, dtype=dtype)
        self._take(weight, bias, scale, zero_point, device, dtype)

    def forward(self, input):
        return torch.ops.quantized.group_norm(input, self.num_groups, self.weight, self.bias, self.eps, self.scale,
                                              self.zero_point)


class _InstanceNorm(_Given):
    def __init__(self, num_features, weight, bias, scale, zero_point, eps=1e-05, momentum=0.1, affine=False,
                 track_running_stats=False, device=None, dtype=None):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device=device, dtype=dtype)
        self._take(weight, bias, scale, zero_point, device, dtype)

    def forward(self, input):
        return torch.ops.quantized.instance_norm(input, self.weight, self.bias, self.eps, self.scale, self.zero_point)


class InstanceNorm1d(_InstanceNorm, torch.nn.InstanceNorm1d):
    pass


class InstanceNorm2d(_InstanceNorm, torch.nn.InstanceNorm2d):
    pass


class InstanceNorm3d(_InstanceNorm, torch.nn.InstanceNorm3d):
    pass
