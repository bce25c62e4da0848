# SPDX-License-Identifier: GPL-3.0-or-later
# numpy's arithmetic on tensors of one dtype and shape, to the last bit: libm instead of LibTorch's vectorized functions,
# integer division by zero that gives 0, and unsigned integers, for which LibTorch has few kernels.
import torch

_UNSIGNED = (torch.uint16, torch.uint32, torch.uint64)
_LEAST = -2 ** 63
_LOG2E, _LOG10E = 1.442695040888963407359924681001892137, 0.434294481903251827651128918916605082


def unsupported(name):
    return TypeError(f"ufunc '{name}' not supported for the input types, and the inputs could not be safely coerced to any supported "
                     "types according to the casting rule ''safe''")


def kind_of(tensor):
    return 'b' if tensor.dtype == torch.bool else 'c' if tensor.is_complex() else 'f' if tensor.is_floating_point() else 'i'


def require(name, kinds, *tensors):
    if any(kind_of(tensor) not in kinds for tensor in tensors):
        raise unsupported(name)


def signed(tensor):
    """Integers of 64 bits with the same low bits, for dtypes that LibTorch does not compute in."""
    if tensor.dtype == torch.uint64:
        return tensor.view(torch.int64)
    return tensor.long() if tensor.dtype in _UNSIGNED else tensor


def ordered(tensor):
    """Integers that compare as those of uint64 do."""
    return tensor.view(torch.int64) ^ _LEAST if tensor.dtype == torch.uint64 else signed(tensor)


def out_of_order(tensor, dtype):
    """Undoes ordered(), for a result that is one of the numbers."""
    if tensor.dtype == torch.bool:
        return tensor
    return (tensor ^ _LEAST).view(dtype) if dtype == torch.uint64 else tensor.to(dtype)


def back(tensor, dtype):
    return tensor.view(dtype) if dtype == torch.uint64 and tensor.dtype == torch.int64 else tensor.to(dtype)


def math(name, *tensors):
    """A function of libm: float16 is computed in float32."""
    if tensors[0].dtype == torch.float16:
        return _array_math(name, *(tensor.float() for tensor in tensors)).half()
    return _array_math(name, *tensors)


def by_bits(compute):
    """An operation whose low bits do not depend on signedness."""
    return lambda *tensors: back(compute(*(signed(tensor) for tensor in tensors)), tensors[0].dtype)


def by_order(compute):
    def function(a, b):
        if a.is_complex():
            raise NotImplementedError('not supported: complex numbers of numpy in an order')
        return compute(ordered(a), ordered(b))

    return function


def chosen(compute):
    """One of two numbers."""
    def function(a, b):
        if a.dtype == torch.uint64:
            return (compute(ordered(a), ordered(b)) ^ _LEAST).view(torch.uint64)
        return compute(signed(a), signed(b)).to(a.dtype)

    return function


def multiply(a, b):
    if not a.is_complex():
        return by_bits(torch.mul)(a, b)
    return torch.complex(a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real)


def subtract(a, b):
    if a.dtype == torch.bool:
        raise TypeError('numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or the '
                        'logical_xor function instead.')
    return by_bits(torch.sub)(a, b)


def divide(a, b):
    if a.is_complex():
        return _divide_complex(a, b)
    return torch.true_divide(*(each if each.is_floating_point() else as_double(each) for each in (a, b)))


def _divide_complex(a, b):
    """Smith's algorithm, 1962."""
    is_real = b.real.abs() >= b.imag.abs()
    large, small = torch.where(is_real, b.real, b.imag), torch.where(is_real, b.imag, b.real)
    is_zero = (b.real == 0) & (b.imag == 0)
    ratio = small / large
    scale = 1 / (large + small * ratio)
    real = torch.where(is_real, a.real + a.imag * ratio, a.real * ratio + a.imag) * scale
    imag = torch.where(is_real, a.imag - a.real * ratio, a.imag * ratio - a.real) * scale
    return torch.complex(torch.where(is_zero, a.real / b.real.abs(), real), torch.where(is_zero, a.imag / b.real.abs(), imag))


def as_double(tensor):
    if tensor.dtype != torch.uint64:
        return tensor.double()
    bits = tensor.view(torch.int64)
    # Halves the number and keeps the lost bit as a sticky bit, so that rounding is right.
    return torch.where(bits < 0, ((bits >> 1 & (2 ** 63 - 1)) | (bits & 1)).double() * 2, bits.double())


def floor_divide(a, b):
    require('floor_divide', 'bif', a)
    return _divided(a, b)[0]


def remainder(a, b):
    require('remainder', 'bif', a)
    return _divided(a, b)[1]


