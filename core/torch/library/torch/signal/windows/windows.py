# SPDX-License-Identifier: GPL-3.0-or-later
# Windows of signals: each samples a curve at M points; a periodic window (sym=False) leaves out the last of M + 1.
import math

import torch


def _checked_dtype(name, M, dtype, layout):
    dtype = torch.get_default_dtype() if dtype is None else dtype
    if M < 0:
        raise ValueError(f'{name} requires non-negative window length, got M={M}')
    if layout is not torch.strided:
        raise ValueError(f'{name} is implemented for strided tensors only, got: {layout}')
    if dtype not in (torch.float32, torch.float64):
        raise ValueError(f'{name} expects float32 or float64 dtypes, got: {dtype}')
    return dtype


def _points(start, step, M, options):
    return torch.linspace(start=start * step, end=(start + (M - 1)) * step, steps=M, **options)


def _options(dtype, layout, device, requires_grad):
    return {'dtype': dtype, 'layout': layout, 'device': device, 'requires_grad': requires_grad}


def _length(M, sym):
    return M if not sym and M > 1 else M - 1


def exponential(M, *, center=None, tau=1.0, sym=True, dtype=None, layout=torch.strided, device=None,
                requires_grad=False):
    options = _options(_checked_dtype('exponential', M, dtype, layout), layout, device, requires_grad)
    if tau <= 0:
        raise ValueError(f'Tau must be positive, got: {tau} instead.')
    if sym and center is not None:
        raise ValueError('Center must be None for symmetric windows')
    if M == 0:
        return torch.empty((0,), **options)
    center = _length(M, sym) / 2.0 if center is None else center
    return torch.exp(-torch.abs(_points(-center, 1 / tau, M, options)))


def cosine(M, *, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    options = _options(_checked_dtype('cosine', M, dtype, layout), layout, device, requires_grad)
    if M == 0:
        return torch.empty((0,), **options)
    return torch.sin(_points(0.5, torch.pi / (_length(M, sym) + 1), M, options))


def gaussian(M, *, std=1.0, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    options = _options(_checked_dtype('gaussian', M, dtype, layout), layout, device, requires_grad)
    if std <= 0:
        raise ValueError(f'Standard deviation must be positive, got: {std} instead.')
    if M == 0:
        return torch.empty((0,), **options)
    return torch.exp(-_points(-_length(M, sym) / 2.0, 1 / (std * math.sqrt(2)), M, options) ** 2)


def kaiser(M, *, beta=12.0, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    options = _options(_checked_dtype('kaiser', M, dtype, layout), layout, device, requires_grad)
    if beta < 0:
        raise ValueError(f'beta must be non-negative, got: {beta} instead.')
    if M < 2:
        return (torch.ones if M else torch.empty)((M,), **options)
    beta = torch.tensor(beta, dtype=options['dtype'], device=device)
    start = -beta
    step = 2.0 * beta / _length(M, sym)
    points = torch.linspace(start=start, end=torch.minimum(beta, start + (M - 1) * step), steps=M, **options)
    return torch.i0(torch.sqrt(beta * beta - torch.pow(points, 2))) / torch.i0(beta)


def bartlett(M, *, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    options = _options(_checked_dtype('bartlett', M, dtype, layout), layout, device, requires_grad)
    if M < 2:
        return (torch.ones if M else torch.empty)((M,), **options)
    step = 2 / _length(M, sym)
    return 1 - torch.abs(torch.linspace(start=-1, end=-1 + (M - 1) * step, steps=M, **options))


def general_cosine(M, *, a, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    options = _options(_checked_dtype('general_cosine', M, dtype, layout), layout, device, requires_grad)
    if M < 2:
        return (torch.ones if M else torch.empty)((M,), **options)
    if not isinstance(a, (list, tuple)):
        raise TypeError('Coefficients must be a list/tuple')
    if not a:
        raise ValueError('Coefficients cannot be empty')
    step = 2 * torch.pi / _length(M, sym)
    points = torch.linspace(start=0, end=(M - 1) * step, steps=M, **options)
    weights = torch.tensor([-weight if i % 2 else weight for i, weight in enumerate(a)], device=device,
                           dtype=options['dtype'], requires_grad=requires_grad)
    turns = torch.arange(weights.shape[0], dtype=weights.dtype, device=weights.device,
                         requires_grad=weights.requires_grad)
    return (weights.unsqueeze(-1) * torch.cos(turns.unsqueeze(-1) * points)).sum(0)


def general_hamming(M, *, alpha=0.54, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    return general_cosine(M, a=[alpha, 1.0 - alpha], sym=sym, dtype=dtype, layout=layout, device=device,
                          requires_grad=requires_grad)


def hamming(M, *, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    return general_hamming(M, sym=sym, dtype=dtype, layout=layout, device=device, requires_grad=requires_grad)


def hann(M, *, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    return general_hamming(M, alpha=0.5, sym=sym, dtype=dtype, layout=layout, device=device,
                           requires_grad=requires_grad)


def blackman(M, *, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    dtype = _checked_dtype('blackman', M, dtype, layout)
    return general_cosine(M, a=[0.42, 0.5, 0.08], sym=sym, dtype=dtype, layout=layout, device=device,
                          requires_grad=requires_grad)


def nuttall(M, *, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    return general_cosine(M, a=[0.3635819, 0.4891775, 0.1365995, 0.0106411], sym=sym, dtype=dtype, layout=layout,
                          device=device, requires_grad=requires_grad)
