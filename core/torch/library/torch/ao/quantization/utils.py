# SPDX-License-Identifier: GPL-3.0-or-later
# The integers that a dtype offers, and checks of ranges.
import warnings
import torch

_USUAL = {torch.qint8: (-128, 127), torch.int8: (-128, 127), torch.quint8: (0, 255), torch.uint8: (0, 255),
          torch.qint32: (-2 ** 31, 2 ** 31 - 1), torch.int32: (-2 ** 31, 2 ** 31 - 1), torch.uint16: (0, 2 ** 16 - 1),
          torch.int16: (-2 ** 15, 2 ** 15 - 1)}
_REDUCED = {torch.qint8: (-64, 63), torch.int8: (-64, 63), torch.quint8: (0, 127), torch.uint8: (0, 127)}
_BYTES, _WORDS = (torch.qint8, torch.int8), (torch.qint32, torch.int32)


def is_per_tensor(qscheme):
    return qscheme in (torch.per_tensor_affine, torch.per_tensor_symmetric)


def is_per_channel(qscheme):
    return qscheme in (torch.per_channel_affine, torch.per_channel_affine_float_qparams, torch.per_channel_symmetric)


def validate_qmin_qmax(quant_min, quant_max):
    if not quant_min <= 0 <= quant_max:
        raise AssertionError('Used-specified quantization range must include 0.')
    if quant_min >= quant_max:
        raise AssertionError('qmin must be strictly less than qmax for user-specified quantization range.')


def calculate_qmin_qmax(quant_min, quant_max, has_customized_qrange, dtype, reduce_range):
    if not has_customized_qrange:
        usual = _USUAL.get(dtype, (0, 15))
        return _REDUCED.get(dtype, usual) if reduce_range else usual
    length = quant_max - quant_min + 1
    if dtype in _BYTES and not 0 < length <= 256:
        raise AssertionError('quantization range should be positive and not exceed the maximum bit range (=256).')
    if dtype in _WORDS and not 0 < length <= 2 ** 32:
        raise AssertionError('quantization range should be positive and not exceed the maximum bit range (=4294967296).')
    return (quant_min // 2, quant_max // 2) if reduce_range else (quant_min, quant_max)


def check_min_max_valid(min_val, max_val):
    is_empty = min_val.numel() == 0 or max_val.numel() == 0
    is_scalar = not is_empty and (min_val.dim() == 0 or max_val.dim() == 0)
    if is_empty or is_scalar and min_val == float('inf') and max_val == float('-inf'):
        warnings.warn('must run observer before calling calculate_qparams. Returning default values.', stacklevel=2)
        return False
    if min_val > max_val if is_scalar else torch.any(min_val > max_val):
        raise AssertionError(f'min {min_val} should be less than max {max_val}')
    return True
