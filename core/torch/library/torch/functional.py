# SPDX-License-Identifier: GPL-3.0-or-later
# torch.functional: the functions of torch that are Python. Decompositions of low rank are in _lowrank.py.
import itertools
import operator

import torch
from torch import _VF, istft
from ._lowrank import pca_lowrank, svd_lowrank
from .overrides import (handle_torch_function, has_torch_function, has_torch_function_unary,
                        has_torch_function_variadic)


def broadcast_tensors(*tensors):
    return _VF.broadcast_tensors(tensors)


def broadcast_shapes(*shapes):
    given = [(shape,) if isinstance(shape, (int, torch.SymInt)) else shape for shape in shapes if shape is not None]
    for shape in given:
        if not isinstance(shape, (tuple, list)):
            raise RuntimeError(f'Input shapes should be of type ints, a tuple of ints, or a list of ints, got {shape}')
    common = [1] * max((len(shape) for shape in given), default=0)
    for number, shape in enumerate(given):
        for at in range(-1, -1 - len(shape), -1):
            size = shape[at]
            if size == common[at] or size == 1:
                continue
            if size < 0:
                raise ValueError('Attempting to broadcast a dimension with negative length!')
            if common[at] != 1:
                raise RuntimeError(f'Attempting to broadcast a dimension of length {size} at {at}! Mismatching '
                                   f'argument at index {number} had {shape}; but expected shape should be '
                                   f'broadcastable to {common}')
            common[at] = size
    return torch.Size(common)


def split(tensor, split_size_or_sections, dim=0):
    return tensor.split(split_size_or_sections, dim)


def _subscript_letters(subscripts):
    # Letters for a list of numbers: capitals first.
    letters = ''
    for number in subscripts:
        if number is Ellipsis:
            letters += '...'
        elif 0 <= number < 52:
            letters += chr(ord('A') + number) if number < 26 else chr(ord('a') + number - 26)
        else:
            raise ValueError('einsum(): subscript in subscript list is not within the valid range [0, 52)')
    return letters


def einsum(*args):
    # A Proxy among operands after an equation has been recorded before this body runs.
    if len(args) < 2:
        raise ValueError('einsum(): must specify the equation string and at least one operand, or at least one operand '
                         'and its subscripts list')
    equation, operands = args[0], args[1:]
    if isinstance(equation, torch.Tensor):
        # Operands and their lists of subscripts take turns; an odd list at the end is the result's.
        has_result = len(args) % 2 == 1
        equation = ','.join(_subscript_letters(subscripts) for subscripts in args[1::2])
        operands = args[:-1:2] if has_result else args[::2]
        if has_result:
            equation += '->' + _subscript_letters(args[-1])
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        return torch.einsum(equation, *operands[0])
    return _VF.einsum(equation, operands)


def meshgrid(*tensors, indexing=None):
    return _meshgrid(*tensors, indexing=indexing)


def _meshgrid(*tensors, indexing):
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tensors[0]
    return _VF.meshgrid(tensors) if indexing is None else _VF.meshgrid(tensors, indexing=indexing)