def _divided(a, b):
    if a.dtype == torch.bool:
        a, b = a.to(torch.int8), b.to(torch.int8)
    if a.dtype == torch.float16:
        return tuple(each.half() for each in _divided(a.float(), b.float()))
    if a.is_floating_point():
        return _divided_floats(a, b)
    dtype = a.dtype
    if dtype == torch.uint64:
        return _divided_words(a, b)
    a, b = signed(a), signed(b)
    by = torch.where(b == 0, torch.ones_like(b), b)
    is_overflow = (b == -1) & (a == torch.iinfo(a.dtype).min) if dtype not in (torch.uint8, *_UNSIGNED) else torch.zeros_like(b).bool()
    by = torch.where(is_overflow, torch.ones_like(b), by)
    quotient, rest = torch.floor_divide(a, by), torch.remainder(a, by)
    zero = torch.zeros_like(a)
    return back(torch.where(b == 0, zero, quotient), dtype), back(torch.where((b == 0) | is_overflow, zero, rest), dtype)


def _divided_words(a, b):
    """Divides half of the dividend, and corrects the double of the quotient by one."""
    dividend, by = signed(a), torch.where(signed(b) == 0, 1, signed(b))
    half = dividend >> 1 & (2 ** 63 - 1)
    quotient = torch.where(by < 0, 0, half // by.clamp(min=1) * 2)
    isMore = ordered((dividend - quotient * by).view(a.dtype)) >= ordered(by.view(a.dtype))
    quotient = quotient + isMore.long()
    isZero = signed(b) == 0
    return torch.where(isZero, 0, quotient).view(a.dtype), torch.where(isZero, 0, dividend - quotient * by).view(a.dtype)


def _divided_floats(a, b):
    """Python's divmod, but for a divisor of zero."""
    rest = math('fmod', a, b)
    quotient = (a - rest) / b
    is_other_side = (rest != 0) & ((b < 0) != (rest < 0))
    quotient = torch.where(is_other_side, quotient - 1, quotient)
    shown = torch.where(rest != 0, torch.where(is_other_side, rest + b, rest), math('copysign', torch.zeros_like(a), b))
    whole = quotient.floor()
    whole = torch.where(quotient - whole > 0.5, whole + 1, whole)
    whole = torch.where(quotient != 0, whole, math('copysign', torch.zeros_like(a), a / b))
    return torch.where(b == 0, a / b, whole), torch.where(b == 0, rest, shown)


def power(a, b):
    if a.is_complex():
        return torch.pow(a, b)
    if a.is_floating_point():
        return math('pow', a, b)
    if a.dtype == torch.bool:
        a, b = a.to(torch.int8), b.to(torch.int8)
    if a.dtype not in (torch.uint8, *_UNSIGNED) and (b < 0).any():
        raise ValueError('Integers to negative integer powers are not allowed.')
    return by_bits(torch.pow)(a, b)


def bitwise(name, compute):
    def function(a, b):
        require(name, 'bi', a, b)
        return by_bits(compute)(a, b)

    return function


def right_shift(a, b):
    found = bitwise('right_shift', torch.bitwise_right_shift)(a, b)
    if a.dtype != torch.uint64:
        return found
    # Clears the copies of the highest bit that are shifted in.
    count = signed(b)
    copies = torch.bitwise_left_shift(torch.full_like(count, -1), 64 - count)
    return torch.where((count < 0) | (count >= 64), 0, signed(found) & ~copies).view(a.dtype)


def absolute(tensor):
    if tensor.is_complex():
        return math('hypot', tensor.real, tensor.imag)
    return tensor if tensor.dtype in (torch.bool, *_UNSIGNED) else tensor.abs()


def sign(tensor):
    if tensor.dtype == torch.bool:
        raise unsupported('sign')
    if tensor.is_complex():
        size = absolute(tensor)
        return torch.where(size == 0, tensor, torch.complex(tensor.real / size, tensor.imag / size))
    if tensor.dtype in _UNSIGNED:
        return (signed(tensor) != 0).to(tensor.dtype)
    return torch.where(tensor.isnan(), tensor, tensor.sign())


def negative(tensor):
    if tensor.dtype == torch.bool:
        raise TypeError('The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or the logical_not '
                        'function instead.')
    return by_bits(torch.neg)(tensor)


def invert(tensor):
    require('invert', 'bi', tensor)
    return by_bits(torch.bitwise_not)(tensor)


def of_complex(name, tensor):
    """Functions that numpy makes of others; LibTorch has the rest."""
    real, imag = tensor.real, tensor.imag
    if name in ('log2', 'log10'):
        found = torch.log(tensor)
        factor = _LOG2E if name == 'log2' else _LOG10E
        return torch.complex(found.real * factor, found.imag * factor)
    if name == 'log1p':
        return torch.complex(math('log', math('hypot', real + 1, imag)), math('atan2', imag, real + 1))
    if name == 'expm1':
        half = math('sin', imag / 2)
        return torch.complex(math('expm1', real) * math('cos', imag) - 2 * half * half, math('exp', real) * math('sin', imag))
    return getattr(torch, name)(tensor)
