# SPDX-License-Identifier: GPL-3.0-or-later
# Activations of quantized tensors. The scale and zero point of what they give are numbers or buffers.
import torch
from .utils import OutputRange

__all__ = ['ReLU6', 'Hardswish', 'ELU', 'LeakyReLU', 'Sigmoid', 'Softmax', 'MultiheadAttention', 'PReLU']


def own_range(module, scale, zero_point, device=None, dtype=None):
    module.register_buffer('scale', torch.tensor(scale, device=device, dtype=dtype))
    module.register_buffer('zero_point', torch.tensor(zero_point, device=device, dtype=dtype))


class ReLU6(torch.nn.ReLU):
    def forward(self, input):
        return torch.ops.quantized.relu6(input, self.inplace)

    def _get_name(self):
        return 'QuantizedReLU6'


class Hardswish(torch.nn.Hardswish):
    def __init__(self, scale, zero_point, device=None, dtype=None):
        super().__init__()
        own_range(self, scale, zero_point, device, dtype)

    def forward(self, input):
        return torch.ops.quantized.hardswish(input, self.scale, self.zero_point)

    def _get_name(self):
        return 'QuantizedHardswish'


class ELU(torch.nn.ELU):
    def __init__(self, scale, zero_point, alpha=1.0):
        super().__init__(alpha)
        self.scale = scale
        self.zero_point = zero_point

    def forward(self, input):
        return torch.ao.nn.quantized.functional.elu(input, self.scale, self.zero_point, self.alpha)

    def _get_name(self):
        return 'QuantizedELU'


class LeakyReLU(torch.nn.LeakyReLU):
    def __init__(self, scale, zero_point, negative_slope=0.01, inplace=False, device=None, dtype=None):
        super().__init__(negative_slope, inplace)
        own_range(self, scale, zero_point, device, dtype)

    def forward(self, input):
        return torch.ops.quantized.leaky_relu(input, self.negative_slope, self.inplace, self.scale, self.zero_point)

    def _get_name(self):
        return 'QuantizedLeakyReLU'


class Sigmoid(torch.nn.Sigmoid):
    def __init__(self, output_scale, output_zero_point):
        super().__init__()
        self.output_scale = output_scale
        self.output_zero_point = output_zero_point

    def forward(self, input):
        return torch.ops.quantized.sigmoid(input, self.output_scale, self.output_zero_point)


class Softmax(torch.nn.Softmax):
    def __init__(self, dim=None, scale=1.0, zero_point=0):
        super().__init__(dim)
        self.scale = scale
        self.zero_point = zero_point

    def forward(self, input):
        dim = self.dim
        if dim is None:
            dim = torch.nn.functional._get_softmax_dim('softmax', input.dim(), 3)
        return torch.ops.quantized.softmax(input, dim, self.scale, self.zero_point)

    def _get_name(self):
        return 'QuantizedSoftmax'


class MultiheadAttention(torch.nn.Module):
    def __init__(self, *args, **kwargs):
        raise NotImplementedError('not supported: torch.ao.nn.quantized.MultiheadAttention')


class PReLU(torch.nn.Module):
    def __init__(self, output_scale, output_zero_point, num_parameters=1):
        super().__init__()
        self.num_parameters = num_parameters
        self.scale = output_scale
        self.zero_point = output_zero_point
        slopes = torch.randn(num_parameters, dtype=torch.float)
        self.set_weight(torch.quantize_per_tensor(slopes, scale=1.0, zero_point=0, dtype=torch.quint8))

    def set_weight(self, w):
        self.weight = w

    def forward(self, input):
        return torch.ops.quantized.prelu(input, self.weight, self.scale, self.zero_point)

    def _get_name(self):
        return 'QuantizedPReLU'
