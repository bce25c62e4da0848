# SPDX-License-Identifier: GPL-3.0-or-later
# numpy's elementwise functions.
import math

import torch

from . import _arithmetic
from ._arithmetic import by_bits, by_order, chosen, ordered, require, signed, unsupported
from ._array import BINARY, array_of, binary, broadcast, common, ndarray, tensor_of, wrap, written
from ._dtypes import dtype as _dtype, dtype_of_tensor, floating


def _given_back(x, found, out):
    """Elementwise functions of a tensor give a tensor."""
    if out is not None:
        return written(found, out)
    return found if isinstance(x, torch.Tensor) else wrap(found)


def _one(compute):
    def function(x, /, out=None, *, dtype=None):
        return _given_back(x, compute(tensor_of(x, dtype)), out)

    return function


def _two(compute):
    def function(x1, x2, /, out=None, *, dtype=None):
        given = [tensor_of(each, dtype) for each in (x1, x2)] if dtype is not None else common(x1, x2)
        return _given_back(None, compute(*broadcast(given)), out)

    return function


def as_float(tensor):
    if tensor.dtype == torch.uint64:
        return _arithmetic.as_double(tensor)
    return tensor.to(floating(dtype_of_tensor(tensor))._torch)


def _libm(name, shown, hasComplex=True):
    def compute(tensor):
        if tensor.is_complex():
            if not hasComplex:
                raise unsupported(shown)
            return _arithmetic.of_complex(name, tensor)
        return _arithmetic.math(name, as_float(tensor))

    return _one(compute)


sqrt, exp, exp2, expm1 = (_libm(name, name) for name in ('sqrt', 'exp', 'exp2', 'expm1'))
log, log2, log10, log1p = (_libm(name, name) for name in ('log', 'log2', 'log10', 'log1p'))
sin, cos, tan, sinh, cosh, tanh = (_libm(name, name) for name in ('sin', 'cos', 'tan', 'sinh', 'cosh', 'tanh'))
arcsin, arccos, arctan, arcsinh, arccosh, arctanh = (
    _libm(name, 'arc' + name[1:]) for name in ('asin', 'acos', 'atan', 'asinh', 'acosh', 'atanh'))
cbrt = _libm('cbrt', 'cbrt', False)
asin, acos, atan, asinh, acosh, atanh = arcsin, arccos, arctan, arcsinh, arccosh, arctanh


def _real(name, compute):
    """Computed in floating point, of which complex numbers are none."""
    def checked(*tensors):
        require(name, 'bif', *tensors)
        return compute(*(as_float(tensor) for tensor in tensors))

    return checked


def _times(number):
    def compute(tensor):
        factor = torch.tensor(number, dtype=torch.float32 if tensor.dtype == torch.float16 else tensor.dtype)
        return (tensor.to(factor.dtype) * factor).to(tensor.dtype)

    return compute


def _degrees_of(tensor):
    if tensor.dtype == torch.float64:
        return tensor * (180.0 / math.pi)
    factor = torch.tensor(180.0, dtype=torch.float32) / torch.tensor(math.pi, dtype=torch.float32)
    return (tensor.float() * factor).to(tensor.dtype)


deg2rad = radians = _one(_real('deg2rad', _times(math.pi / 180.0)))
rad2deg = degrees = _one(_real('rad2deg', _degrees_of))


def _whole(name, compute):
    def whole(tensor):
        require(name, 'bif', tensor)
        return compute(tensor) if tensor.is_floating_point() else tensor.clone()

    return _one(whole)


def rounded(tensor):
    if tensor.is_complex():
        return torch.complex(tensor.real.round(), tensor.imag.round())
    return as_float(tensor).round()


floor, ceil, trunc, rint = _whole('floor', torch.floor), _whole('ceil', torch.ceil), _whole('trunc', torch.trunc), _one(rounded)
fix = trunc
abs = absolute = _one(_arithmetic.absolute)
fabs = _one(_real('fabs', torch.abs))
sign, negative = _one(_arithmetic.sign), _one(_arithmetic.negative)
positive = _one(lambda t: _positive(t))
square = _one(lambda t: BINARY['mul'](*[t.to(torch.int8) if t.dtype == torch.bool else t] * 2))
reciprocal = _one(lambda t: _reciprocal(t.to(torch.int8) if t.dtype == torch.bool else t))
invert = bitwise_not = bitwise_invert = _one(_arithmetic.invert)
isnan, isinf, isfinite = (_one(lambda t, compute=compute: compute(signed(t))) for compute in (torch.isnan, torch.isinf, torch.isfinite))
logical_not = _one(lambda t: signed(t) == 0)
signbit = _one(_real('signbit', torch.signbit))
isneginf, isposinf = _one(_real('isneginf', torch.isneginf)), _one(_real('isposinf', torch.isposinf))


