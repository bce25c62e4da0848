# SPDX-License-Identifier: GPL-3.0-or-later
# torch.finfo and torch.iinfo: the limits of numbers of a dtype.
import torch

# Bits in all and of the fraction, the smallest exponent of a normal number, the largest number, and the resolution.
_FLOATS = {
    torch.float64: (64, 52, -1022, 1.7976931348623157e+308, 1e-15),
    torch.float32: (32, 23, -126, 3.4028234663852886e+38, 1e-06),
    torch.float16: (16, 10, -14, 65504.0, 0.001),
    torch.bfloat16: (16, 7, -126, 3.3895313892515355e+38, 0.01),
    torch.float8_e4m3fn: (8, 3, -6, 448.0, 1.0),
    torch.float8_e5m2: (8, 2, -14, 57344.0, 1.0),
    torch.float8_e4m3fnuz: (8, 3, -7, 240.0, 1.0),
    torch.float8_e5m2fnuz: (8, 3, -15, 57344.0, 1.0),
}
_PARTS = {torch.complex32: torch.float16, torch.complex64: torch.float32, torch.complex128: torch.float64}
_INTEGERS = {torch.int8: 8, torch.int16: 16, torch.int32: 32, torch.int64: 64,
             torch.uint8: 8, torch.uint16: 16, torch.uint32: 32, torch.uint64: 64,
             torch.qint8: 8, torch.quint8: 8, torch.quint4x2: 8, torch.qint32: 32}


def _check_dtype(name, type_):
    if not isinstance(type_, torch.dtype):
        raise TypeError(f"{name}(): argument 'type' (position 1) must be torch.dtype, not {type(type_).__name__}")


class finfo:
    def __init__(self, type=None):
        type = torch.empty(0).dtype if type is None else type
        _check_dtype('finfo', type)
        type = _PARTS.get(type, type)
        if type not in _FLOATS:
            raise TypeError("torch.finfo() requires a floating point input type. Use torch.iinfo to handle "
                            "'torch.finfo'")
        self.bits, fraction, exponent, self.max, self.resolution = _FLOATS[type]
        self.min = -self.max
        self.eps = 2.0 ** -fraction
        self.tiny = self.smallest_normal = 2.0 ** exponent
        self.dtype = str(type).removeprefix('torch.')

    def __repr__(self):
        return (f'finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, '
                f'smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, dtype={self.dtype})')


class iinfo:
    def __init__(self, type):
        _check_dtype('iinfo', type)
        if type not in _INTEGERS:
            raise TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'")
        self.bits = _INTEGERS[type]
        self.dtype = str(type).removeprefix('torch.')
        is_signed = self.dtype.startswith(('int', 'qint'))
        self.max = 2 ** (self.bits - is_signed) - 1
        self.min = -2 ** (self.bits - 1) if is_signed else 0

    def __repr__(self):
        return f'iinfo(min={float(self.min):g}, max={float(self.max):g}, dtype={self.dtype})'
