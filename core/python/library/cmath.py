# SPDX-License-Identifier: GPL-3.0-or-later
# Python's cmath, over math. The formulas are those of W. Kahan, "Branch cuts for complex elementary functions" (1987).

import math
from math import (atan2 as _atan2, copysign as _copysign, cos as _cos, inf, isfinite as _isfinite, isinf as _isinf,
                  isnan as _isnan, ldexp as _ldexp, log1p as _log1p, nan, sin as _sin)

pi, e, tau = math.pi, math.e, math.tau
infj, nanj = complex(0.0, inf), complex(0.0, nan)
_largest, _smallest = 1.7976931348623157e308, 2.2250738585072014e-308
_large = _largest / 4
_sqrt_large, _log_large, _sqrt_small = math.sqrt(_large), math.log(_large), math.sqrt(_smallest)
_ln2, _ln10 = math.log(2.0), math.log(10.0)


def _number(z):
    if isinstance(z, (complex, float, int)):
        return complex(z)
    method = getattr(type(z), "__complex__", None)
    if method is None:
        return complex(_real(z))
    found = method(z)
    if not isinstance(found, complex):
        raise TypeError(f"__complex__ returned non-complex (type {type(found).__name__})")
    return found


def _hypot(x, y):
    """libm's, from which math.hypot differs in the last bit."""
    return abs(complex(x, y))


def _real(x):
    return math.copysign(x, x)  # which refuses what is no real number


def _in_range(z, *given):
    if (_isinf(z.real) or _isinf(z.imag)) and all(map(_isfinite, given)):
        raise OverflowError("math range error")
    return z


def _sqrt(x, y):
    if x == 0.0 and y == 0.0:
        return 0.0, y
    if _isinf(y):
        return inf, y
    if _isinf(x):
        beside = nan if _isnan(y) else _copysign(0.0, y)
        return (inf, beside) if x > 0 else (abs(beside), _copysign(inf, y))
    ax, ay = abs(x), abs(y)
    if ax < _smallest and ay < _smallest:
        ax = _ldexp(ax, 53)
        s = _ldexp(math.sqrt(ax + _hypot(ax, _ldexp(ay, 53))), -27)
    else:
        ax /= 8.0
        s = 2.0 * math.sqrt(ax + _hypot(ax, ay / 8.0))
    d = ay / (2.0 * s)
    return (s, _copysign(d, y)) if x >= 0.0 else (d, _copysign(s, y))


def sqrt(z, /):
    z = _number(z)
    return complex(*_sqrt(z.real, z.imag))


def _log_of_half(x, y):
    """log of twice the magnitude, for magnitudes whose double is no float."""
    return math.log(_hypot(x / 2.0, y / 2.0)) + _ln2 * 2.0


def _is_large(x, y):
    return abs(x) > _large or abs(y) > _large


def acos(z, /):
    z = _number(z)
    x, y = z.real, z.imag
    if _isnan(y) and (x == 0.0 or _isinf(x)):
        return complex(nan, inf) if x else complex(math.pi / 2.0, nan)
    if _is_large(x, y):
        size = _log_of_half(x, y)
        return complex(_atan2(abs(y), x), -_copysign(size, y) if x < 0.0 else _copysign(size, -y))
    a, b = _sqrt(1.0 - x, -y)
    c, d = _sqrt(1.0 + x, y)
    return complex(2.0 * _atan2(a, c), math.asinh(c * b - d * a))


def acosh(z, /):
    z = _number(z)
    x, y = z.real, z.imag
    if _is_large(x, y):
        return complex(_log_of_half(x, y), _atan2(y, x))
    a, b = _sqrt(x - 1.0, y)
    c, d = _sqrt(x + 1.0, y)
    return complex(math.asinh(a * c + b * d), 2.0 * _atan2(b, c))


