# SPDX-License-Identifier: GPL-3.0-or-later
# Decompositions of activation functions and of their gradients.
import math

import torch

from ._rules import aten, computed, in_place, rule, wrapped_dim


@rule(aten.silu.default)
@computed
def silu(x):
    return x * torch.sigmoid(x)


@rule(aten.silu_backward.default)
@computed
def silu_backward(grad, x):
    s = torch.sigmoid(x)
    return grad * s * (1 + x * (1 - s))


@rule(aten.hardswish.default)
@computed
def hardswish(x):
    return x * torch.clamp(torch.clamp(x + 3, min=0), max=6) / 6


@rule(aten.hardswish_backward.default)
@computed
def hardswish_backward(grad, x):
    is_low, is_middle = x <= -3, x < 3
    return torch.where(is_low, 0.0, torch.where(is_middle, grad * (x / 3 + 0.5), grad))


@rule(aten.hardsigmoid.default)
@computed
def hardsigmoid(x):
    return torch.clamp(torch.clamp(x + 3, min=0), max=6) / 6


@rule(aten.hardsigmoid_backward.default)
@computed
def hardsigmoid_backward(grad, x):
    return torch.where((x > -3.0) & (x < 3.0), grad * (1 / 6), 0.0)


@rule(aten.hardtanh_backward.default)
@computed
def hardtanh_backward(grad, x, low, high):
    return torch.where((x <= low) | (x >= high), 0.0, grad)


@rule(aten.softplus.default)
@computed
def softplus(x, beta=None, threshold=20):
    if beta is None: # PyTorch multiplies by a 1 that was given
        value = torch.log1p(torch.exp(x))
        return torch.where(x > threshold, x, value)
    scaled = x * beta
    value = torch.log1p(torch.exp(scaled)) / beta
    return torch.where(scaled > threshold, x, value)


@rule(aten.softplus_backward.default)
@computed
def softplus_backward(grad, x, beta, threshold):
    z = torch.exp(x * beta)
    is_linear = (x * beta) > threshold
    return torch.where(is_linear, grad, grad * z / (z + 1.0))


@rule(aten.mish.default)
@computed
def mish(x):
    return x * torch.tanh(aten.softplus.default(x))


@rule(aten.mish_backward.default)
@computed
def mish_backward(grad, x):
    t = torch.tanh(aten.softplus.default(x))
    slope = x * torch.sigmoid(x) * (1 - t * t)
    return grad * (t + slope)


@computed
def _elu(x, alpha=1.0, scale=1.0, input_scale=1.0):
    is_positive = x > 0
    positive = x * scale
    return torch.where(is_positive, positive, torch.expm1(x * input_scale) * (alpha * scale))


@rule(aten.elu_backward.default)
@computed
def elu_backward(grad, alpha, scale, input_scale, is_result, x):
    is_negative = x <= 0
    negative = alpha * scale
    if is_result:
        return torch.where(is_negative, grad * input_scale * (x + negative), grad * scale)
    return torch.where(is_negative, grad * input_scale * negative * torch.exp(x * input_scale), grad * scale)


@rule(aten.celu.default)
@computed
def celu(x, alpha=1.0):
    below = torch.expm1(x) if alpha == 1 else torch.expm1(x / alpha) * alpha
    return torch.where(x > 0, x, below)


@rule(aten.leaky_relu_backward.default)
@computed
def leaky_relu_backward(grad, x, slope, is_result):
    return torch.where(x > 0, grad, grad * slope)


@rule(aten.gelu_backward.default)
@computed
def gelu_backward(grad, x, approximate='none'):
    if approximate == 'tanh':
        return grad * _slope_of_tanh_gelu(x)
    distribution = 0.5 * (1 + torch.erf(x * math.sqrt(0.5)))
    density = torch.exp(x * x * -0.5) * (1 / math.sqrt(2 * math.pi))
    return grad * (distribution + x * density)


def _slope_of_tanh_gelu(x):
    scale, cubic = math.sqrt(2) * (2 / math.sqrt(math.pi)) * 0.5, 0.044715
    square = x * x
    t = torch.tanh(scale * (x + cubic * (square * x)))
    left = 0.5 * x
    right = 1 + t
    by_right = 0.5 * right
    slope = 1 - t * t
    inner = scale * (1 + 3 * cubic * square)
    return by_right + left * slope * inner


