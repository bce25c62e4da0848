# SPDX-License-Identifier: GPL-3.0-or-later
# Padding, resizing, and sampling on a grid.
import warnings

import torch
from torch import Tensor, adaptive_avg_pool1d
from .pooling import adaptive_avg_pool2d, adaptive_avg_pool3d


def pad(input: Tensor, pad: list[int], mode: str = 'constant', value: float | None = None) -> Tensor:
    return torch._C._nn.pad(input, pad, mode, value)


def upsample(input, size=None, scale_factor=None, mode='nearest', align_corners=None):
    warnings.warn('upsample is deprecated: use interpolate')
    return torch.nn.functional.interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(input, size=None, scale_factor=None):
    warnings.warn('upsample_nearest is deprecated: use interpolate')
    return torch.nn.functional.interpolate(input, size, scale_factor, mode='nearest')


def upsample_bilinear(input, size=None, scale_factor=None):
    warnings.warn('upsample_bilinear is deprecated: use interpolate')
    return torch.nn.functional.interpolate(input, size, scale_factor, mode='bilinear', align_corners=True)


def _is_integer(x) -> bool:
    return isinstance(x, (int, torch.SymInt)) or isinstance(x, torch.Tensor) and not x.is_floating_point()


def _wanted_sizes(input, size, dim):
    if not isinstance(size, (list, tuple)):
        return [size] * dim
    if len(size) != dim:
        raise ValueError('Input and output must have the same number of spatial dimensions, but got input with spatial '
                         f'dimensions of {list(input.shape[2:])} and output size of {size}. Please provide input '
                         'tensor in (N, C, d1, d2, ...,dK) format and output size in (o1, o2, ...,oK) format.')
    if not all(_is_integer(each) for each in size):
        raise TypeError('expected size to be one of int or Tuple[int] or Tuple[int, int] or Tuple[int, int, int], but '
                        f'got size with types {[type(each) for each in size]}')
    return size


def _wanted_factors(input, scale_factor, dim):
    if not isinstance(scale_factor, (list, tuple)):
        return [scale_factor] * dim
    if len(scale_factor) != dim:
        raise ValueError('Input and scale_factor must have the same number of spatial dimensions, but got input with '
                         f'spatial dimensions of {list(input.shape[2:])} and scale_factor of shape {scale_factor}. '
                         'Please provide input tensor in (N, C, d1, d2, ...,dK) format and scale_factor in '
                         '(s1, s2, ...,sK) format.')
    return scale_factor


def interpolate(input: Tensor, size: int | None = None, scale_factor: list[float] | None = None, mode: str = 'nearest',
                align_corners: bool | None = None, recompute_scale_factor: bool | None = None,
                antialias: bool = False) -> Tensor:
    if mode in ('nearest', 'area', 'nearest-exact'):
        if align_corners is not None:
            raise ValueError('align_corners option can only be set with the interpolating modes: '
                             'linear | bilinear | bicubic | trilinear')
    elif align_corners is None:
        align_corners = False
    dim = input.dim() - 2
    sizes = factors = None
    if size is not None and scale_factor is not None:
        raise ValueError('only one of size or scale_factor should be defined')
    if size is not None:
        sizes = _wanted_sizes(input, size, dim)
    elif scale_factor is not None:
        factors = _wanted_factors(input, scale_factor, dim)
    else:
        raise ValueError('either size or scale_factor should be defined')
    if recompute_scale_factor and size is not None:
        raise ValueError('recompute_scale_factor is not meaningful with an explicit size.')
    if factors is not None and (recompute_scale_factor or mode == 'area'):
        sizes = [torch.sym_int(input.size(i + 2) * factors[i]) for i in range(dim)]
        factors = None
    if antialias and not (mode in ('bilinear', 'bicubic', 'lanczos') and input.ndim == 4):
        raise ValueError('Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D '
                         'tensor as input')
    return _resized(input, mode, sizes, factors, align_corners, antialias)