def _positive(tensor):
    if tensor.dtype == torch.bool:
        raise unsupported('positive')
    return tensor.clone()


def _reciprocal(tensor):
    if tensor.is_floating_point() or tensor.is_complex():
        return BINARY['truediv'](torch.ones_like(tensor), tensor)
    number = signed(tensor)
    found = (number.long() == 1).to(number.dtype)
    if tensor.dtype != torch.uint64:
        found -= (number.long() == -1).to(number.dtype)
    if tensor.dtype in (torch.int32, torch.int64):  # an infinity, as an integer
        found = torch.where(number == 0, torch.iinfo(tensor.dtype).min, found)
    return _arithmetic.back(found, tensor.dtype)


add, subtract, multiply, divide = (_two(BINARY[name]) for name in ('add', 'sub', 'mul', 'truediv'))
floor_divide, power = _two(BINARY['floordiv']), _two(BINARY['pow'])
true_divide, mod, remainder, pow = divide, _two(BINARY['mod']), _two(BINARY['mod']), power
equal, not_equal, less, less_equal, greater, greater_equal = (_two(BINARY[name]) for name in ('eq', 'ne', 'lt', 'le', 'gt', 'ge'))
bitwise_and, bitwise_or, bitwise_xor = (_two(BINARY[name]) for name in ('and', 'or', 'xor'))
left_shift, right_shift = bitwise_left_shift, bitwise_right_shift = _two(BINARY['lshift']), _two(BINARY['rshift'])
maximum, minimum = _two(chosen(torch.maximum)), _two(chosen(torch.minimum))
logical_and, logical_or, logical_xor = (_two(lambda a, b, compute=compute: compute(signed(a) != 0, signed(b) != 0))
                                        for compute in (torch.logical_and, torch.logical_or, torch.logical_xor))


def _libm_of_two(name, shown):
    return _two(_real(shown, lambda a, b: _arithmetic.math(name, a, b)))


arctan2 = atan2 = _libm_of_two('atan2', 'arctan2')
hypot, copysign = (_libm_of_two(name, name) for name in ('hypot', 'copysign'))


def _next_after(a, b):
    if a.dtype != torch.float16:
        return _arithmetic.math('nextafter', a, b)
    bits = a.view(torch.int16).int()
    place = torch.where(bits < 0, -(bits & 0x7FFF), bits) + (b.float() - a.float()).sign().int()  # of the number among all
    found = torch.where((place < 0) | (place == 0) & (bits < 0), place.abs() - 0x8000, place).to(torch.int16).view(torch.float16)
    return torch.where(a == b, a, torch.where(a.isnan() | b.isnan(), torch.nan, found))


nextafter = _two(_real('nextafter', _next_after))


def _real_or(name, compute):
    """libm's function of floating-point numbers; what `compute` gives of integers."""
    return lambda a, b: _arithmetic.math(name, a, b) if a.is_floating_point() else compute(a, b)


fmax, fmin = _two(_real_or('fmax', chosen(torch.maximum))), _two(_real_or('fmin', chosen(torch.minimum)))
fmod = _two(_real_or('fmod', lambda a, b: _cut_remainder(a, b)))
float_power = _two(lambda a, b: BINARY['pow'](*(each if each.is_complex() else _arithmetic.as_double(each) for each in (a, b))))


def _cut_remainder(a, b):
    """Remainder with the sign of the dividend."""
    if a.dtype == torch.bool:
        a, b = a.to(torch.int8), b.to(torch.int8)
    if a.dtype == torch.uint64:
        return BINARY['mod'](a, b)
    by = torch.where(b == 0, torch.ones_like(b), b)
    return torch.where(b == 0, torch.zeros_like(a), torch.fmod(signed(a), signed(by)).to(a.dtype))


def _logaddexp(log, exp, of_two):
    def compute(a, b):
        if a.dtype == torch.float16:
            return compute(a.float(), b.float()).half()
        apart = a - b
        larger = torch.where(apart > 0, a, b)
        found = larger + _arithmetic.math('log1p', _arithmetic.math(exp, -apart.abs())) * (log or 1.0)
        return torch.where(a == b, a + torch.tensor(of_two, dtype=a.dtype), torch.where(apart.isnan(), apart, found))

    return compute


logaddexp = _two(_real('logaddexp', _logaddexp(None, 'exp', 0.693147180559945309417232121458176568)))
logaddexp2 = _two(_real('logaddexp2', _logaddexp(1.442695040888963407359924681001892137, 'exp2', 1.0)))


