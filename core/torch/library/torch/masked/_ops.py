# SPDX-License-Identifier: GPL-3.0-or-later
# The functions of torch.masked: what the mask hides is filled with the value that leaves the operation's result alone.
# Sparse inputs are in torch/_masked_sparse.py.
import torch
from torch import sym_float
from .._masked_sparse import reduce_coo, reduce_csr, where_sparse

_SMALL_INTS = (torch.uint8, torch.bool, torch.int8, torch.int16, torch.int32)


def _reduction_identity(op_name, input, *args):
    dtype = input.dtype
    name = op_name.rsplit('.', 1)[-1]
    is_whole = torch.is_signed(input) or dtype == torch.uint8
    value = None
    if name in ('sum', 'cumsum'):
        value = 0
    elif name in ('prod', 'cumprod'):
        value = 1
    elif name in ('amax', 'argmax', 'logaddexp', 'logsumexp'):
        if input.is_floating_point():
            value = -torch.inf
        elif name == 'logsumexp' and input.is_complex():
            value = -torch.inf + 0j
        elif is_whole:
            value = torch.iinfo(dtype).min
    elif name in ('amin', 'argmin'):
        if input.is_floating_point():
            value = torch.inf
        elif is_whole:
            value = torch.iinfo(dtype).max
    elif name == 'norm':
        value = 0
        if (args[0] if args else 2) == -torch.inf:
            if not input.is_floating_point():
                raise AssertionError(f'input must be floating point, got {dtype}')
            value = torch.inf
    elif name == 'median':
        dtype = dtype if input.is_floating_point() else torch.float
        value = torch.nan
    elif name in ('mean', 'var', 'std'):
        return None
    if value is None:
        raise NotImplementedError(f'identity of {name} on {dtype} input')
    return torch.tensor(value, dtype=dtype, device=input.device)


def _canonical_dim(dim, ndim):
    if dim is None or dim == ():
        return tuple(range(ndim))
    ndim = max(ndim, 1)
    dims = []
    for each in (dim,) if isinstance(dim, (int, torch.SymInt)) else dim:
        if each in dims:
            raise RuntimeError(f'dim={each} appears multiple times in the list of dims')
        if not -ndim <= each < ndim:
            raise IndexError(f'Dimension out of range (expected to be in range of [{-ndim}, {ndim - 1}], but got {each})')
        dims.append(each % ndim)
    return tuple(sorted(dims))


def _any(input, dim, keepdim):
    for each in reversed(dim):
        input = input.any(dim=each, keepdim=keepdim)
    return input


def _where(mask, input, fill_value):
    if mask.layout == torch.strided:
        return torch.where(mask, input, fill_value)
    if mask.layout in (torch.sparse_coo, torch.sparse_csr):
        return where_sparse(mask, input, fill_value)
    raise ValueError(f'_where expects strided or sparse COO or sparse CSR tensor but got {mask.layout}')


def _input_mask(input, *args, **kwargs):
    layout = input.layout
    if layout not in (torch.strided, torch.sparse_coo, torch.sparse_csr):
        raise ValueError(f'_input_mask expects strided or sparse COO or sparse CSR tensor but got {layout}')
    mask = kwargs.get('mask')
    if mask is None:
        raise ValueError('_input_mask requires explicit mask')
    if mask.shape != input.shape:
        if mask.ndim > input.ndim:
            raise IndexError('_input_mask expected broadcastable mask (got mask dimensionality higher than of the input)')
        if mask.layout == torch.strided:
            mask = torch.broadcast_to(mask.clone(), input.shape).to(dtype=torch.bool)
        elif mask.layout == torch.sparse_coo:
            mask = torch._sparse_broadcast_to(mask, input.shape)
        else:
            mask = torch._sparse_broadcast_to(mask.to_sparse(), input.shape).to_sparse_csr()
    if mask.layout != layout:
        if layout == torch.strided:
            mask = mask.to_dense()
        elif layout == torch.sparse_csr:
            mask = mask.to_sparse_csr()
        else:
            mask = mask.to_sparse(input.sparse_dim()) if mask.layout == torch.strided else mask.to_sparse()
    if mask.layout == torch.sparse_coo:
        mask = mask.coalesce()
    return mask.to(dtype=torch.bool)