def _resized(input, mode, sizes, factors, align_corners, antialias):
    count = input.dim()
    if count in (3, 4, 5) and mode in ('nearest', 'nearest-exact', 'area'):
        by_dim = {
            'nearest': (torch._C._nn.upsample_nearest1d, torch._C._nn.upsample_nearest2d,
                        torch._C._nn.upsample_nearest3d),
            'nearest-exact': (torch._C._nn._upsample_nearest_exact1d, torch._C._nn._upsample_nearest_exact2d,
                              torch._C._nn._upsample_nearest_exact3d),
            'area': (adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d),
        }
        resize = by_dim[mode][count - 3]
        return resize(input, sizes) if mode == 'area' else resize(input, sizes, factors)
    if count == 4 and mode == 'lanczos':
        if align_corners:
            raise ValueError('Lanczos mode does not support align_corners=True')
        if not antialias:
            raise ValueError('Lanczos mode requires antialias=True')
    smooth = {
        (3, 'linear', False): torch._C._nn.upsample_linear1d,
        (4, 'bilinear', False): torch._C._nn.upsample_bilinear2d,
        (4, 'bilinear', True): torch._C._nn._upsample_bilinear2d_aa,
        (4, 'bicubic', False): torch._C._nn.upsample_bicubic2d,
        (4, 'bicubic', True): torch._C._nn._upsample_bicubic2d_aa,
        (4, 'lanczos', True): torch._C._nn._upsample_lanczos2d_aa,
        (5, 'trilinear', False): torch._C._nn.upsample_trilinear3d,
    }
    resize = smooth.get((count, mode, bool(antialias)))
    if resize is not None:
        return resize(input, sizes, align_corners, factors)
    needed = {'linear': 3, 'bilinear': 4, 'trilinear': 5}.get(mode)
    if count in (3, 4, 5) and needed is not None:
        raise NotImplementedError(f'Got {count}D input, but {mode} mode needs {needed}D input')
    raise NotImplementedError(f'Input Error: Only 3D, 4D and 5D input Tensors supported (got {count}D) for the modes: '
                              'nearest | linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact '
                              f'(got {mode})')


GRID_SAMPLE_INTERPOLATION_MODES = {'bilinear': 0, 'nearest': 1, 'bicubic': 2}
GRID_SAMPLE_PADDING_MODES = {'zeros': 0, 'border': 1, 'reflection': 2}


def _corners(align_corners):
    if align_corners is None:
        warnings.warn('grid_sample and affine_grid take align_corners=False unless it is given')
        return False
    return align_corners


def grid_sample(input: Tensor, grid: Tensor, mode: str = 'bilinear', padding_mode: str = 'zeros',
                align_corners: bool | None = None) -> Tensor:
    if mode not in ('bilinear', 'nearest', 'bicubic'):
        raise ValueError("nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but "
                         f"got: '{mode}'")
    if padding_mode not in ('zeros', 'border', 'reflection'):
        raise ValueError("nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or "
                         f"'reflection', but got: '{padding_mode}'")
    return torch.grid_sampler(input, grid, GRID_SAMPLE_INTERPOLATION_MODES[mode],
                              GRID_SAMPLE_PADDING_MODES[padding_mode], _corners(align_corners))


def affine_grid(theta: Tensor, size: list[int], align_corners: bool | None = None) -> Tensor:
    align_corners = _corners(align_corners)
    if not theta.is_floating_point():
        raise ValueError(f'Expected theta to have floating point type, but got {theta.dtype}')
    if len(size) not in (4, 5):
        raise NotImplementedError('affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, '
                                  f'respectively. Got size {size}.')
    dim = len(size) - 2
    if theta.dim() != 3 or theta.shape[-2] != dim or theta.shape[-1] != dim + 1:
        raise ValueError(f'Expected a batch of {dim}D affine matrices of shape Nx{dim}x{dim + 1} for size {size}. '
                         f'Got {theta.shape}.')
    if align_corners and min(size[-dim:]) == 1:
        warnings.warn('affine_grid with align_corners=True places the only point of a dimension at its centre')
    elif min(size) <= 0:
        raise ValueError(f'Expected non-zero, positive output size. Got {size}')
    return torch.affine_grid_generator(theta, size, align_corners)
