# SPDX-License-Identifier: GPL-3.0-or-later
# Decompositions of operators that go element by element.
import math

import torch

from ._rules import aten, compared, computed, computed_as_float, in_place, rule


@rule(aten.addcmul.default)
@computed
def addcmul(x, first, second, *, value=1):
    return x + value * first * second


@rule(aten.addcdiv.default)
@computed
def addcdiv(x, first, second, *, value=1):
    return x + value * first / second


@rule(aten.lerp.Scalar, aten.lerp.Tensor)
@computed
def lerp(start, end, weight):
    # From the nearer end, so that each end is met exactly.
    if not isinstance(weight, torch.Tensor):
        weight = start.new_full((), float(weight))
    is_near_end = weight.abs() >= 0.5
    step = torch.where(is_near_end, weight - 1, weight)
    base = torch.where(is_near_end, end, start)
    out = step * (end - start) + base
    # PyTorch expands the ends once more, for the strides; the graph has that too.
    for x in (start, end):
        if x.shape != out.shape:
            x.expand(out.shape)
    return out


@rule(aten.rsub.Tensor, aten.rsub.Scalar)
def rsub(x, other, alpha=1):
    return torch.sub(other, x, alpha=alpha)


@rule(aten.logaddexp.default)
@computed
def logaddexp(a, b):
    a, b = torch.broadcast_tensors(a, b)
    is_greater = a >= b
    high, low = torch.where(is_greater, a, b), torch.where(is_greater, b, a)
    is_same_infinity = torch.logical_and(torch.logical_not(torch.isfinite(a)), a == b)
    return torch.where(is_same_infinity, a, high + torch.log1p(torch.exp(low - high)))


@rule(aten.logaddexp2.default)
@computed
def logaddexp2(a, b):
    a, b = torch.broadcast_tensors(a, b)
    is_greater = a >= b
    high, low = torch.where(is_greater, a, b), torch.where(is_greater, b, a)
    is_same_infinity = torch.logical_and(torch.isinf(a), a == b)
    return torch.where(is_same_infinity, a, high + torch.log1p(torch.exp2(low - high)) * (1 / math.log(2)))


@rule(aten.nan_to_num.default)
def nan_to_num(x, nan=0.0, posinf=None, neginf=None):
    if not x.dtype.is_floating_point:
        return x.clone()
    limits = torch.finfo(x.dtype)
    out = torch.where(torch.isnan(x), 0.0 if nan is None else nan, x)
    out = torch.where(torch.isneginf(x), limits.min if neginf is None else neginf, out)
    return torch.where(torch.isposinf(x), limits.max if posinf is None else posinf, out)


@rule(aten.masked_fill.Scalar)
def masked_fill(x, mask, value):
    if x.dtype.is_complex:
        as_own = complex
    else:
        as_own = bool if x.dtype == torch.bool else float if x.dtype.is_floating_point else int
    return torch.where(mask, as_own(value), x)


@rule(aten.masked_fill.Tensor)
def masked_fill_tensor(x, mask, value):
    return torch.where(mask, value.to(x.dtype), x)


@rule(aten.clamp_min.default, aten.clamp_min.Tensor)
def clamp_min(x, low):
    return torch.clamp(x, min=low)


@rule(aten.clamp_max.default, aten.clamp_max.Tensor)
def clamp_max(x, high):
    return torch.clamp(x, max=high)


@rule(aten.frac.default)
@computed
def frac(x):
    return x - torch.trunc(x)


@rule(aten.sgn.default)
@computed
def sgn(x):
    if x.dtype.is_complex:
        size = torch.abs(x)
        return torch.where(size == 0, 0, x / size)
    return torch.sign(x)


@rule(aten.sinc.default)
@computed_as_float
def sinc(x):
    x = x * math.pi
    return torch.where(x == 0, 1, torch.sin(x) / x)


@rule(aten.deg2rad.default)
@computed_as_float
def deg2rad(x):
    return x * (math.pi / 180)


@rule(aten.rad2deg.default)
@computed_as_float
def rad2deg(x):
    return x * (180 / math.pi)


@compared
def _equals(x, value):
    return x == value


@rule(aten.isneginf.default)
def isneginf(x):
    return _equals(x, -math.inf) if x.dtype.is_floating_point else torch.zeros_like(x, dtype=torch.bool)


@rule(aten.isposinf.default)
def isposinf(x):
    return _equals(x, math.inf) if x.dtype.is_floating_point else torch.zeros_like(x, dtype=torch.bool)


@rule(aten.special_entr.default)
@computed_as_float
def entr(x):
    is_nan = torch.isnan(x)
    is_positive = x > 0
    value = -x * torch.log(x)
    return torch.where(is_nan, x, torch.where(is_positive, value, torch.where(x == 0, 0, -math.inf)))


@rule(aten.special_log_ndtr.default)
@computed_as_float
def log_ndtr(x):
    scaled = x * math.sqrt(0.5)
    is_low = x < 1.0
    low = torch.log(torch.special.erfcx(-scaled) / 2) - scaled * scaled
    return torch.where(is_low, low, torch.log1p(-torch.erfc(scaled) / 2))


@rule(aten.logit.default)
@computed_as_float
def logit(x, eps=None):
    low, high = (-1.0, 2.0) if eps is None else (eps, 1 - eps)
    is_low = x < low
    is_high = x > high
    x = torch.where(is_low, low, torch.where(is_high, high, x))
    return torch.log(x / torch.sub(1, x))


@rule(aten.logit_backward.default)
@computed
def logit_backward(grad, x, eps=None):
    low, high = (0.0, 1.0) if eps is None else (eps, 1.0 - eps)
    is_inside = torch.logical_and(x >= low, x <= high)
    slope = grad / (x * (1.0 - x))
    return torch.where(is_inside, slope, x.new_full((), math.nan) if eps is None else 0.0)


def _product_with_log(log):
    @computed_as_float
    def function(x, y):
        out = torch.where(x == 0, 0, x * log(y))
        return torch.where(torch.isnan(y), math.nan, out)
    return function


xlogy = rule(aten.xlogy.Tensor)(_product_with_log(torch.log))
rule(aten.special_xlog1py.default)(_product_with_log(torch.log1p))


@rule(aten.heaviside.default)
def heaviside(x, at_zero):
    is_zero = x == 0
    is_low = torch.logical_or(x < 0, torch.isnan(x))
    return torch.where(is_zero, at_zero, torch.where(is_low, 0, 1))


@rule(aten.floor_divide.default, aten.floor_divide.Scalar)
def floor_divide(x, other):
    return torch.div(x, other, rounding_mode='floor')


in_place(aten.addcmul_.default, addcmul)
in_place(aten.addcdiv_.default, addcdiv)
in_place(aten.lerp_.Scalar, lerp)
in_place(aten.lerp_.Tensor, lerp)
in_place(aten.nan_to_num_.default, nan_to_num)
in_place(aten.masked_fill_.Scalar, aten.masked_fill.Scalar)
in_place(aten.masked_fill_.Tensor, aten.masked_fill.Tensor)
in_place(aten.frac_.default, frac)
in_place(aten.sgn_.default, sgn)
in_place(aten.sinc_.default, sinc)
in_place(aten.deg2rad_.default, deg2rad)
in_place(aten.rad2deg_.default, rad2deg)
in_place(aten.logit_.default, aten.logit.default)
in_place(aten.xlogy_.Tensor, xlogy)
in_place(aten.heaviside_.default, heaviside)
