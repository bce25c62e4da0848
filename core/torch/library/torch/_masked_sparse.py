# SPDX-License-Identifier: GPL-3.0-or-later
# Sparse tensors under a mask, and what PyTorch has no operator for: their products and extremes along dimensions.
import torch

_OPERATIONS = {'sum': torch.sum, 'prod': torch.prod, 'mean': torch.mean, 'amax': torch.amax, 'amin': torch.amin}


def _like_value(values):
    # One more dimension at the end for each that the values have behind their first.
    return (...,) + (None,) * (values.ndim - 1)


def where_sparse(mask, input, fill_value):
    # Stored is what the mask lets through; where input has nothing there, a zero.
    if mask.layout == torch.sparse_csr:
        return where_sparse(mask.to_sparse_coo(), input.to_sparse_coo(), fill_value).to_sparse_csr()
    if mask.dense_dim() != input.dense_dim():
        raise AssertionError(f'mask.dense_dim() must match input.dense_dim(): {mask.dense_dim()} vs {input.dense_dim()}')
    input, mask = input.coalesce(), mask.coalesce()
    kept = mask.values()
    if mask.dense_dim() > 0:
        kept = kept.flatten(1).any(1)
    indices = mask.indices()[:, kept]
    places = tuple(indices)
    values = input.to_dense()[places] if places else input.to_dense().expand(indices.size(1), *input.shape)
    if mask.dense_dim() > 0:
        ones = torch.ones(input.indices().size(1), dtype=torch.bool, device=input.device)
        stored = torch.sparse_coo_tensor(input.indices(), ones, input.shape[:input.sparse_dim()]).to_dense()[places]
        let_through = mask.values()[kept] | ~stored[_like_value(values)]
        values = torch.where(let_through, values, fill_value)
    return torch.sparse_coo_tensor(indices, values, input.shape)._coalesced_(True)


def _lowest_or_highest(name, values):
    bounds = torch.finfo(values.dtype) if values.is_floating_point() else torch.iinfo(values.dtype)
    if values.is_floating_point():
        return torch.tensor(-torch.inf if name == 'amax' else torch.inf, dtype=values.dtype, device=values.device)
    return torch.tensor(bounds.min if name == 'amax' else bounds.max, dtype=values.dtype, device=values.device)


def reduce_coo(name, input, dims, keepdim, dtype):
    values, indices = input._values().to(dtype), input._indices()
    sparse = [each for each in dims if each < input.sparse_dim()]
    dense = [each + 1 - input.sparse_dim() for each in dims if input.sparse_dim() <= each < input.dim()]
    if dense and name != 'sum':
        return NotImplemented
    if dense:
        values = torch.sum(values, dim=dense, keepdim=keepdim)
    if len(sparse) == input.sparse_dim():
        if name in ('amax', 'amin') and values.size(0) == 0:
            values = _lowest_or_highest(name, values)
        else:
            values = _OPERATIONS[name](values, dim=0)
        for _ in range(input.sparse_dim() if keepdim else 0):
            values = values.unsqueeze(0)
        return values.to(dtype=dtype).to_sparse()
    if keepdim:
        indices = indices.clone()
        indices[sparse, :] = 0
    elif sparse:
        retained = [each for each in range(input.sparse_dim()) if each not in sparse]
        indices = indices.index_select(0, torch.tensor(retained, device=input.device))
    if indices.numel() > 0:
        indices, groups = torch.unique(indices, return_inverse=True, dim=1)
        # Halves are reduced as floats.
        values = values.to(torch.float) if dtype in (torch.bfloat16, torch.float16) else values
        into = values.new_empty((indices.shape[1], *values.shape[1:]))
        groups = groups[_like_value(values)].expand(values.shape)
        values = into.scatter_reduce_(0, groups, values, reduce=name, include_self=False).to(dtype=dtype)
    shape = [1 if at in dims else size for at, size in enumerate(input.shape) if keepdim or at not in dims]
    return torch.sparse_coo_tensor(indices, values, shape, dtype=dtype, device=input.device)


def reduce_csr(name, input, dims, keepdim, dtype):
    if not keepdim:
        raise AssertionError('reduction operations on CSR tensors with keepdim=False is unsupported')
    rows, columns, values = input.crow_indices(), input.col_indices(), input.values().to(dtype)
    if len(dims) == 0:
        return input
    if dims == (0,):
        columns, groups = torch.unique(columns, return_inverse=True)
        rows = torch.tensor([0, columns.shape[0]])
        values = values.new_empty(columns.shape).scatter_reduce_(0, groups, values, name, include_self=False)
        shape = [1, input.size(1)]
    elif dims == (1,):
        rows, offsets = torch.cat((rows.new_zeros(1), torch.cumsum(torch.diff(rows) != 0, 0)), 0), rows
        columns = columns.new_zeros(rows[-1])
        values = torch._segment_reduce(values, name, offsets=offsets)
        shape = [input.size(0), 1]
    else:
        count = min(1, values.numel())
        options = {} if name in ('amax', 'amin') else {'dtype': dtype}
        values = _OPERATIONS[name](values, 0, keepdim=True, **options) if count else torch.empty(0, dtype=dtype)
        rows, columns, shape = torch.tensor([0, count]), columns.new_zeros(count), [1, count]
    return torch.sparse_csr_tensor(rows, columns, values, shape, dtype=dtype, device=input.device)