@rule(aten.threshold.default)
@computed
def threshold(x, limit, value):
    return torch.where(x <= limit, value, x)


@rule(aten.threshold_backward.default)
def threshold_backward(grad, x, limit):
    return torch.where(x <= limit, 0, grad)


@rule(aten.sigmoid_backward.default)
@computed
def sigmoid_backward(grad, y):
    return grad * (y * (1 - y))


@rule(aten.tanh_backward.default)
@computed
def tanh_backward(grad, y):
    return grad * (1 - y * y)


@rule(aten.log_sigmoid_forward.default)
@computed
def log_sigmoid_forward(x):
    low = torch.minimum(x.new_zeros(()), x)
    z = torch.exp(-torch.abs(x))
    return low - torch.log1p(z), z


@rule(aten.log_sigmoid_backward.default)
@computed
def log_sigmoid_backward(grad, x, buffer):
    is_negative = x < 0
    most = torch.where(is_negative, 1, 0)
    sign = torch.where(is_negative, 1, -1)
    return grad * (most - sign * (buffer / (1 + buffer)))


@rule(aten.softshrink.default)
def softshrink(x, lambd=0.5):
    # A product with 0 keeps what is not a number.
    return torch.where(torch.abs(x) > lambd, x - torch.sign(x) * lambd, x * 0)


@rule(aten.hardshrink.default)
def hardshrink(x, lambd=0.5):
    return torch.where(torch.abs(x) <= lambd, 0, x)


@rule(aten._prelu_kernel.default)
def prelu(x, weight):
    return torch.where(x > 0, x, weight * x)


@rule(aten._prelu_kernel_backward.default)
def prelu_backward(grad, x, weight):
    of_x = torch.where(x > 0, grad, weight * grad)
    of_weight = torch.where(x > 0, 0.0, x * grad)
    return of_x, of_weight


def _halves(x, dim):
    size = x.size(dim)
    return x.narrow(dim, 0, size // 2), x.narrow(dim, size // 2, size // 2)


@rule(aten.glu.default)
@computed
def glu(x, dim=-1):
    first, second = _halves(x, wrapped_dim(dim, x.dim()))
    return first * torch.sigmoid(second)


@rule(aten.glu_backward.default)
@computed
def glu_backward(grad, x, dim):
    dim = wrapped_dim(dim, x.dim())
    first, second = _halves(x, dim)
    gate = torch.sigmoid(second)
    of_second = (1.0 - gate) * gate * first * grad
    return torch.cat([gate * grad, of_second], dim)


@rule(aten._log_softmax_backward_data.default)
def log_softmax_backward(grad, y, dim, dtype):
    @computed
    def slope(grad, y):
        return grad - torch.exp(y) * torch.sum(grad, dim, True)
    return slope(grad, y).to(dtype)


@rule(aten._softmax_backward_data.default)
def softmax_backward(grad, y, dim, dtype):
    @computed
    def slope(grad, y):
        product = grad * y
        return product - y * torch.sum(product, dim, True)
    return slope(grad, y).to(dtype)


@rule(aten._safe_softmax.default)
def safe_softmax(x, dim, dtype=None):
    out = torch.softmax(x, dim, dtype=dtype)
    is_hidden = torch.all(x.eq(-math.inf), dim, True)
    return torch.where(is_hidden, torch.zeros_like(out), out)


@rule(aten._scaled_dot_product_flash_attention_for_cpu.default)
def scaled_dot_product(query, key, value, dropout_p=0.0, is_causal=False, *, attn_mask=None, scale=None):
    out, weights = aten._scaled_dot_product_attention_math.default(
        query, key, value, attn_mask, dropout_p, is_causal, None, scale=scale)
    # The memory is laid out as the kernel's result is.
    return out.permute(2, 0, 1, 3).contiguous().permute(1, 2, 0, 3), weights


in_place(aten.silu_.default, aten.silu.default)
in_place(aten.hardswish_.default, aten.hardswish.default)
in_place(aten.hardsigmoid_.default, aten.hardsigmoid.default)
in_place(aten.hardtanh_.default, aten.hardtanh.default)
in_place(aten.leaky_relu_.default, aten.leaky_relu.default)
in_place(aten.gelu_.default, aten.gelu.default)
in_place(aten.mish_.default, mish)
in_place(aten.elu_.default, _elu)
in_place(aten.celu_.default, celu)
in_place(aten.threshold_.default, threshold)
