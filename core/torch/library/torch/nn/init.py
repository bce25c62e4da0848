# SPDX-License-Identifier: GPL-3.0-or-later
# Filling tensors in place: the distributions that modules start from.
import math
import warnings
import torch


def _fill(tensor, method, *values, **options):
    with torch.no_grad():
        return getattr(tensor, method)(*values, **options)


def _drawn(tensor, method, one, other, generator):
    if generator is None:
        return _fill(tensor, method, one, other)
    return _fill(tensor, method, one, other, generator=generator)


def calculate_gain(nonlinearity, param=None):
    if nonlinearity in ('linear', 'conv1d', 'conv2d', 'conv3d', 'conv_transpose1d', 'conv_transpose2d', 'conv_transpose3d',
                        'sigmoid'):
        return 1
    if nonlinearity == 'leaky_relu':
        slope = 0.01 if param is None else param
        if isinstance(slope, bool) or not isinstance(slope, (int, float)):
            raise ValueError(f'negative_slope {param} not a valid number')
        return math.sqrt(2.0 / (1 + slope ** 2))
    gains = {'tanh': 5.0 / 3, 'relu': math.sqrt(2.0), 'selu': 3.0 / 4}
    if nonlinearity not in gains:
        raise ValueError(f'Unsupported nonlinearity {nonlinearity}')
    return gains[nonlinearity]


def uniform_(tensor, a=0.0, b=1.0, generator=None):
    return _drawn(tensor, 'uniform_', a, b, generator)


def normal_(tensor, mean=0.0, std=1.0, generator=None):
    return _drawn(tensor, 'normal_', mean, std, generator)


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    if tensor.is_meta:
        return tensor
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn('mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may be '
                      'incorrect.', stacklevel=2)

    def below(x):
        return (1.0 + math.erf((x - mean) / std / math.sqrt(2.0))) / 2.0

    with torch.no_grad():
        if below(b) - below(a) > 0.3:
            # Most draws fall inside: draw again those that do not.
            low, high = tensor.new_tensor(a, device='cpu').item(), tensor.new_tensor(b, device='cpu').item()
            drawn = _drawn(tensor, 'normal_', mean, std, generator)
            outside = (drawn < low) | (drawn > high)
            while outside.any():
                drawn = torch.where(outside, _drawn(torch.empty_like(drawn), 'normal_', mean, std, generator), drawn)
                outside = (drawn < low) | (drawn > high)
        else:
            # Few would: draw evenly, and keep each with the probability that the density asks for.
            peak = -0.5 * ((max(a, min(mean, b)) - mean) / std) ** 2
            drawn = _drawn(tensor, 'uniform_', a, b, generator)
            density = torch.empty_like(tensor)
            chance = torch.empty_like(tensor)
            refused = None
            while refused is None or refused.any():
                density = drawn.clone() if refused is None else _drawn(density, 'uniform_', a, b, generator)
                drawn = density.clone() if refused is None else torch.where(refused, density, drawn)
                density.sub_(mean).div_(std).pow_(2).mul_(-0.5).sub_(peak)
                again = _drawn(chance, 'uniform_', 0.0, 1.0, generator).log_().gt(density)
                refused = again if refused is None else torch.where(refused, again, refused)
        if drawn is not tensor:
            tensor.copy_(drawn)
        return tensor


def constant_(tensor, val):
    return _fill(tensor, 'fill_', val)


def ones_(tensor):
    return _fill(tensor, 'fill_', 1.0)


def zeros_(tensor):
    return _fill(tensor, 'zero_')


def eye_(tensor):
    if tensor.dim() != 2:
        raise ValueError('Only tensors with 2 dimensions are supported')
    return _fill(tensor, 'copy_', torch.eye(*tensor.shape))