def _output_mask(op, input, *args, **kwargs):
    name = getattr(op, '__name__', None)
    if not callable(op):
        raise ValueError(f'_output_mask expected masked operation (got {type(op).__name__} object)')
    if name in ('softmax', 'log_softmax', 'softmin', 'normalize', 'cumsum', 'cumprod'):
        return _input_mask(input, *args, **kwargs)
    if name not in ('sum', 'prod', 'amax', 'amin', 'argmax', 'argmin', 'mean', 'median', 'norm', 'var', 'std', 'logsumexp'):
        raise ValueError(f'_output_mask expected masked operation (got callable {op.__module__}.{name})')
    args = args[1:] if name == 'norm' else args
    dim = args[0] if args else kwargs.get('dim')
    mask = _input_mask(input, *args, **kwargs)
    return _any(mask, _canonical_dim(dim, input.ndim), bool(kwargs.get('keepdim', False)))


def _filled(name, input, mask, *args):
    if mask is None:
        return input
    return _where(_input_mask(input, mask=mask), input, _reduction_identity(name, input, *args))


def _combine_input_and_mask(op, input, mask, *args):
    return _filled(op.__name__, input, mask, *args)


def _refuse(name, input, layouts='strided tensor'):
    raise ValueError(f'masked {name} expects {layouts} (got {input.layout} tensor)')


_ALL_LAYOUTS = 'strided, sparse_coo or sparse_csr tensor'


def _widened(input, dtype):
    # Sums and products of small ints are int64; a CSR input is converted itself.
    if dtype is not None:
        return input, dtype
    is_small = input.dtype in _SMALL_INTS
    if input.layout != torch.sparse_csr:
        return input, torch.int64 if is_small else input.dtype
    if is_small:
        return input.to_sparse_coo().to(dtype=torch.int64).to_sparse_csr(), None
    return input, input.dtype


def _need_mask(name, input, mask):
    if mask is None:
        layout = 'sparse_coo' if input.layout == torch.sparse_coo else 'sparse_csr'
        raise ValueError(f'masked {name} expects explicit mask for {layout} tensor input')