def stft(input, n_fft, hop_length=None, win_length=None, window=None, center=True, pad_mode='reflect',
         normalized=False, onesided=None, return_complex=None, align_to_window=None):
    if center:
        if align_to_window is not None:
            raise RuntimeError('stft align_to_window should only be set when center = false')
        # Padding by reflection wants three dimensions.
        count = input.dim()
        half = int(n_fft // 2)
        wide = input.view([1] * (3 - count) + list(input.size()))
        wide = torch.nn.functional.pad(wide, [half, half], pad_mode)
        input = wide.view(wide.shape[-count:])
    return _VF.stft(input, n_fft, hop_length, win_length, window, normalized, onesided, return_complex,
                    align_to_window)


def _chosen(results, return_inverse, return_counts):
    output, inverse, counts = results
    if return_inverse:
        return (output, inverse, counts) if return_counts else (output, inverse)
    return (output, counts) if return_counts else output


def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    options = {'sorted': sorted, 'return_inverse': return_inverse, 'return_counts': return_counts}
    results = torch._unique2(input, **options) if dim is None else _VF.unique_dim(input, dim, **options)
    return _chosen(results, return_inverse, return_counts)


def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    results = _VF.unique_consecutive(input, return_inverse=return_inverse, return_counts=return_counts, dim=dim)
    return _chosen(results, return_inverse, return_counts)


def _dims_of_tensordot(a, b, dims):
    if isinstance(dims, (tuple, list)):
        first, second = dims
        return first, second
    if isinstance(dims, torch.Tensor):
        if dims.numel() > 1:
            if dims.size()[0] != 2:
                raise AssertionError(f'dims tensor must have size 2 in first dimension, got {dims.size()[0]}')
            return dims[0].tolist(), dims[1].tolist()
        count = int(dims.item())
    elif isinstance(dims, (int, torch.SymInt)):
        count = dims
    else:
        raise RuntimeError('tensordot expects dims to be int or tuple[list[int], list[int]] or list[list[int]] '
                           f'containing two lists, but got dims={dims}')
    if count < 0:
        raise RuntimeError(f'tensordot expects dims >= 0, but got dims={dims}')
    if not isinstance(dims, torch.Tensor) and count > min(a.dim(), b.dim()):
        raise RuntimeError(f'tensordot expects dims < ndim_a or ndim_b, but got dims={dims}')
    return list(range(-count, 0)), list(range(count))


def tensordot(a, b, dims=2, out=None):
    first, second = _dims_of_tensordot(a, b, dims)
    return _VF.tensordot(a, b, first, second) if out is None else _VF.tensordot(a, b, first, second, out=out)


def cartesian_prod(*tensors):
    return _VF.cartesian_prod(tensors)


def block_diag(*tensors):
    return _VF.block_diag(tensors)


def cdist(x1, x2, p=2.0, compute_mode='use_mm_for_euclid_dist_if_necessary'):
    modes = ('use_mm_for_euclid_dist_if_necessary', 'use_mm_for_euclid_dist', 'donot_use_mm_for_euclid_dist')
    if compute_mode not in modes:
        raise ValueError(f'{compute_mode} is not a valid value for compute_mode')
    return _VF.cdist(x1, x2, p, modes.index(compute_mode) or None)


def _one_or_all(tensors):
    return tensors[0] if len(tensors) == 1 else tensors


def atleast_1d(*tensors):
    return _VF.atleast_1d(_one_or_all(tensors))


def atleast_2d(*tensors):
    return _VF.atleast_2d(_one_or_all(tensors))


def atleast_3d(*tensors):
    return _VF.atleast_3d(_one_or_all(tensors))


def norm(input, p='fro', dim=None, keepdim=False, out=None, dtype=None):
    if input.layout != torch.strided:
        return _sparse_norm(input, p, dim, keepdim, out, dtype)
    dims = [dim] if isinstance(dim, (int, torch.SymInt)) else dim
    options = {'dtype': dtype} if out is None else {'dtype': dtype, 'out': out}
    if isinstance(p, str):
        if p == 'fro' and (dims is None or len(dims) <= 2):
            return torch.linalg.vector_norm(input, 2, dims, keepdim, **options)
        dims = list(range(input.ndim)) if dims is None else dims
        return torch.linalg.matrix_norm(input, p, dims, keepdim, **options)
    return torch.linalg.vector_norm(input, 2.0 if p is None else p, dims, keepdim, **options)


def _sparse_norm(input, p, dim, keepdim, out, dtype):
    options = {} if out is None else {'out': out}
    dims = [dim] if isinstance(dim, (int, torch.SymInt)) else dim
    if not isinstance(p, str):
        if dtype is not None:
            options['dtype'] = dtype
        return _VF.norm(input, p, list(range(input.dim())) if dims is None else dims, keepdim=keepdim, **options)
    if p not in ('fro', 'nuc'):
        raise RuntimeError(f"only valid string values are 'fro' and 'nuc', found {p}")
    if dtype is not None:
        kind = 'frobenius' if p == 'fro' else 'nuclear'
        raise ValueError(f'dtype argument is not supported in {kind} norm')
    if p == 'fro':
        dims = (() if out is None else list(range(input.dim()))) if dims is None else dims
        return _VF.frobenius_norm(input, dims, keepdim=keepdim, **options)
    return _VF.nuclear_norm(input, *([] if dims is None else [dims]), keepdim=keepdim, **options)


def unravel_index(indices, shape):
    if indices.is_complex() or indices.is_floating_point() or indices.dtype == torch.bool:
        raise TypeError(f"expected 'indices' to be integer dtype, but got {indices.dtype}")
    sizes = [shape] if isinstance(shape, (int, torch.SymInt)) else shape
    if not isinstance(sizes, (list, tuple)):
        raise TypeError(f"expected 'shape' to be int or sequence of ints, but got {type(shape)}")
    for size in sizes:
        if not isinstance(size, (int, torch.SymInt)):
            raise TypeError(f"expected 'shape' sequence to only contain ints, but got {type(size)}")
    if not all(size >= 0 for size in sizes):
        raise ValueError(f"'shape' cannot have negative values, but got {tuple(sizes)}")
    steps = list(itertools.accumulate([1, *list(sizes)[:0:-1]], operator.mul))[::-1]
    like = {'device': indices.device, 'dtype': torch.int64}
    places = indices.unsqueeze(-1).floor_divide(torch.tensor(steps[-len(sizes):], **like)) % torch.tensor(sizes, **like)
    return places.unbind(-1)


def chain_matmul(*matrices, out=None):
    return _VF.chain_matmul(matrices) if out is None else _VF.chain_matmul(matrices, out=out)


def lu(A, pivot=True, get_infos=False, out=None):
    results = torch._lu_with_info(A, pivot=pivot, check_errors=not get_infos)
    if out is None:
        return results if get_infos else (results[0], results[1])
    wanted = 3 if get_infos else 2
    if len(out) != wanted:
        raise TypeError(f'expected tuple of {wanted} elements but got {len(out)}')
    if not isinstance(out, (tuple, list)):
        raise TypeError(f"argument 'out' must be tuple of Tensors, not {type(out).__name__}")
    for i in range(len(out)):
        out[i].resize_as_(results[i]).copy_(results[i])
    return out