def _asinh(x, y):
    if _isnan(x) and (y == 0.0 or _isinf(y)):
        return (inf, nan) if y else (nan, y)
    if _is_large(x, y):
        size = _log_of_half(x, y)
        return (_copysign(size, x) if y >= 0.0 else -_copysign(size, -x)), _atan2(y, abs(x))
    a, b = _sqrt(1.0 + y, -x)
    c, d = _sqrt(1.0 - y, x)
    return math.asinh(a * d - c * b), _atan2(y, a * c - b * d)


def asinh(z, /):
    z = _number(z)
    return complex(*_asinh(z.real, z.imag))


def asin(z, /):
    z = _number(z)
    a, b = _asinh(-z.imag, z.real)
    return complex(b, -a)


def _atanh(x, y):
    if _isnan(y) or _isnan(x) and not _isinf(y):
        return _copysign(0.0, x) if x == 0.0 or _isinf(x) else nan, nan
    if x < 0.0 or x == 0.0 and _copysign(1.0, x) < 0.0:
        a, b = _atanh(-x, -y)
        return -a, -b
    ay = abs(y)
    if x > _sqrt_large or ay > _sqrt_large:
        h = _hypot(x / 2.0, y / 2.0)
        return 0.0 if _isinf(h) else x / 4.0 / h / h, -_copysign(math.pi / 2.0, -y)
    if x == 1.0 and ay < _sqrt_small:
        if ay == 0.0:
            raise ValueError("math domain error")
        return -math.log(math.sqrt(ay) / math.sqrt(_hypot(ay, 2.0))), _copysign(_atan2(2.0, -ay) / 2, y)
    return (_log1p(4.0 * x / ((1 - x) * (1 - x) + ay * ay)) / 4.0,
            -_atan2(-2.0 * y, (1 - x) * (1 + x) - ay * ay) / 2.0)


def atanh(z, /):
    z = _number(z)
    return complex(*_atanh(z.real, z.imag))


def atan(z, /):
    z = _number(z)
    a, b = _atanh(-z.imag, z.real)
    return complex(b, -a)


def _turned(y, z):
    """_cos(y) and _sin(y), where z is the other part; an angle that is infinite is refused."""
    if _isinf(y):
        if not _isnan(z):
            raise ValueError("math domain error")
        return nan, nan
    return _cos(y), _sin(y)


def _product(size, part):
    """size * part, where an infinite size leaves zeros as they are."""
    return _copysign(part, size * _copysign(1.0, part)) if part == 0.0 and _isinf(size) else size * part


def _hyperbolic(x, y):
    """cosh(x) and sinh(x), perhaps over e, which is the third."""
    if _isfinite(x) and abs(x) > _log_large:
        less = x - _copysign(1.0, x)
        return math.cosh(less), math.sinh(less), math.e
    return math.cosh(x), math.sinh(x), 1.0


def cosh(z, /):
    z = _number(z)
    if _isnan(z.imag):
        return complex(inf if _isinf(z.real) else nan, nan if z.real else 0.0)
    if _isnan(z.real) and not z.imag:
        return complex(nan, 0.0)
    c, s = _turned(z.imag, z.real)
    size, other, scale = _hyperbolic(z.real, z.imag)
    return _in_range(complex(_product(size, c) * scale, _product(other, s) * scale), z.real, z.imag)


def sinh(z, /):
    z = _number(z)
    if _isnan(z.imag):
        return complex(0.0 if not z.real else inf if _isinf(z.real) else nan, nan)
    if _isnan(z.real) and not z.imag:
        return z
    c, s = _turned(z.imag, z.real)
    size, other, scale = _hyperbolic(z.real, z.imag)
    return _in_range(complex(_product(other, c) * scale, _product(size, s) * scale), z.real, z.imag)


def tanh(z, /):
    z = _number(z)
    x, y = z.real, z.imag
    if _isinf(x) and not _isfinite(y):
        return complex(_copysign(1.0, x), 0.0)
    if _isnan(x) or _isnan(y):
        return complex(nan, nan if y else y)
    c, s = _turned(y, x)
    if abs(x) > _log_large:
        return complex(_copysign(1.0, x), 4.0 * s * c * math.exp(-2.0 * abs(x)))
    tx, ty = math.tanh(x), math.tan(y)
    cx = 1.0 / math.cosh(x)
    both = tx * ty
    whole = 1.0 + both * both
    return complex(tx * (1.0 + ty * ty) / whole, ((ty / whole) * cx) * cx)