def sum(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    input, dtype = _widened(input, dtype)
    dims, keepdim = _canonical_dim(dim, input.ndim), bool(keepdim)
    filled = _filled('sum', input, mask)
    if filled.layout == torch.strided:
        return torch.sum(filled, dims, keepdim, dtype=dtype)
    if filled.layout == torch.sparse_coo:
        return reduce_coo('sum', filled, dims, keepdim, dtype)
    if filled.layout == torch.sparse_csr:
        return torch._sparse_csr_sum(filled, dim=list(dims), keepdim=keepdim, dtype=dtype)
    _refuse('sum', filled, _ALL_LAYOUTS)


def prod(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    input, dtype = _widened(input, dtype)
    dims, keepdim = _canonical_dim(dim, input.ndim), bool(keepdim)
    filled = _filled('prod', input, mask)
    if filled.layout == torch.strided:
        result = filled.to(dtype=dtype)
        for each in reversed(dims):
            result = result.prod(dim=each, keepdim=keepdim)
        return result
    if filled.layout not in (torch.sparse_coo, torch.sparse_csr):
        _refuse('prod', filled, _ALL_LAYOUTS)
    _need_mask('prod', filled, mask)
    if filled.layout == torch.sparse_coo:
        return reduce_coo('prod', filled, dims, keepdim, dtype)
    return torch._sparse_csr_prod(filled, dim=list(dims), keepdim=keepdim, dtype=dtype)


def _accumulated(name, identity, function, input, dim, dtype, mask):
    dtype = input.dtype if dtype is None else dtype
    place = _canonical_dim(dim, input.ndim)[0]
    filled = _filled(identity, input, mask)
    if filled.layout != torch.strided:
        _refuse(name, filled)
    return function(filled, place, dtype=dtype).to(dtype=dtype)


def cumsum(input, dim, *, dtype=None, mask=None):
    return _accumulated('cumsum', 'sum', torch.cumsum, input, dim, dtype, mask)


def cumprod(input, dim, *, dtype=None, mask=None):
    return _accumulated('cumprod', 'prod', torch.cumprod, input, dim, dtype, mask)


def _extreme(name, function, input, dim, keepdim, dtype, mask):
    dtype = input.dtype if dtype is None else dtype
    filled = _filled(name, input, mask)
    dims, keepdim = _canonical_dim(dim, filled.ndim), bool(keepdim)
    if filled.layout == torch.strided:
        return function(filled, dims, keepdim).to(dtype=dtype)
    if filled.layout not in (torch.sparse_coo, torch.sparse_csr):
        _refuse(name, filled, _ALL_LAYOUTS)
    # PyTorch calls amin of a COO tensor amax here.
    _need_mask('amax' if filled.layout == torch.sparse_coo else name, filled, mask)
    reduce = reduce_coo if filled.layout == torch.sparse_coo else reduce_csr
    return reduce(name, filled, dims, keepdim, dtype)


def amax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    return _extreme('amax', torch.amax, input, dim, keepdim, dtype, mask)


def amin(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    return _extreme('amin', torch.amin, input, dim, keepdim, dtype, mask)


def _place_of_extreme(name, function, input, dim, keepdim, dtype, mask):
    dtype = input.dtype if dtype is None else dtype
    filled = _filled(name, input, mask)
    if filled.layout != torch.strided:
        _refuse(name, filled)
    return function(filled, dim, bool(keepdim)).to(dtype=dtype)


def argmax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    return _place_of_extreme('argmax', torch.argmax, input, dim, keepdim, dtype, mask)


def argmin(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    return _place_of_extreme('argmin', torch.argmin, input, dim, keepdim, dtype, mask)


def _count_and_mask(input, dim, keepdim, mask):
    if mask is None:
        ones = torch.ones(input.shape, dtype=torch.int64, device=input.device)
        return sum(ones, dim, keepdim=keepdim), None
    mask = _input_mask(input, mask=mask)
    return mask.sum(dim=dim, keepdim=bool(keepdim)), mask


def mean(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    source = 'Input' if dtype is None else 'Optional'
    dtype = input.dtype if dtype is None else dtype
    if not (dtype.is_floating_point or dtype.is_complex):
        raise ValueError(f'mean(): Could not infer output dtype. {source} dtype must be either a floating point or complex '
                         f'dtype. Got: {dtype}')
    if input.layout == torch.strided:
        count, inner = _count_and_mask(input, dim, keepdim, mask)
        return sum(input, dim, keepdim=keepdim, dtype=dtype, mask=inner) / count
    if input.layout != torch.sparse_csr:
        _refuse('mean', input, 'strided or sparse_csr tensor')
    filled = _filled('mean', input, mask)
    _need_mask('mean', input, mask)
    return reduce_csr('mean', filled, _canonical_dim(dim, filled.ndim), bool(keepdim), dtype)


def median(input, dim=-1, *, keepdim=False, dtype=None, mask=None):
    dtype = input.dtype if dtype is None else dtype
    place = _canonical_dim(dim, input.ndim)[0]
    is_float = input.is_floating_point()
    filled = _filled('median', input if is_float else input.to(dtype=torch.float), mask)
    if filled.layout != torch.strided:
        _refuse('median', filled)
    output = torch.nanmedian(filled, place, keepdim).values
    if is_float:
        return output
    if torch.isnan(output).any():
        raise ValueError('masked median expects no fully masked out rows if dtype is not floating point')
    return output.to(dtype=dtype)


def logsumexp(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    dtype = input.dtype if dtype is None else dtype
    dims = _canonical_dim(dim, input.ndim)
    filled = _filled('logsumexp', input, mask)
    if filled.layout != torch.strided:
        _refuse('logsumexp', filled)
    return torch.logsumexp(filled, dims, keepdim=keepdim).to(dtype=dtype)


def logaddexp(input, other, *, dtype=None, input_mask=None, other_mask=None):
    dtype = input.dtype if dtype is None else dtype
    if input.layout != torch.strided or other.layout != torch.strided:
        raise ValueError(f'masked logaddexp expects strided tensors (got {input.layout} tensor for input, {other.layout} for '
                         'other)')
    return torch.logaddexp(_filled('logaddexp', input, input_mask), _filled('logaddexp', other, other_mask)).to(dtype=dtype)


def norm(input, ord=2.0, dim=None, *, keepdim=False, dtype=None, mask=None):
    dtype = input.dtype if dtype is None else dtype
    filled = _filled('norm', input, mask, ord)
    if filled.layout != torch.strided:
        _refuse('norm', filled)
    return torch.linalg.vector_norm(filled, ord, _canonical_dim(dim, input.ndim), bool(keepdim), dtype=dtype)


def _std_var(input, dim, unbiased, *, correction_opt, keepdim, dtype, mask, take_sqrt):
    if unbiased is not None and correction_opt is not None:
        raise AssertionError('Only one of unbiased and correction may be given')
    correction = 0.0 if unbiased is not None and not unbiased else 1.0
    if correction_opt is not None:
        correction = sym_float(correction_opt)
    real = lambda kind: kind.is_floating_point or kind.is_complex
    if dtype is None:
        dtype = input.dtype if real(input.dtype) else torch.float32
    inner_dtype = dtype if real(dtype) else torch.float32
    if input.layout != torch.strided:
        raise ValueError(f'masked std/var expects strided tensor (got {input.layout} tensor)')
    count, inner = _count_and_mask(input, dim, True, mask)
    total = sum(input, dim, keepdim=True, dtype=dtype, mask=inner)
    apart = torch.subtract(input, torch.divide(total, count))
    total = sum(apart * apart.conj(), dim, keepdim=keepdim, dtype=inner_dtype, mask=inner)
    if not keepdim:
        count = count.reshape(total.shape)
    if correction != 0:
        count = torch.subtract(count.to(inner_dtype.to_real() if inner_dtype.is_complex else inner_dtype), correction)
        count = torch.maximum(count, count.new_zeros([]))
    output = torch.divide(total, count).to(dtype=dtype)
    return torch.sqrt(output) if take_sqrt else output


def var(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None):
    return _std_var(input, dim, unbiased, correction_opt=correction, keepdim=keepdim, dtype=dtype, mask=mask, take_sqrt=False)


def std(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None):
    return _std_var(input, dim, unbiased, correction_opt=correction, keepdim=keepdim, dtype=dtype, mask=mask, take_sqrt=True)


def _normalized(name, identity, function, input, dim, dtype, mask):
    dtype = input.dtype if dtype is None else dtype
    place = _canonical_dim(dim, input.ndim)[0]
    filled = _filled(identity, input, mask)
    if filled.layout != torch.strided:
        _refuse(name, filled)
    return function(filled, place, dtype=dtype)


def softmax(input, dim, *, dtype=None, mask=None):
    return _normalized('softmax', 'amax', torch.nn.functional.softmax, input, dim, dtype, mask)


def log_softmax(input, dim, *, dtype=None, mask=None):
    return _normalized('log_softmax', 'amax', torch.nn.functional.log_softmax, input, dim, dtype, mask)


def softmin(input, dim, *, dtype=None, mask=None):
    return _normalized('softmin', 'amin', torch.nn.functional.softmin, input, dim, dtype, mask)


def normalize(input, ord, dim, *, eps=1e-12, dtype=None, mask=None):
    dtype = input.dtype if dtype is None else dtype
    filled = _filled('sum', input, mask)
    if filled.layout != torch.strided:
        _refuse('normalize', filled)
    length = norm(input, ord, dim, keepdim=True, dtype=dtype, mask=mask)
    return torch.divide(filled, torch.maximum(length, length.new_full([], eps)))