def dirac_(tensor, groups=1):
    if tensor.dim() not in (3, 4, 5):
        raise ValueError('Only tensors with 3, 4, or 5 dimensions are supported')
    rows, columns = tensor.shape[:2]
    if rows % groups != 0:
        raise ValueError('dim 0 must be divisible by groups')
    if tensor.is_meta:
        return tensor
    centre = tuple(length // 2 for length in tensor.shape[2:])
    each = rows // groups
    with torch.no_grad():
        tensor.zero_()
        for group in range(groups):
            for place in range(min(each, columns)):
                tensor[(group * each + place, place) + centre] = 1
    return tensor


def _calculate_fan_in_and_fan_out(tensor):
    if tensor.dim() < 2:
        raise ValueError('Fan in and fan out can not be computed for tensor with fewer than 2 dimensions')
    field = math.prod(tensor.shape[2:])
    return tensor.shape[1] * field, tensor.shape[0] * field


def _calculate_correct_fan(tensor, mode):
    modes = ['fan_in', 'fan_out']
    if mode.lower() not in modes:
        raise ValueError(f'Mode {mode.lower()} not supported, please use one of {modes}')
    return _calculate_fan_in_and_fan_out(tensor)[modes.index(mode.lower())]


def _xavier_std(tensor, gain):
    return gain * math.sqrt(2.0 / float(sum(_calculate_fan_in_and_fan_out(tensor))))


def xavier_uniform_(tensor, gain=1.0, generator=None):
    bound = math.sqrt(3.0) * _xavier_std(tensor, gain)
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor, gain=1.0, generator=None):
    return normal_(tensor, 0.0, _xavier_std(tensor, gain), generator)


def _kaiming_std(tensor, a, mode, nonlinearity):
    if 0 in tensor.shape:
        warnings.warn('Initializing zero-element tensors is a no-op', stacklevel=3)
        return None
    fan = _calculate_correct_fan(tensor, mode)
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


def kaiming_uniform_(tensor, a=0, mode='fan_in', nonlinearity='leaky_relu', generator=None):
    std = _kaiming_std(tensor, a, mode, nonlinearity)
    if std is None:
        return tensor
    bound = math.sqrt(3.0) * std
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(tensor, a=0, mode='fan_in', nonlinearity='leaky_relu', generator=None):
    std = _kaiming_std(tensor, a, mode, nonlinearity)
    return tensor if std is None else normal_(tensor, 0.0, std, generator)


def orthogonal_(tensor, gain=1, generator=None):
    if tensor.dim() < 2:
        raise ValueError('Only tensors with 2 or more dimensions are supported')
    if tensor.numel() == 0 or tensor.is_meta:
        return tensor
    rows = tensor.size(0)
    columns = tensor.numel() // rows
    drawn = _drawn(tensor.new_empty((rows, columns)), 'normal_', 0, 1, generator)
    with torch.no_grad():
        q, r = torch.linalg.qr(drawn.t() if rows < columns else drawn)
        q = q * torch.diag(r, 0).sign()
        tensor.view(rows, columns).copy_(q.t() if rows < columns else q)
        return tensor.mul_(gain)


def sparse_(tensor, sparsity, std=0.01, generator=None):
    if tensor.dim() != 2:
        raise ValueError('Only tensors with 2 dimensions are supported')
    if tensor.is_meta:
        return tensor
    rows, columns = tensor.shape
    zeros = math.ceil(sparsity * rows)
    with torch.no_grad():
        _drawn(tensor, 'normal_', 0, std, generator)
        for column in range(columns):
            tensor[torch.randperm(rows)[:zeros], column] = 0
    return tensor


def _make_deprecate(meth):
    new = meth.__name__
    old = new[:-1]

    def deprecated_init(*args, **kwargs):
        warnings.warn(f'`nn.init.{old}` is now deprecated in favor of `nn.init.{new}`.', FutureWarning, stacklevel=2)
        return meth(*args, **kwargs)

    deprecated_init.__name__ = old
    return deprecated_init


uniform = _make_deprecate(uniform_)
normal = _make_deprecate(normal_)
constant = _make_deprecate(constant_)
eye = _make_deprecate(eye_)
dirac = _make_deprecate(dirac_)
xavier_uniform = _make_deprecate(xavier_uniform_)
xavier_normal = _make_deprecate(xavier_normal_)
kaiming_uniform = _make_deprecate(kaiming_uniform_)
kaiming_normal = _make_deprecate(kaiming_normal_)
orthogonal = _make_deprecate(orthogonal_)
sparse = _make_deprecate(sparse_)