def heaviside(x1, x2, /):
    a, b = broadcast([as_float(each) for each in common(x1, x2)])
    return wrap(torch.where(a.isnan(), a, torch.where(a == 0, b, (a > 0).to(a.dtype))))


def _of_integers(name, compute):
    def checked(a, b):
        require(name, 'i', a, b)
        if a.dtype == torch.uint64 and bool(((signed(a) | signed(b)) < 0).any()):
            raise NotImplementedError(f'not supported: {name} of numpy.uint64 beyond 2 ** 63')
        return _arithmetic.back(compute(signed(a).long().abs(), signed(b).long().abs()), a.dtype)

    return _two(checked)


gcd = _of_integers('gcd', torch.gcd)
lcm = _of_integers('lcm', lambda a, b: a // torch.gcd(a, b).clamp(min=1) * b)


def divmod(x1, x2, /):
    return floor_divide(x1, x2), remainder(x1, x2)


def modf(x, /):
    tensor = as_float(tensor_of(x))
    whole = tensor.trunc()
    rest = torch.where(tensor.isinf(), torch.zeros_like(tensor), tensor - whole)
    return wrap(_arithmetic.math('copysign', rest, tensor)), wrap(whole)


def ldexp(x1, x2, /):
    a, b = torch.broadcast_tensors(as_float(tensor_of(x1)), tensor_of(x2))
    return wrap(torch.ldexp(a, b))


def frexp(x, /):
    mantissa, exponent = torch.frexp(as_float(tensor_of(x)))
    return wrap(mantissa), wrap(exponent)


def matmul(x1, x2, /, out=None):
    found = binary('matmul', x1, x2)
    return found if out is None else written(tensor_of(found), out)


def sinc(x):
    tensor = tensor_of(x)
    tensor = tensor if tensor.is_floating_point() else _arithmetic.as_double(tensor)
    at = tensor * torch.tensor(math.pi, dtype=tensor.dtype)
    return wrap(torch.where(at == 0, torch.ones_like(at), _arithmetic.math('sin', at) / at))


def i0(x):
    tensor = tensor_of(x)
    own = tensor.dtype if tensor.is_floating_point() else torch.float64
    tensor = _arithmetic.as_double(tensor)
    return wrap((_arithmetic.math('exp', tensor.abs()) * torch.special.i0e(tensor)).to(own))


def angle(z, deg=False):
    tensor = tensor_of(z)
    tensor = tensor if tensor.is_complex() else torch.complex(as_float(tensor), torch.zeros_like(as_float(tensor)))
    found = _arithmetic.math('atan2', tensor.imag, tensor.real)
    return wrap(found * (180 / math.pi) if deg else found)


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    tensor = tensor_of(x)
    if tensor.is_complex():
        found = torch.complex(*(torch.nan_to_num(part, nan, posinf, neginf) for part in (tensor.real, tensor.imag)))
    else:
        found = torch.nan_to_num(tensor, nan, posinf, neginf) if tensor.is_floating_point() else tensor.clone()
    if not copy and isinstance(x, ndarray):
        return _given_back(x, found, x)
    return wrap(found)


def isreal(x):
    tensor = tensor_of(x)
    return wrap(tensor.imag == 0 if tensor.is_complex() else torch.ones(tensor.shape, dtype=torch.bool))


def iscomplex(x):
    return logical_not(isreal(x))


def real(val):
    tensor = tensor_of(val)
    return wrap(tensor.real)


def imag(val):
    tensor = tensor_of(val)
    return wrap(tensor.imag if tensor.is_complex() else torch.zeros_like(tensor))


def where(condition, *values):
    if not values:
        return tuple(array_of(part) for part in torch.nonzero(tensor_of(condition), as_tuple=True))
    chosen, a, b = broadcast([signed(tensor_of(condition)) != 0, *common(*values)])
    return wrap(torch.where(chosen, a, b)) if chosen.dim() else array_of(torch.where(chosen, a, b))


def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    a, b = broadcast([each if each.is_floating_point() or each.is_complex() else _arithmetic.as_double(each) for each in common(a, b)])
    return wrap(torch.isclose(a, b, rtol, atol, equal_nan))


def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    return bool(isclose(a, b, rtol, atol, equal_nan).all())


def array_equal(a1, a2, equal_nan=False):
    a, b = common(a1, a2)
    if a.shape != b.shape:
        return False
    isSame = signed(a) == signed(b)
    if equal_nan and (a.is_floating_point() or a.is_complex()):
        isSame |= a.isnan() & b.isnan()
    return bool(isSame.all())


__all__ = [_name for _name, _value in list(globals().items())
           if getattr(_value, '__module__', '') == __name__ and not _name.startswith('_') and _name not in ('as_float', 'rounded')]
