# SPDX-License-Identifier: GPL-3.0-or-later
# Batch normalization of quantized tensors, always by the running statistics.
import torch
from .activation import own_range

__all__ = ['BatchNorm2d', 'BatchNorm3d']


class _BatchNorm(torch.nn.modules.batchnorm._BatchNorm):
    _dims = 2
    _operator = ''

    def __init__(self, num_features, eps=1e-05, momentum=0.1, device=None, dtype=None):
        super().__init__(num_features, eps, momentum, True, True, device=device, dtype=dtype)
        own_range(self, 1.0, 0, device, dtype)

    def _get_name(self):
        return 'Quantized' + type(self).__name__

    def _check_input_dim(self, input):
        if len(input.shape) != self._dims + 2:
            raise ValueError('Input shape must be `(N, C, H, W)`!')

    def forward(self, input):
        operator = getattr(torch.ops.quantized, f'batch_norm{self._dims}d{self._operator}')
        return operator(input, self.weight, self.bias, self.running_mean, self.running_var, self.eps, self.scale,
                        self.zero_point)


class BatchNorm2d(_BatchNorm):
    _dims = 2


class BatchNorm3d(_BatchNorm):
    _dims = 3
