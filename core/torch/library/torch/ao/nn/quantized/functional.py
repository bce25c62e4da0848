# SPDX-License-Identifier: GPL-3.0-or-later
# Functions of quantized tensors that generated code and modules call.
import torch


def _require_quantized(name, input):
    if not input.is_quantized:
        raise ValueError(f"Input to 'quantized.{name}' must be quantized!")


def elu(input, scale, zero_point, alpha=1.0):
    _require_quantized('elu', input)
    return torch.ops.quantized.elu(input, scale, zero_point, alpha)


def hardswish(input, scale, zero_point):
    _require_quantized('hardswish', input)
    return torch.ops.quantized.hardswish(input, scale, zero_point)


def celu(input, scale, zero_point, alpha=1.0):
    _require_quantized('celu', input)
    return torch.ops.quantized.celu(input, scale, zero_point, alpha)


def leaky_relu(input, negative_slope=0.01, inplace=False, scale=None, zero_point=None):
    if scale is not None and zero_point is not None:
        return torch.ops.quantized.leaky_relu(input, negative_slope, inplace, scale, zero_point)
    return torch._C._nn.leaky_relu_(input, negative_slope) if inplace else torch._C._nn.leaky_relu(input, negative_slope)


def threshold(input, threshold, value):
    _require_quantized('threshold', input)
    if threshold is None:
        raise ValueError("Input to 'threshold' must be specified!")
    if value is None:
        raise ValueError("Input to 'value' must be specified!")
    return torch.ops.quantized.threshold(input, threshold, value)


def clamp(input, min_, max_):
    _require_quantized('clamp', input)
    return torch.clamp(input, min_, max_)


def hardsigmoid(input, inplace=False):
    _require_quantized('hardsigmoid', input)
    return torch._C._nn.hardsigmoid_(input) if inplace else torch._C._nn.hardsigmoid(input)


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    _require_quantized('hardtanh', input)
    return torch._C._nn.hardtanh_(input, min_val, max_val) if inplace else torch._C._nn.hardtanh(input, min_val, max_val)