def exp(z, /):
    z = _number(z)
    x, y = z.real, z.imag
    if x == -inf and not _isfinite(y):
        return complex(0.0, 0.0)
    if _isnan(y):
        return complex(inf if x == inf else nan, nan)
    if _isnan(x) and not y:
        return z
    c, s = _turned(y, x)
    if _isfinite(x) and x > _log_large:
        size = math.exp(x - 1.0)
        return _in_range(complex(size * c * math.e, size * s * math.e), x, y)
    size = math.exp(x)
    return _in_range(complex(_product(size, c), _product(size, s)), x, y)


def _log(z):
    x, y = z.real, z.imag
    ax, ay = abs(x), abs(y)
    if _isfinite(x) and _isfinite(y) and (ax > _large or ay > _large):
        size = math.log(_hypot(ax / 2.0, ay / 2.0)) + _ln2
    elif ax < _smallest and ay < _smallest:
        if ax == 0.0 and ay == 0.0:
            raise ValueError("math domain error")
        size = math.log(_hypot(_ldexp(ax, 53), _ldexp(ay, 53))) - 53 * _ln2
    else:
        h = _hypot(ax, ay)
        if 0.71 <= h <= 1.73:
            most, least = max(ax, ay), min(ax, ay)
            size = _log1p((most - 1) * (most + 1) + least * least) / 2.0
        else:
            size = math.log(h)
    return complex(size, _atan2(y, x))


def log(z, base=None, /):
    found = _log(_number(z))
    return found if base is None else found / _log(_number(base))


def log10(z, /):
    found = _log(_number(z))
    return complex(found.real / _ln10, found.imag / _ln10)


def phase(z, /):
    z = _number(z)
    angle = _atan2(z.imag, z.real)
    if angle == 0.0 and z.imag and _isfinite(z.real):
        raise OverflowError("math range error")
    return angle


def polar(z, /):
    z = _number(z)
    try:
        return _hypot(z.real, z.imag), _atan2(z.imag, z.real)
    except OverflowError:
        raise OverflowError("math range error") from None


def rect(r, phi, /):
    r, phi = _real(r), _real(phi)
    if phi == 0.0:
        return complex(r, 0.0 if _isnan(r) else _copysign(1.0, r) * phi if _isinf(r) else r * phi)
    if _isinf(phi) and r != 0.0 and not _isnan(r):
        raise ValueError("math domain error")
    if not _isfinite(phi):
        return complex(0.0, 0.0) if r == 0.0 else complex(inf if _isinf(r) else nan, nan)
    return complex(r * _cos(phi), r * _sin(phi))


def isfinite(z, /):
    z = _number(z)
    return _isfinite(z.real) and _isfinite(z.imag)


def isnan(z, /):
    z = _number(z)
    return _isnan(z.real) or _isnan(z.imag)


def isinf(z, /):
    z = _number(z)
    return _isinf(z.real) or _isinf(z.imag)


def isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
    a, b = _number(a), _number(b)
    if rel_tol < 0.0 or abs_tol < 0.0:
        raise ValueError("tolerances must be non-negative")
    if a == b:
        return True
    if isinf(a) or isinf(b):
        return False
    apart = abs(a - b)
    return apart <= rel_tol * abs(b) or apart <= rel_tol * abs(a) or apart <= abs_tol


def sin(z, /):
    z = _number(z)
    found = sinh(complex(-z.imag, z.real))
    return complex(found.imag, -found.real)


def cos(z, /):
    z = _number(z)
    return cosh(complex(-z.imag, z.real))


def tan(z, /):
    z = _number(z)
    found = tanh(complex(-z.imag, z.real))
    return complex(found.imag, -found.real)
